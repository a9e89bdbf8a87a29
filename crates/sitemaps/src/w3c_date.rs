//! The format of dates in sitemaps: W3C Datetime.

use jiff::civil::Time;

use crate::listed_date::calendar_period;

/// Whether the protocol allows this date: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or the latter with `T`,
/// a time and a time zone (w3.org/TR/NOTE-datetime).
pub(crate) fn is_w3c_datetime(text: &str) -> bool {
    match text.split_once('T') {
        None => calendar_period(text).is_some(),
        Some((date, time)) => date.len() == 10 && calendar_period(date).is_some() && is_time(time),
    }
}

/// Whether a text is `hh:mm`, `hh:mm:ss` or `hh:mm:ss.s`, and a time zone.
fn is_time(text: &str) -> bool {
    let Some(zone_at) = text.find(['Z', '+', '-']) else {
        return false;
    };
    let (time, zone) = text.split_at(zone_at);
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let is_clock = match form_of(clock).as_str() {
        "00:00" => clock.len() == time.len(),
        "00:00:00" => !clock.ends_with("60"),
        _ => false,
    };
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    // XML Schema allows offsets of up to 14 hours.
    let is_zone =
        zone == "Z" || form_of(&zone[1..]) == "00:00" && &zone[1..] <= "14:00" && &zone[4..] < "60";
    is_clock && clock.parse::<Time>().is_ok() && is_fraction && is_zone
}

/// The text with each digit replaced by `0`.
fn form_of(text: &str) -> String {
    text.replace(|character: char| character.is_ascii_digit(), "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_formats_of_the_protocol_are_dates() {
        let check =
            |text: &str, expected: bool| assert_eq!(is_w3c_datetime(text), expected, "{text}");
        for text in [
            "2024",
            "2024-05",
            "2024-05-06",
            "2024-05-06T07:08Z",
            "2024-05-06T07:08:09+02:00",
        ] {
            check(text, true);
        }
        check("2024-05-06T07:08:09.123Z", true);
        check("2024-02-29", true);
        for text in [
            "2024-00",
            "2024-00-10",
            "2024-01-00",
            "2023-02-29",
            "2024-02-31T07:08Z",
            "2024-04-31",
        ] {
            check(text, false);
        }
        for text in [
            "",
            "soon",
            "06/05/2024",
            "2024-5-6",
            "2024-13-01",
            "2024-05-06T07:08:09",
            "2024-05-06 07:08:09Z",
        ] {
            check(text, false);
        }
        for text in [
            "Mon, 06 May 2024 07:08:09 GMT",
            "2024-05-06T25:00Z",
            "2024-05T07:08Z",
            "2024-05-06T07:08:09+0200",
            "2024-05-06T07:08:09+15:00",
        ] {
            check(text, false);
        }
    }
}

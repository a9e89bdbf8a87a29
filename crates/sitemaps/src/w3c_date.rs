//! The format of dates in sitemaps: W3C Datetime.

use jiff::civil::Date;

/// Whether the protocol allows this date: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or the latter with `T`,
/// a time and a time zone (w3.org/TR/NOTE-datetime).
pub fn is_w3c_datetime(text: &str) -> bool {
    let (date, time) = text
        .split_once('T')
        .map_or((text, None), |(date, time)| (date, Some(time)));
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let below = |text: &str, limit: u8| {
        digits(text, 2) && text.parse::<u8>().is_ok_and(|number| number < limit)
    };
    let parts: Vec<&str> = date.split('-').collect();
    let is_date = match parts[..] {
        [year] => digits(year, 4),
        [year, month] => digits(year, 4) && digits(month, 2) && is_in_calendar(year, month, "01"),
        [year, month, day] => {
            digits(year, 4)
                && digits(month, 2)
                && digits(day, 2)
                && is_in_calendar(year, month, day)
        }
        _ => false,
    };
    let Some(time) = time else { return is_date };
    let Some(zone_at) = time.find(['Z', '+', '-']) else {
        return false;
    };
    let (clock, zone) = time.split_at(zone_at);
    // XML Schema allows offsets of up to 14 hours.
    let is_zone = matches!(zone, "Z" | "+14:00" | "-14:00")
        || zone[1..]
            .split_once(':')
            .is_some_and(|(hours, minutes)| below(hours, 14) && below(minutes, 60));
    let (clock, fraction) = clock
        .split_once('.')
        .map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
    let clock: Vec<&str> = clock.split(':').collect();
    let is_clock = match clock[..] {
        [hours, minutes] => fraction.is_none() && below(hours, 24) && below(minutes, 60),
        [hours, minutes, seconds] => below(hours, 24) && below(minutes, 60) && below(seconds, 60),
        _ => false,
    };
    let is_fraction = fraction
        .is_none_or(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    is_date && parts.len() == 3 && is_zone && is_clock && is_fraction
}

fn is_in_calendar(year: &str, month: &str, day: &str) -> bool {
    let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse(), day.parse()) else {
        return false;
    };
    Date::new(year, month, day).is_ok()
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

//! Evaluates robots tags.

use jiff::{fmt::strtime, tz::TimeZone};

use page_signals::{MetaTag, PageFacts, Region, Stated};

use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// The rule that forbids indexing.
pub(super) const NOINDEX: &str = "noindex";

/// Rules with a value after a colon. The value is not a rule itself: `max-image-preview: none`.
pub(super) const RULES_WITH_VALUES: [&str; 4] = [
    "unavailable_after",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

/// Returns the first tag among the facts of a page that forbids indexing: `noindex`, `none`, or an
/// `unavailable_after` date in the past.
pub(super) fn forbidding_tag(facts: &PageFacts, now: Now) -> Option<&Stated<MetaTag>> {
    let mut counting = facts
        .robots
        .iter()
        .filter(|tag| tag.value.region != Region::Noscript);
    counting.find(|tag| forbids(&tag.value.content, now))
}

/// Whether a tag's content forbids indexing.
///
/// Rules are separated by commas; whitespace and semicolons are accepted as well. `noindex` counts
/// even as the missing value of a preceding rule: excluding a page at its author's request is the
/// safe choice.
pub(super) fn forbids(content: &str, now: Now) -> bool {
    let lower = content.to_ascii_lowercase();
    lower
        .split(|character: char| is_separator(character) || character.is_ascii_whitespace())
        .any(|word| word == NOINDEX)
        || words(&lower).any(|word| word == "none")
        || unavailable_after(&lower).is_some_and(|date| has_passed(date, now))
}

/// Returns the text after `unavailable_after:`, a date and possibly further rules.
fn unavailable_after(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once("unavailable_after")?;
    rest.trim_start().strip_prefix(':')
}

fn is_separator(character: char) -> bool {
    matches!(character, ',' | ';')
}

/// Whether the next word is the value of a rule: after `max-snippet:` or `max-snippet :`.
fn ask_for_value(words: [&str; 2]) -> bool {
    let [before, last] = words;
    last.strip_suffix(':').is_some_and(|name| {
        RULES_WITH_VALUES.contains(if name.is_empty() { &before } else { &name })
    })
}

/// Returns the words of a tag's content, without the values of rules. Only the first word of a date
/// is recognized as a value.
pub(super) fn words(content: &str) -> impl Iterator<Item = &str> {
    content.split(is_separator).flat_map(|rule| {
        let mut before = ["", ""];
        rule.split_ascii_whitespace().filter(move |&word| {
            let is_value = ask_for_value(before);
            before = [before[1], word];
            !is_value
        })
    })
}

/// Whether a date in one of the three documented formats (RFC 822, RFC 850, ISO 8601) is in the
/// past. Anything else is ignored, as search engines do. Further rules may follow the date, which
/// contains at most one comma: after the day of the week.
fn has_passed(text: &str, now: Now) -> bool {
    text.match_indices(is_separator)
        .map(|(at, _)| at)
        .take(2)
        .chain([text.len()])
        .filter_map(|end| moment_of(text[..end].trim()))
        .last()
        .is_some_and(|seconds| seconds < now.0)
}

fn moment_of(text: &str) -> Option<i64> {
    // Future dates are valid here, so accept the whole range.
    let far = Now(i64::MAX);
    match LastMod::parse(&text.to_ascii_uppercase(), far) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date.seconds()),
        ParsedDate::Invalid(DateError::Zero) => Some(i64::MIN),
        ParsedDate::Invalid(_) => Some(i64::MAX),
        ParsedDate::Unreadable => day_of(text),
    }
}

/// Returns the day in `25 jun 2010 15:00:00 pst` or `friday, 25-jun-10 15:00:00 utc`. The time and the
/// name of its zone do not matter for the end of a page. Robots tags are younger than this century, and
/// so are years of two digits.
fn day_of(text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split_terminator([' ', '-', ',']).collect();
    let mut days = words.windows(3).filter_map(|day| {
        let day = strtime::parse("%d %b %Y", day.join(" ")).ok()?;
        day.to_date().ok()
    });
    let day = days.next()?;
    let century = if day.year() < 100 { 2000 } else { 0 };
    let date = day.with().year(day.year() + century).build().ok()?;
    let start = date.to_zoned(TimeZone::UTC).ok()?;
    Some(start.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[test]
    fn noindex_and_none_forbid_in_every_spelling() {
        let check = |content: &str, expected: bool| {
            assert_eq!(forbids(content, NOW), expected, "{content}");
        };
        check("noindex", true);
        check("NoFolloW, NoiNDeX", true);
        check("none", true);
        check("\n\tnoindex\n", true);
        check("noindex nofollow", true);
        check("index;noindex", true);
        check("noindex, indexifembedded", true);
        check("noindexifembedded", false);
        check("no-index", false);
        check("noindex/", false);
        check("nosnippet, max-snippet:0", false);
        check("unavailable_after: 2099-01-01T00:00:00Z, noindex", true);
        check(
            "unavailable_after: Wednesday, 25-Jun-30 15:00:00 UTC; none",
            true,
        );
        check("index, max-image-preview: none", false);
        check("max-snippet : none", false);
        check("max-image-preview: none, noindex", true);
        check("max-image-preview: none none", true);
        check("max-snippet:, noindex", true);
        check("max-snippet:,none", true);
        check("max-image-preview:\n, none", true);
        check("max-snippet: noindex", true);
        check("unavailable_after:, noindex", true);
        check("index : none", true);
        check("", false);
    }

    #[test]
    fn unavailable_after_counts_once_its_date_has_passed() {
        let check = |date: &str, expected: bool| {
            assert_eq!(
                forbids(&format!("unavailable_after: {date}"), NOW),
                expected,
                "{date}"
            );
        };
        check("2020-09-21", true);
        check("2020-09-21T10:00:00Z, nofollow", true);
        check("25 Jun 2010 15:00:00 PST", true);
        check("Fri, 25 Jun 2010 15:00:00 GMT", true);
        check("Friday, 25-Jun-10 15:00:00 UTC", true);
        check("Wednesday, 25-Jun-30 15:00:00 UTC", false);
        check("2031-01-01T00:00:00Z", false);
        check("9999-12-31T23:59:59Z", false);
        check("9999-12-31", false);
        check("0001-01-01T00:00:00Z", true);
        check("2020-09-21; max-snippet:0", true);
        check("soon", false);
        check(&"2020-09-21,".repeat(100_000), true);
    }
}

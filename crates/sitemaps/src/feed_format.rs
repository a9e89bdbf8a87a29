//! The formats of feeds that search engines accept as sitemaps: how each is detected, and its dates.
//!
//! RSS 2.0, Atom 0.3 and Atom 1.0 are formats of sitemaps (sitemaps.org protocol, "Other Sitemap
//! formats"); RSS 1.0 and JSON Feed are not. The root element decides, not the file name.

use jiff::fmt::rfc2822::DateTimeParser;
use quick_xml::events::BytesStart;

use crate::listed_date::is_sitemap_date;

pub(super) const ATOM_1_0: &str = "http://www.w3.org/2005/Atom";
pub(super) const ATOM_0_3: &str = "http://purl.org/atom/ns#";

/// Format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedFormat {
    /// RSS 2.0.
    Rss2,
    /// Atom 0.3, which Google no longer reads.
    Atom03,
    /// Atom 1.0 (RFC 4287).
    Atom1,
}

impl FeedFormat {
    /// The element with the date of an entry.
    pub fn date_element(self) -> &'static str {
        match self {
            Self::Rss2 => "pubDate",
            Self::Atom03 => "modified",
            Self::Atom1 => "updated",
        }
    }

    /// The namespace of its elements.
    pub(super) fn namespace(self) -> Option<&'static str> {
        match self {
            Self::Rss2 => None,
            Self::Atom03 => Some(ATOM_0_3),
            Self::Atom1 => Some(ATOM_1_0),
        }
    }

    /// The date with this text, as sitemaps write it; `None` if it is not in the form of the format:
    /// RFC 822 in RSS, RFC 3339 in Atom 1.0, the W3C format in Atom 0.3. A wrong day of the week is
    /// accepted: readers ignore it.
    pub fn date_of(self, text: &str) -> Option<String> {
        let is_right = match self {
            Self::Rss2 => {
                let parser = DateTimeParser::new().relaxed_weekday(true);
                return parser.parse_timestamp(text).ok().map(|at| at.to_string());
            }
            Self::Atom03 => is_sitemap_date(text),
            Self::Atom1 => text.contains('T') && is_sitemap_date(text),
        };
        is_right.then(|| text.to_owned())
    }

    /// The format of the feed with this root element; `None` if it is not one of a feed.
    pub(super) fn from_root(tag: &BytesStart<'_>) -> Option<Self> {
        let has = |is_it: fn(&str, &str) -> bool| {
            tag.attributes()
                .with_checks(false)
                .flatten()
                .any(|one| is_it(one.key.as_ref(), &one.value))
        };
        match tag.local_name().as_ref() {
            "rss" => has(|key, value| key == "version" && value.trim().starts_with("2."))
                .then_some(Self::Rss2),
            "feed" if has(|_, value| value == ATOM_1_0) => Some(Self::Atom1),
            "feed" if has(|_, value| value == ATOM_0_3) => Some(Self::Atom03),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_own_form_of_dates() {
        use FeedFormat::{Atom1, Atom03, Rss2};
        let check = |format: FeedFormat, text: &str, expected: bool| {
            assert_eq!(
                format.date_of(text).is_some(),
                expected,
                "{format:?} {text}"
            );
        };
        // The RSS 2.0 specification's own, and the forms of RFC 822.
        check(Rss2, "Sun, 19 May 2002 15:21:36 GMT", true);
        check(Rss2, "19 May 2002 15:21 +0100", true);
        check(Rss2, "Sun, 19 May 02 15:21:36 EST", true);
        check(Rss2, "Mon, 19 May 2002 15:21:36 GMT", true);
        check(Rss2, "2002-05-19T15:21:36Z", false);
        check(Rss2, "Sun, 19 Mai 2002 15:21:36 GMT", false);
        check(Rss2, "Sun, 19 May 2002 15:21:36", false);
        check(Rss2, "", false);
        // The examples of RFC 4287 section 3.3.
        check(Atom1, "2003-12-13T18:30:02.25Z", true);
        check(Atom1, "2003-12-13T19:30:02+01:00", true);
        check(Atom1, "2003-12-13", false);
        check(Atom1, "2003-12-13t18:30:02z", false);
        check(Atom1, "Sat, 13 Dec 2003 18:30:02 GMT", false);
        check(Atom03, "2003-12-13T18:30:02Z", true);
        check(Atom03, "2003-12-13", true);
    }
}

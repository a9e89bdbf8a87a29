//! The kind of a file, by its root element and not by its name; the formats of feeds, each with its
//! dates.
//!
//! RSS 2.0, Atom 0.3 and Atom 1.0 are formats of sitemaps (sitemaps.org protocol, "Other Sitemap
//! formats"); RSS 1.0 and JSON Feed are not.

use jiff::fmt::rfc2822::DateTimeParser;
use quick_xml::events::BytesStart;
use serde::{Serialize, Serializer};

use crate::listed_date::is_sitemap_date;

/// Kind of a file, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SitemapFileKind {
    /// `<urlset>`: pages.
    Pages,
    /// `<sitemapindex>`: sitemaps.
    Index,
    /// Not XML, so at best one URL per line.
    Text,
    /// RSS or Atom, whose entries [`crate::feed_form`] reads.
    Feed(FeedFormat),
    /// XML of another kind, or XML that breaks off before the root element.
    #[default]
    OtherXml,
}

impl SitemapFileKind {
    /// Sets the kind at the first element at depth 0, which is the root.
    pub(crate) fn record(&mut self, depth: usize, tag: &BytesStart<'_>) {
        if depth == 0 && *self == Self::OtherXml {
            *self = match tag.local_name().as_ref() {
                "urlset" => Self::Pages,
                "sitemapindex" => Self::Index,
                _ => FeedFormat::from_root(tag).map_or(Self::OtherXml, Self::Feed),
            };
        }
    }
}

/// Written in one word.
impl Serialize for SitemapFileKind {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(match self {
            Self::Index => "index",
            Self::Feed(_) => "feed",
            Self::Pages | Self::Text | Self::OtherXml => "pages",
        })
    }
}

/// Namespace of Atom 1.0 (RFC 4287 section 1.2).
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
        let mut found = None;
        for attribute in tag.attributes().with_checks(false).flatten() {
            let key = attribute.key.as_ref();
            match (tag.local_name().as_ref(), &*attribute.value) {
                ("rss", version) if key == "version" && version.trim().starts_with("2.") => {
                    return Some(Self::Rss2);
                }
                ("feed", ATOM_1_0) => return Some(Self::Atom1),
                ("feed", ATOM_0_3) => found = Some(Self::Atom03),
                _ => {}
            }
        }
        found
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

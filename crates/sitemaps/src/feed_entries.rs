//! Reads the entries of a feed that serves as a sitemap: the URL and the date of each.
//!
//! The URL is the entry's link and the date that of its last change: `<link>` and `<pubDate>` in RSS,
//! `<link>` and `<updated>` in Atom (sitemaps.org protocol, "Other Sitemap formats"). Each format is a
//! row of a table.

use std::io::Read;

use crate::site_paths::finding::Place;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use roxmltree::Node;

use crate::feed_form::{ATOM_0_3, ATOM_1_0, FeedError, all_bytes, parse, text_of};
use crate::feed_format::FeedFormat;
use crate::w3c_date::is_w3c_datetime;
use crate::xml::to_offset;

/// Elements of a feed format.
struct FeedRule {
    /// The namespace of its elements; `None` for elements without one.
    namespace: Option<&'static str>,
    entry: &'static str,
    link: LinkForm,
    date: &'static str,
}

/// Where the link of an entry is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkForm {
    /// In the text of `<link>`, or else in that of a `<guid>` that is a permalink, as each is unless
    /// `isPermaLink="false"` (RSS 2.0).
    Text,
    /// In the `href` of the first `<link>` with `rel="alternate"` or without `rel`.
    Alternate,
}

const RSS_2: FeedRule = FeedRule {
    namespace: None,
    entry: "item",
    link: LinkForm::Text,
    date: "pubDate",
};

const ATOM_1: FeedRule = FeedRule {
    namespace: Some(ATOM_1_0),
    entry: "entry",
    link: LinkForm::Alternate,
    date: "updated",
};

const ATOM_03: FeedRule = FeedRule {
    namespace: Some(ATOM_0_3),
    date: "modified",
    ..ATOM_1
};

/// A statement of a feed.
#[derive(Debug, PartialEq, Eq)]
pub enum FeedPart {
    /// Its own URL, from the link `self`.
    OwnUrl(String),
    /// An entry.
    Entry(FeedEntry),
}

/// An entry of a feed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FeedEntry {
    /// Place of its start tag.
    pub place: Place,
    /// Its URL as written, with its place.
    pub link: Option<(String, Place)>,
    /// The date of its last change as written, with its place.
    pub date: Option<(String, Place)>,
}

/// A date in a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedDate {
    /// An instant, in seconds.
    At(i64),
    /// A valid date without a time, which only Atom 0.3 allows.
    Day,
    /// Not in the form that the format requires.
    Invalid,
}

impl FeedFormat {
    fn rule(self) -> &'static FeedRule {
        match self {
            Self::Rss2 => &RSS_2,
            Self::Atom03 => &ATOM_03,
            Self::Atom1 => &ATOM_1,
        }
    }

    /// The element with the date of an entry.
    pub fn date_element(self) -> &'static str {
        self.rule().date
    }

    /// Whether each entry must have a date (RFC 4287 section 4.1.2).
    pub fn requires_dates(self) -> bool {
        self != Self::Rss2
    }

    /// Parses a date: RFC 822 in RSS, RFC 3339 in Atom 1.0, the W3C format in Atom 0.3.
    ///
    /// A wrong day of the week is accepted: readers ignore it.
    pub fn parse_date(self, text: &str) -> FeedDate {
        let text = text.trim();
        let instant = match self {
            Self::Rss2 => {
                let parser = DateTimeParser::new().relaxed_weekday(true);
                parser.parse_timestamp(text).ok()
            }
            Self::Atom1 if !is_rfc3339(text) => None,
            Self::Atom03 if !is_w3c_datetime(text) => None,
            Self::Atom03 if !text.contains('T') => return FeedDate::Day,
            Self::Atom1 | Self::Atom03 => text.parse::<Timestamp>().ok(),
        };
        instant.map_or(FeedDate::Invalid, |at| FeedDate::At(at.as_second()))
    }
}

/// Whether a text has the form of RFC 3339 as RFC 4287 section 3.3 restricts it: `T` and `Z` in upper
/// case, and a zone.
fn is_rfc3339(text: &str) -> bool {
    let is_date_and_time = text.as_bytes().get(10) == Some(&b'T')
        && text.as_bytes().get(16) == Some(&b':')
        && text.is_ascii();
    let has_zone = |zone: &str| {
        let bytes = zone.as_bytes();
        bytes.len() == 6 && matches!(bytes[0], b'+' | b'-') && bytes[3] == b':'
    };
    is_date_and_time && (text.ends_with('Z') || has_zone(&text[text.len().saturating_sub(6)..]))
}

/// Passes the parts of a feed to `see`, in document order.
pub fn read_feed(
    input: impl Read,
    format: FeedFormat,
    see: &mut dyn FnMut(FeedPart),
) -> Result<(), FeedError> {
    let bytes = all_bytes(input)?;
    let document = parse(text_of(&bytes)?)?;
    let rule = format.rule();
    let mut entry_end = 0;
    for node in document.descendants().filter(Node::is_element) {
        let (name, namespace) = (node.tag_name().name(), node.tag_name().namespace());
        if node.range().start < entry_end {
            continue;
        }
        if namespace == rule.namespace && name == rule.entry {
            entry_end = node.range().end;
            see(FeedPart::Entry(entry_of(node, rule)));
        } else if (namespace == rule.namespace || namespace == Some(ATOM_1_0))
            && name == "link"
            && is_relation(node, "self")
            && let Some(url) = node.attribute("href")
        {
            see(FeedPart::OwnUrl(url.trim().to_owned()));
        }
    }
    Ok(())
}

fn entry_of(node: Node<'_, '_>, rule: &FeedRule) -> FeedEntry {
    let fields = || {
        let children = node.children().filter(Node::is_element);
        children.filter(|child| child.tag_name().namespace() == rule.namespace)
    };
    let field = |name: &'static str| fields().find(move |child| child.tag_name().name() == name);
    let filled = |(text, place): (String, Place)| (!text.is_empty()).then_some((text, place));
    let link = match rule.link {
        LinkForm::Text => {
            let is_permalink =
                |guid: &Node<'_, '_>| guid.attribute("isPermaLink").is_none_or(|it| it == "true");
            let permalink = || field("guid").filter(is_permalink).map(text_of_field);
            let link = field("link").map(text_of_field).and_then(filled);
            link.or_else(|| permalink().and_then(filled))
        }
        LinkForm::Alternate => fields().find_map(|child| {
            let is_alternate = child.attribute("rel").is_none() || is_relation(child, "alternate");
            let href = child.attribute("href").filter(|_| is_alternate)?;
            (child.tag_name().name() == "link").then(|| (href.trim().to_owned(), place_of(child)))
        }),
    };
    FeedEntry {
        place: place_of(node),
        link,
        date: field(rule.date).map(text_of_field),
    }
}

/// The text of an element, without that of its children.
fn text_of_field(node: Node<'_, '_>) -> (String, Place) {
    let texts = node.children().filter(Node::is_text);
    let text: String = texts.filter_map(|text| text.text()).collect();
    (text.trim().to_owned(), place_of(node))
}

/// The place of an element.
fn place_of(node: Node<'_, '_>) -> Place {
    Place {
        start: to_offset(node.range().start as u64),
        end: to_offset(node.range().end as u64),
    }
}

fn is_relation(link: Node<'_, '_>, name: &str) -> bool {
    link.attribute("rel")
        .is_some_and(|rel| rel.trim().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The link and the date of each entry, and the feed's own URL.
    fn parts(feed: &str, format: FeedFormat) -> Vec<String> {
        let mut parts = Vec::new();
        let written = |value: &Option<(String, Place)>| {
            value.as_ref().map_or("-", |(text, _)| text).to_owned()
        };
        read_feed(feed.as_bytes(), format, &mut |part| {
            parts.push(match part {
                FeedPart::OwnUrl(url) => url,
                FeedPart::Entry(entry) => {
                    format!("{} {}", written(&entry.link), written(&entry.date))
                }
            });
        })
        .expect("the feed is well-formed");
        parts
    }

    #[test]
    fn rss_has_its_link_as_text_and_its_date_in_pub_date() {
        let feed = "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' xmlns:m='urn:m'>\
            <channel><link>https://example.com/</link><pubDate>x</pubDate>\
            <atom:link rel='self' href='https://example.com/f.xml?a=1&amp;b=2'/>\
            <item><title>A</title><atom:link href='no'/><m:link>no</m:link>\
            <link> <![CDATA[https://example.com/a?]]>b&amp;c </link><link>second</link>\
            <m:group><link>inner</link></m:group><pubDate>D</pubDate></item>\
            <item><link/></item><item/></channel></rss>";
        let expected = [
            "https://example.com/f.xml?a=1&b=2",
            "https://example.com/a?b&c D",
            "- -",
            "- -",
        ];
        assert_eq!(parts(feed, FeedFormat::Rss2), expected);
    }

    #[test]
    fn a_guid_is_the_link_of_an_rss_item_that_has_no_other() {
        let check = |item: &str, expected: &str| {
            let feed = format!("<rss version='2.0'><channel><item>{item}</item></channel></rss>");
            assert_eq!(parts(&feed, FeedFormat::Rss2), [expected], "{item}");
        };
        check(
            "<guid>https://example.com/a</guid>",
            "https://example.com/a -",
        );
        check(
            "<guid isPermaLink='true'>https://example.com/a</guid>",
            "https://example.com/a -",
        );
        check(
            "<guid isPermaLink='false'>https://example.com/a</guid>",
            "- -",
        );
        check("<guid>https://example.com/a</guid><link>b</link>", "b -");
        check("<link>b</link><guid>https://example.com/a</guid>", "b -");
    }

    #[test]
    fn atom_has_its_link_in_the_first_alternate_and_its_date_in_updated() {
        let feed = |namespace: &str, date: &str| {
            format!(
                "<a:feed xmlns:a='{namespace}'><a:link rel='self' href='s'/><a:link href='home'/>\
                 <a:entry><a:link rel='enclosure' href='e'/><a:link REL='x' rel='Alternate' href='1'/>\
                 <a:link href='2'/><a:source><a:{date}>no</a:{date}></a:source>\
                 <a:{date}>D</a:{date}></a:entry></a:feed>"
            )
        };
        assert_eq!(
            parts(&feed(ATOM_1_0, "updated"), FeedFormat::Atom1),
            ["s", "1 D"]
        );
        assert_eq!(
            parts(&feed(ATOM_0_3, "modified"), FeedFormat::Atom03),
            ["s", "1 D"]
        );
    }

    #[test]
    fn each_format_has_its_own_form_of_dates() {
        use FeedFormat::{Atom1, Atom03, Rss2};
        let check = |format: FeedFormat, text: &str, expected: FeedDate| {
            assert_eq!(format.parse_date(text), expected, "{format:?} {text}");
        };
        // The RSS 2.0 specification's own, and the forms of RFC 822.
        check(
            Rss2,
            "Sun, 19 May 2002 15:21:36 GMT",
            FeedDate::At(1_021_821_696),
        );
        check(Rss2, "19 May 2002 15:21 +0100", FeedDate::At(1_021_818_060));
        check(
            Rss2,
            "Sun, 19 May 02 15:21:36 EST",
            FeedDate::At(1_021_839_696),
        );
        check(
            Rss2,
            "Mon, 19 May 2002 15:21:36 GMT",
            FeedDate::At(1_021_821_696),
        );
        check(Rss2, "2002-05-19T15:21:36Z", FeedDate::Invalid);
        check(Rss2, "Sun, 19 Mai 2002 15:21:36 GMT", FeedDate::Invalid);
        check(Rss2, "Sun, 19 May 2002 15:21:36", FeedDate::Invalid);
        check(Rss2, "", FeedDate::Invalid);
        // The examples of RFC 4287 section 3.3.
        for text in [
            "2003-12-13T18:30:02Z",
            "2003-12-13T18:30:02.25Z",
            "2003-12-13T19:30:02+01:00",
            "2003-12-13T19:30:02.25+01:00",
        ] {
            check(Atom1, text, FeedDate::At(1_071_340_202));
        }
        check(Atom1, "2003-12-13", FeedDate::Invalid);
        check(Atom1, "2003-12-13T18:30:02", FeedDate::Invalid);
        check(Atom1, "2003-12-13t18:30:02z", FeedDate::Invalid);
        check(Atom1, "2003-12-13 18:30:02Z", FeedDate::Invalid);
        check(Atom1, "2003-12-13T18:30Z", FeedDate::Invalid);
        check(Atom1, "2003-12-13T24:30:02Z", FeedDate::Invalid);
        check(Atom1, "Sat, 13 Dec 2003 18:30:02 GMT", FeedDate::Invalid);
        check(Atom03, "2003-12-13T18:30:02Z", FeedDate::At(1_071_340_202));
        check(Atom03, "2003-12-13", FeedDate::Day);
    }
}

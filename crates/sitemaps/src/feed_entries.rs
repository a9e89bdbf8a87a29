//! Reads the entries of a feed that serves as a sitemap: the URL and the date of each.
//!
//! The URL is the entry's link and the date that of its last change: `<link>` and `<pubDate>` in RSS,
//! `<link>` and `<updated>` in Atom (sitemaps.org protocol, "Other Sitemap formats"). Each format is a
//! row of a table. At most one entry is in memory.

use std::io::BufRead;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use quick_xml::NsReader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use site_paths::finding::Place;

use crate::feed_form::{ATOM_0_3, ATOM_1_0, FeedError, MOST_BYTES, MOST_NESTED};
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
    input: impl BufRead,
    format: FeedFormat,
    see: &mut dyn FnMut(FeedPart),
) -> Result<(), FeedError> {
    let mut reader = NsReader::from_reader(input.take(MOST_BYTES));
    let (mut walk, mut buffer) = (FeedWalk::new(format.rule()), Vec::new());
    loop {
        buffer.clear();
        let start = reader.buffer_position();
        let (namespace, event) = reader
            .read_resolved_event_into(&mut buffer)
            .map_err(|error| FeedError::Malformed(error.to_string()))?;
        let of_feed = walk.is_of_feed(&namespace);
        let is_atom = namespace == ResolveResult::Bound(Namespace(ATOM_1_0));
        let place = |end: u64| Place {
            start: to_offset(start),
            end: to_offset(end),
        };
        match event {
            Event::Start(_) if walk.depth == MOST_NESTED => {
                return Err(FeedError::OverLimit("more deeply nested"));
            }
            Event::Start(tag) => {
                let opened = walk.open(&tag, (of_feed, is_atom), place(reader.buffer_position()));
                opened.into_iter().for_each(&mut *see);
            }
            Event::Empty(tag) => {
                let opened = walk.open(&tag, (of_feed, is_atom), place(reader.buffer_position()));
                opened.into_iter().chain(walk.close()).for_each(&mut *see);
            }
            Event::End(_) => walk.close().into_iter().for_each(&mut *see),
            Event::Text(text) => walk.push(&text),
            Event::CData(text) => walk.push(&text),
            Event::GeneralRef(reference) => walk.push_reference(&reference),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The state of the reader.
struct FeedWalk {
    rule: &'static FeedRule,
    depth: usize,
    entry: Option<(usize, FeedEntry)>,
    /// The permalink of the entry, if it has one.
    permalink: Option<(String, Place)>,
    /// The field whose text is read: its depth and place.
    field: Option<(usize, FieldName, Place)>,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldName {
    Link,
    Guid,
    Date,
}

impl FeedWalk {
    fn new(rule: &'static FeedRule) -> Self {
        Self {
            rule,
            depth: 0,
            entry: None,
            permalink: None,
            field: None,
            text: String::new(),
        }
    }

    fn is_of_feed(&self, namespace: &ResolveResult<'_>) -> bool {
        match (namespace, self.rule.namespace) {
            (ResolveResult::Bound(Namespace(bound)), Some(own)) => *bound == own,
            (ResolveResult::Unbound, None) => true,
            _ => false,
        }
    }

    /// Enters an element, which may be of the feed's own namespace or of Atom's.
    fn open(
        &mut self,
        tag: &BytesStart<'_>,
        (of_feed, is_atom): (bool, bool),
        place: Place,
    ) -> Option<FeedPart> {
        self.depth += 1;
        let local = tag.local_name();
        let name = local.as_ref();
        let Some((entry_depth, entry)) = &mut self.entry else {
            if of_feed && name == self.rule.entry {
                let entry = FeedEntry {
                    place,
                    ..FeedEntry::default()
                };
                self.entry = Some((self.depth, entry));
            } else if (of_feed || is_atom) && name == "link" && is_relation(tag, "self") {
                return attribute(tag, "href").map(FeedPart::OwnUrl);
            }
            return None;
        };
        if !of_feed || self.depth != *entry_depth + 1 {
            return None;
        }
        let is_first_link = name == "link" && entry.link.is_none();
        if is_first_link && self.rule.link == LinkForm::Alternate {
            let is_alternate = attribute(tag, "rel").is_none() || is_relation(tag, "alternate");
            let href = attribute(tag, "href").filter(|_| is_alternate);
            entry.link = href.map(|href| (href, place));
        } else if is_first_link {
            self.begin(FieldName::Link, place);
        } else if name == "guid" && self.rule.link == LinkForm::Text {
            if attribute(tag, "isPermaLink").is_none_or(|value| value == "true") {
                self.begin(FieldName::Guid, place);
            }
        } else if name == self.rule.date && entry.date.is_none() {
            self.begin(FieldName::Date, place);
        }
        None
    }

    fn begin(&mut self, field: FieldName, place: Place) {
        self.field = Some((self.depth, field, place));
        self.text.clear();
    }

    /// Leaves an element; returns the entry that ends with it.
    fn close(&mut self) -> Option<FeedPart> {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        if let Some((_, name, place)) = self.field.take_if(|(at, ..)| *at == depth)
            && let Some((_, entry)) = &mut self.entry
        {
            let value = Some((self.text.trim().to_owned(), place));
            let filled =
                |value: Option<(String, Place)>| value.filter(|(text, _)| !text.is_empty());
            match name {
                FieldName::Link => entry.link = filled(value),
                FieldName::Guid => self.permalink = filled(value),
                FieldName::Date => entry.date = value,
            }
        }
        let (_, mut entry) = self.entry.take_if(|(at, _)| *at == depth)?;
        let permalink = self.permalink.take();
        entry.link = entry.link.or(permalink);
        Some(FeedPart::Entry(entry))
    }

    fn push(&mut self, text: &str) {
        if self.field.is_some() {
            self.text.push_str(text);
        }
    }

    fn push_reference(&mut self, reference: &BytesRef<'_>) {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            self.push(character.encode_utf8(&mut [0; 4]));
        } else if let Some(text) = resolve_predefined_entity(reference) {
            self.push(text);
        }
    }
}

/// The value of an attribute, with its references resolved.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes().flatten();
    let found = attributes.find(|attribute| attribute.key.as_ref() == name)?;
    let value = quick_xml::escape::unescape(&found.value).ok()?;
    Some(value.trim().to_owned())
}

fn is_relation(tag: &BytesStart<'_>, name: &str) -> bool {
    attribute(tag, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case(name))
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

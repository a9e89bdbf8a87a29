//! The entries of feeds that search engines accept as sitemaps: the URL and date of each.
//!
//! The URL is the entry's link and the date that of its last change: `<link>` and `<pubDate>` in RSS,
//! `<link>` and `<updated>` in Atom. No file is opened here.

use std::io::Read;

use roxmltree::{Document, Node};

use crate::file_kind::{ATOM_1_0, FeedFormat, SitemapFileKind};
use crate::gzip::read_whole;
use crate::place::Place;
use crate::reader::read_any;
use crate::site_paths::{MAX_SITEMAP_BYTES, quoted};
use crate::xml::{EntryExtent, ListedEntry, SitemapReadError, crowded_tag, parse_document};

/// The size of a feed: as a sitemap it may have 50 MiB (sitemaps.org protocol).
const MAX_BYTES: u64 = MAX_SITEMAP_BYTES as u64;

/// The own URL and the entries of a feed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FeedContents {
    /// The link `self`.
    pub own_url: Option<String>,
    /// The entries, in document order: the link and the date of the last change, as written; empty
    /// if there is none.
    pub entries: Vec<ListedEntry>,
}

/// Detects the format of a feed; `None` if the file is not a feed. Only feeds give errors: other
/// files may be broken in any way.
pub fn detect_format(input: impl Read) -> Result<Option<FeedFormat>, SitemapReadError> {
    let bytes = read_whole(input, MAX_BYTES)?;
    let (head, _) = read_any(&bytes[..], EntryExtent::Index, &mut |_, _| {});
    let SitemapFileKind::Feed(format) = head.kind else {
        return Ok(None);
    };
    parse(&bytes)?;
    Ok(Some(format))
}

/// Reads a feed of this format.
pub fn read_feed(input: impl Read, format: FeedFormat) -> Result<FeedContents, SitemapReadError> {
    let bytes = read_whole(input, MAX_BYTES)?;
    let document = parse(&bytes)?;
    let entry_name = if format == FeedFormat::Rss2 {
        "item"
    } else {
        "entry"
    };
    let mut found = FeedContents::default();
    for node in document.descendants().filter(Node::is_element) {
        let (name, namespace) = (node.tag_name().name(), node.tag_name().namespace());
        if namespace == format.namespace() && name == entry_name {
            found.entries.push(entry_of(node, format));
        } else if [format.namespace(), Some(ATOM_1_0)].contains(&namespace)
            && name == "link"
            && is_relation(node, "self")
            && !node.ancestors().any(|above| above.has_tag_name(entry_name))
        {
            found.own_url = node.attribute("href").map(|url| url.trim().to_owned());
        }
    }
    Ok(found)
}

fn entry_of(node: Node<'_, '_>, format: FeedFormat) -> ListedEntry {
    let fields = |name: &'static str| {
        node.children().filter(move |child| {
            child.is_element()
                && child.tag_name().namespace() == format.namespace()
                && child.tag_name().name() == name
        })
    };
    let text = |name: &'static str| fields(name).next().map(text_of);
    let link = if format == FeedFormat::Rss2 {
        // A `<guid>` is a permalink unless it says otherwise (RSS 2.0).
        text("link").filter(|link| !link.is_empty()).or_else(|| {
            let guid = fields("guid").next()?;
            let is_permalink = guid.attribute("isPermaLink").is_none_or(|it| it == "true");
            is_permalink.then(|| text_of(guid))
        })
    } else {
        fields("link")
            .filter(|link| link.attribute("rel").is_none() || is_relation(*link, "alternate"))
            .find_map(|link| Some(link.attribute("href")?.trim().to_owned()))
    };
    ListedEntry {
        loc: link.unwrap_or_default(),
        lastmod: text(format.date_element()).unwrap_or_default(),
        place: Place::of(node.range()),
        ..ListedEntry::default()
    }
}

/// The text of an element, without that of its children.
fn text_of(node: Node<'_, '_>) -> String {
    let text: String = node
        .children()
        .filter(Node::is_text)
        .filter_map(|text| text.text())
        .collect();
    text.trim().to_owned()
}

fn is_relation(link: Node<'_, '_>, name: &str) -> bool {
    link.attribute("rel")
        .is_some_and(|rel| rel.trim().eq_ignore_ascii_case(name))
}

fn parse(bytes: &[u8]) -> Result<Document<'_>, SitemapReadError> {
    let malformed = |error: String| SitemapReadError::Xml(quoted(&error));
    let text = std::str::from_utf8(bytes).map_err(|error| malformed(error.to_string()))?;
    if crowded_tag(text).is_some() {
        return Err(SitemapReadError::TooManyAttributes);
    }
    parse_document(text).map_err(|error| malformed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_kind::ATOM_0_3;
    use proptest::prelude::*;

    #[test]
    fn the_root_element_decides_whether_a_file_is_a_feed() {
        let check = |text: &str, expected: Option<FeedFormat>| {
            assert_eq!(
                detect_format(text.as_bytes()).expect("the feed is well-formed"),
                expected,
                "{text}"
            );
        };
        check(
            "<?xml version=\"1.0\"?>\n<!-- x --><rss version=\"2.0\"><channel/></rss>",
            Some(FeedFormat::Rss2),
        );
        check(
            "\u{feff}<rss version='2.0.1'></rss>\n",
            Some(FeedFormat::Rss2),
        );
        check("<rss version='2.0'/>", Some(FeedFormat::Rss2));
        check("<rss version=\"0.91\"></rss>", None);
        check("<rss></rss>", None);
        check(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>&amp;&#233;</title></feed>",
            Some(FeedFormat::Atom1),
        );
        check(
            "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\"></a:feed>",
            Some(FeedFormat::Atom1),
        );
        check(
            "<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"></feed>",
            Some(FeedFormat::Atom03),
        );
        check("<feed></feed>", None);
        check(
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"></rdf:RDF>",
            None,
        );
        check(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>",
            None,
        );
        check("{\"version\": \"https://jsonfeed.org/version/1.1\"}", None);
        check("<html><rss version='2.0'>", None);
        check("", None);
    }

    #[test]
    fn a_broken_feed_is_an_error_with_the_reason() {
        let check = |inner: &str, expected: &str| {
            let error = detect_format(format!("<rss version='2.0'>{inner}").as_bytes())
                .expect_err("the feed is broken");
            assert!(error.to_string().contains(expected), "{inner}: {error}");
        };
        for inner in [
            "<channel><title>",
            "<channel></chan",
            "<channel></title></rss>",
            "</rss><rss></rss>",
            "&nbsp;</rss>",
            "&#0;</rss>",
        ] {
            check(inner, "not well-formed");
        }
        check(&"<x>".repeat(1_000_000), "not well-formed");
        let declared =
            "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file:///x\">]><rss version=\"2.0\">&e;</rss>";
        assert!(detect_format(declared.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            text in "[<>/&;!?a-z\\[\\]=' ]{0,60}",
        ) {
            let _: Result<_, SitemapReadError> = detect_format(&bytes[..]);
            let _: Result<_, SitemapReadError> = detect_format(format!("<rss version='2.0'>{text}").as_bytes());
        }
    }

    /// The feed's own URL, and the link and the date of each entry.
    fn parts(feed: &str, format: FeedFormat) -> Vec<String> {
        let found = read_feed(feed.as_bytes(), format).expect("the feed is well-formed");
        let written = |value: String| {
            if value.is_empty() {
                "-".to_owned()
            } else {
                value
            }
        };
        let entries = found.entries.into_iter();
        let entries = entries.map(|entry| [entry.loc, entry.lastmod].map(written).join(" "));
        found.own_url.into_iter().chain(entries).collect()
    }

    #[test]
    fn rss_has_its_link_as_text_or_permalink_and_its_date_in_pub_date() {
        let feed = "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' xmlns:m='urn:m'>\
            <channel><link>https://example.com/</link><pubDate>x</pubDate>\
            <atom:link rel='self' href='https://example.com/f.xml?a=1&amp;b=2'/>\
            <item><title>A</title><atom:link href='no'/><m:link>no</m:link>\
            <link> <![CDATA[https://example.com/a?]]>b&amp;c </link><link>second</link>\
            <m:group><link>inner</link></m:group><pubDate>D</pubDate></item>\
            <item><link/></item><item/><item><guid>p</guid></item>\
            <item><guid isPermaLink='true'>q</guid></item>\
            <item><guid isPermaLink='false'>q</guid></item>\
            <item><guid>p</guid><link>b</link></item></channel></rss>";
        let expected = [
            "https://example.com/f.xml?a=1&b=2",
            "https://example.com/a?b&c D",
            "- -",
            "- -",
            "p -",
            "q -",
            "- -",
            "b -",
        ];
        assert_eq!(parts(feed, FeedFormat::Rss2), expected);
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
        for (format, namespace, date) in [
            (FeedFormat::Atom1, ATOM_1_0, "updated"),
            (FeedFormat::Atom03, ATOM_0_3, "modified"),
        ] {
            assert_eq!(parts(&feed(namespace, date), format), ["s", "1 D"]);
        }
    }
}

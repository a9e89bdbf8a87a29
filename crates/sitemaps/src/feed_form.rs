//! Detects whether a file is a feed that search engines accept as a sitemap, and in which format.
//!
//! RSS 2.0, Atom 0.3 and Atom 1.0 are formats of sitemaps (sitemaps.org protocol, "Other Sitemap
//! formats"); RSS 1.0 and JSON Feed are not. The root element decides, not the file name. No file
//! is opened here.

use std::io::{self, BufRead, Read};

use crate::site_paths::finding::quoted;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use roxmltree::{Document, ParsingOptions};
use thiserror::Error;

pub use crate::feed_format::FeedFormat;

use crate::set::SitemapFileKind;

/// Size limit of a feed, in bytes: as a sitemap it may have 50 MiB (sitemaps.org protocol).
const MOST_BYTES: u64 = 52_428_800;

/// The root element must begin within this many bytes.
const ROOT_WITHIN: u64 = 64 << 10;

pub(super) const ATOM_1_0: &str = "http://www.w3.org/2005/Atom";
pub(super) const ATOM_0_3: &str = "http://purl.org/atom/ns#";

/// Reason why a feed cannot serve as a sitemap.
#[derive(Debug, Error)]
pub enum FeedError {
    /// The feed could not be read.
    #[error("it cannot be read: {0}")]
    Input(#[from] io::Error),
    /// The XML is malformed, so that a strict reader stops.
    #[error("it is not well-formed: {0}")]
    Malformed(String),
    /// The feed is longer than a sitemap may be.
    #[error("it is longer than feed readers accept")]
    TooLong,
}

/// Detects the format of a feed; `None` if the file is not a feed. Only feeds give errors: other
/// files may be broken in any way.
pub fn detect_format(input: impl Read) -> Result<Option<FeedFormat>, FeedError> {
    let bytes = all_bytes(input)?;
    let Some(format) = root(&mut Reader::from_reader(&bytes[..])) else {
        return Ok(None);
    };
    parse(text_of(&bytes)?)?;
    Ok(Some(format))
}

/// The whole feed.
pub(super) fn all_bytes(input: impl Read) -> Result<Vec<u8>, FeedError> {
    let mut bytes = Vec::new();
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if read as u64 > MOST_BYTES {
        return Err(FeedError::TooLong);
    }
    Ok(bytes)
}

/// The text of a feed with its byte order mark, which the parser skips.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, FeedError> {
    let malformed = |error: std::str::Utf8Error| FeedError::Malformed(error.to_string());
    std::str::from_utf8(bytes).map_err(malformed)
}

pub(super) fn parse(text: &str) -> Result<Document<'_>, FeedError> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let parsed = Document::parse_with_options(text, options);
    parsed.map_err(|error| FeedError::Malformed(quoted(&error.to_string())))
}

/// Returns the format by the root element.
fn root(reader: &mut Reader<impl BufRead>) -> Option<FeedFormat> {
    let mut buffer = Vec::new();
    while reader.buffer_position() < ROOT_WITHIN {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) | Event::Empty(tag) => return format_of_root(&tag),
            Event::Eof => return None,
            Event::Text(text) if !text.trim_start_matches('\u{feff}').trim().is_empty() => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// The kind of the file with this root element.
pub(super) fn kind_of_root(tag: &BytesStart<'_>) -> SitemapFileKind {
    match tag.local_name().as_ref() {
        "urlset" => SitemapFileKind::Pages,
        "sitemapindex" => SitemapFileKind::Index,
        _ => format_of_root(tag).map_or(SitemapFileKind::OtherXml, SitemapFileKind::Feed),
    }
}

fn format_of_root(tag: &BytesStart<'_>) -> Option<FeedFormat> {
    let value = |name: &str| {
        let mut attributes = tag.attributes().flatten();
        attributes
            .find(|attribute| attribute.key.as_ref() == name)
            .map(|attribute| attribute.value)
    };
    let qualified = tag.name();
    let (prefix, name) = qualified
        .as_ref()
        .split_once(':')
        .unwrap_or(("", qualified.as_ref()));
    match name {
        "rss" if prefix.is_empty() => value("version")?
            .trim()
            .starts_with("2.")
            .then_some(FeedFormat::Rss2),
        "feed" => {
            let namespace = if prefix.is_empty() {
                value("xmlns")
            } else {
                value(&format!("xmlns:{prefix}"))
            };
            match namespace?.as_ref() {
                ATOM_1_0 => Some(FeedFormat::Atom1),
                ATOM_0_3 => Some(FeedFormat::Atom03),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        check(
            &format!("<!--{}--><rss version='2.0'></rss>", "x".repeat(70_000)),
            None,
        );
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
            let _: Result<_, FeedError> = detect_format(&bytes[..]);
            let _: Result<_, FeedError> = detect_format(format!("<rss version='2.0'>{text}").as_bytes());
        }
    }
}

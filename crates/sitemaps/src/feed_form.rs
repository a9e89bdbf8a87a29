//! Detects whether a file is a feed that search engines accept as a sitemap, and in which format.
//!
//! RSS 2.0, Atom 0.3 and Atom 1.0 are formats of sitemaps (sitemaps.org protocol, "Other Sitemap
//! formats"); RSS 1.0 and JSON Feed are not. The root element decides, not the file name. No file
//! is opened here, and no entity is resolved: most readers reject a feed that needs one.

use std::io::{self, BufRead};

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use site_paths::finding::quoted;
use thiserror::Error;

pub use crate::feed_format::FeedFormat;

use crate::set::SitemapFileKind;

/// Size limit of a feed, in bytes: as a sitemap it may have 50 MiB (sitemaps.org protocol).
pub(super) const MOST_BYTES: u64 = 52_428_800;

/// Maximum nesting of elements: feeds have five or six levels, a few more with markup in them.
pub(super) const MOST_NESTED: usize = 256;

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
    /// The feed ends inside an element.
    #[error("it is not well-formed: it ends inside an element")]
    CutShort,
    /// The feed uses an entity that it declares itself, in its own text or in another file.
    #[error("it uses the entity `{0}`, which feed readers do not resolve")]
    Entity(String),
    /// The feed is nested too deeply, or longer than a sitemap may be.
    #[error("it is {0} than feed readers accept")]
    OverLimit(&'static str),
}

/// Detects the format of a feed; `None` if the file is not a feed. Only feeds give errors: other
/// files may be broken in any way.
pub fn detect_format(input: impl BufRead) -> Result<Option<FeedFormat>, FeedError> {
    let mut reader = Reader::from_reader(input.take(MOST_BYTES + 1));
    let Some((form, is_empty)) = root(&mut reader) else {
        return Ok(None);
    };
    if !is_empty {
        read_to_the_end(&mut reader)?;
    }
    Ok(Some(form))
}

/// Returns the format by the root element, and whether that is an empty tag.
fn root(reader: &mut Reader<impl BufRead>) -> Option<(FeedFormat, bool)> {
    let mut buffer = Vec::new();
    while reader.buffer_position() < ROOT_WITHIN {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => return Some((format_of_root(&tag)?, false)),
            Event::Empty(tag) => return Some((format_of_root(&tag)?, true)),
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

/// Reads from inside the root element to the end of the file.
fn read_to_the_end(reader: &mut Reader<impl BufRead>) -> Result<(), FeedError> {
    let mut buffer = Vec::new();
    let mut open = 1_usize;
    loop {
        buffer.clear();
        let event = reader
            .read_event_into(&mut buffer)
            .map_err(|error| FeedError::Malformed(error.to_string()))?;
        match event {
            Event::Start(_) if open == MOST_NESTED => {
                return Err(FeedError::OverLimit("more deeply nested"));
            }
            Event::Start(_) if open == 0 => {
                return Err(FeedError::Malformed(
                    "it has a second root element".to_owned(),
                ));
            }
            Event::Start(_) => open += 1,
            Event::End(_) => open = open.saturating_sub(1),
            Event::GeneralRef(reference) => check_reference(&reference)?,
            Event::Eof => break,
            _ => {}
        }
    }
    match open {
        _ if reader.buffer_position() > MOST_BYTES => Err(FeedError::OverLimit("longer")),
        0 => Ok(()),
        _ => Err(FeedError::CutShort),
    }
}

fn check_reference(reference: &BytesRef<'_>) -> Result<(), FeedError> {
    match reference.resolve_char_ref() {
        Ok(Some(_)) => Ok(()),
        Ok(None) if resolve_predefined_entity(reference).is_some() => Ok(()),
        Ok(None) => Err(FeedError::Entity(quoted(reference))),
        Err(error) => Err(FeedError::Malformed(error.to_string())),
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
        check("<channel><title>", "it ends inside an element");
        check("<channel></chan", "not well-formed");
        check("<channel></title></rss>", "not well-formed");
        check("</rss><rss></rss>", "a second root");
        check("&nbsp;</rss>", "the entity `nbsp`");
        check("&#0;</rss>", "not well-formed");
        check(&"<x>".repeat(1_000_000), "more deeply nested");
        let declared =
            "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file:///x\">]><rss version=\"2.0\">&e;</rss>";
        assert!(
            matches!(detect_format(declared.as_bytes()), Err(FeedError::Entity(name)) if name == "e")
        );
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

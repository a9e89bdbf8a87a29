//! File names of a set: all names that waypost may write, and so the only ones that it may remove.

use super::gzip::{self, name_without_gz};
use super::split::HashBits;
use crate::settings::{GzipMode, SitemapFormat, SitemapSettings};
use crate::site_paths::SitePath;

/// File name extension of the XML files in the set.
pub(super) const ENDING: &str = ".xml";

/// Between the stem and the number of an index after the first. No group has this name.
pub const FURTHER_INDEX: &str = "-index-";

/// Whether a file of the output directory has a name that the set with this root can use.
pub fn is_set_file_name(file: &SitePath, root: &str) -> bool {
    let is_at_top = file.dir().is_empty();
    is_at_top
        && std::str::from_utf8(file.as_bytes())
            .is_ok_and(|name| SetFileNames { root }.classify(name).is_some())
}

/// File names of the set with this root.
#[derive(Debug, Clone, Copy)]
pub struct SetFileNames<'a> {
    /// Name of the root: `sitemap.xml`.
    pub root: &'a str,
}

/// Role of a file by its name. Files that name others come first. The name alone does not prove
/// that waypost wrote the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetFileName {
    /// The root, plain or compressed.
    Root,
    /// A child, plain or compressed.
    Child,
    /// A text sitemap that is not split.
    Text,
    /// A part of a text sitemap.
    TextPart(HashBits),
    /// A feed of the newest pages.
    Feed,
}

impl<'a> SetFileNames<'a> {
    /// The prefix of all file names in the set.
    pub fn stem(self) -> &'a str {
        self.root.strip_suffix(ENDING).unwrap_or(self.root)
    }

    /// The role of a file with this name; `None` if the set cannot use the name.
    pub fn classify(self, name: &str) -> Option<SetFileName> {
        let plain = name_without_gz(name);
        if plain == self.root {
            return Some(SetFileName::Root);
        }
        let rest = plain.strip_prefix(self.stem())?;
        if let Some(suffix) = rest.strip_suffix(ENDING) {
            let is_named = suffix.len() > 1 && suffix.starts_with('-');
            return is_named.then_some(SetFileName::Child);
        }
        for (word, format) in SitemapFormat::WORDS {
            if format.is_feed() && rest.strip_prefix('.') == Some(word) {
                return Some(SetFileName::Feed);
            }
        }
        match rest.strip_suffix(".txt")? {
            "" => Some(SetFileName::Text),
            suffix => suffix
                .strip_prefix('-')
                .and_then(HashBits::parse)
                .map(SetFileName::TextPart),
        }
    }

    /// Whether this is the name of the text sitemap or of one of its parts.
    pub fn is_text(self, name: &str) -> bool {
        let kind = self.classify(name);
        matches!(kind, Some(SetFileName::Text | SetFileName::TextPart(_)))
    }
}

impl SitemapSettings {
    /// The file name to announce to users and search engines: the first format in the order XML,
    /// text, RSS, Atom, before any split into several files.
    pub fn main_file(&self) -> String {
        let stem = SetFileNames { root: &self.file }.stem();
        let format = self.formats.iter().min().unwrap_or(&SitemapFormat::Xml);
        let packed = if self.gzip == GzipMode::Only {
            gzip::ENDING
        } else {
            ""
        };
        format!("{stem}.{}{packed}", format.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_gives_the_role_of_the_file() {
        let check = |name: &str, expected: Option<SetFileName>| {
            assert_eq!(
                SetFileNames {
                    root: "sitemap.xml"
                }
                .classify(name),
                expected,
                "{name}"
            );
        };
        check("sitemap.xml", Some(SetFileName::Root));
        check("sitemap.xml.gz", Some(SetFileName::Root));
        check("sitemap-01.xml", Some(SetFileName::Child));
        check("sitemap-blog.xml.gz", Some(SetFileName::Child));
        check("sitemap.txt", Some(SetFileName::Text));
        check(
            "sitemap-01.txt",
            HashBits::parse("01").map(SetFileName::TextPart),
        );
        check("sitemap-notes.txt", None);
        check("sitemap.rss", Some(SetFileName::Feed));
        check("sitemap.atom.gz", Some(SetFileName::Feed));
        check("sitemap-a.rss", None);
        check("sitemap1.xml", None);
        check("sitemap-.xml", None);
        check("map.xml", None);
        check("sitemap-01.html", None);
    }
}

//! Settings of a set of sitemaps: formats, limits and names.

use serde::{Deserialize, Serialize};

/// `sitemap.formats`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SitemapFormat {
    /// `sitemap.xml`.
    Xml,
    /// `sitemap.txt`: one URL per line.
    Txt,
    /// An RSS 2.0 feed of the newest pages.
    Rss,
    /// An Atom 1.0 feed of the newest pages.
    Atom,
}

impl SitemapFormat {
    /// The values as written in settings, in the order of the variants, which index them.
    pub const WORDS: [(&str, Self); 4] = [
        ("xml", Self::Xml),
        ("txt", Self::Txt),
        ("rss", Self::Rss),
        ("atom", Self::Atom),
    ];

    /// Whether it lists only the newest pages, with their titles.
    pub fn is_feed(self) -> bool {
        matches!(self, Self::Rss | Self::Atom)
    }

    /// The word in settings, which is also the ending of the files.
    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// `sitemap.gzip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GzipMode {
    /// No compressed files.
    #[default]
    Off,
    /// `sitemap.xml.gz` in addition to `sitemap.xml`.
    Also,
    /// `sitemap.xml.gz` only.
    Only,
}

/// `[sitemap]`.
#[derive(Debug, Clone)]
pub struct SitemapSettings {
    /// File name of the sitemap or sitemap index in the output directory. Ends in `.xml`.
    pub file: String,
    /// Output formats, without duplicates.
    pub formats: Vec<SitemapFormat>,
    /// Whether compressed files are written.
    pub gzip: GzipMode,
    /// Maximum number of URLs per file: 1 to 50,000 (sitemaps.org protocol).
    pub max_urls: usize,
    /// Maximum uncompressed size of a file in bytes: up to 52,428,800 (sitemaps.org protocol).
    pub max_bytes: usize,
    /// Whether language alternates are written.
    pub hreflang: bool,
    /// The pages that are excluded because a sitemap that was replaced omits them, as hashes: while
    /// no such sitemap is there, they stay excluded.
    pub omitted: Vec<u64>,
    /// Whether the XML files carry a stylesheet for browsers.
    pub stylesheet: bool,
}

impl Default for SitemapSettings {
    fn default() -> Self {
        Self {
            file: "sitemap.xml".to_owned(),
            formats: vec![SitemapFormat::Xml],
            gzip: GzipMode::default(),
            max_urls: 50_000,
            max_bytes: 10_485_760,
            hreflang: true,
            omitted: Vec::new(),
            stylesheet: false,
        }
    }
}

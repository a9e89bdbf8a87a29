//! The content of a sitemap, which is read more than once: a file is opened again, and fetched
//! content is kept in memory.

use std::io::{self, Read};
use std::path::PathBuf;

use super::MergePurpose;
use super::argument::SitemapSource;
use super::error::MergeError;
use site_paths::containment;

/// The content of a sitemap, compressed or not.
pub(super) enum SitemapText {
    File(PathBuf),
    Fetched(Vec<u8>),
}

impl SitemapText {
    /// Checks that a file can be opened, or fetches a URL.
    pub(super) fn of(
        source: &SitemapSource,
        purpose: &MergePurpose<'_>,
    ) -> Result<Self, MergeError> {
        match source {
            SitemapSource::File(path) => match containment::open(path) {
                Ok(_) => Ok(Self::File(path.clone())),
                Err(source) => Err(MergeError::Read {
                    path: path.clone(),
                    source,
                }),
            },
            SitemapSource::Url(address) => fetched(address, purpose),
        }
    }

    /// Opens the content from its beginning.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(path) => Box::new(containment::open(path)?),
            Self::Fetched(bytes) => Box::new(bytes.as_slice()),
        })
    }
}

fn fetched(url: &str, purpose: &MergePurpose<'_>) -> Result<SitemapText, MergeError> {
    let network = purpose
        .network
        .expect("a URL is only named if there is a network");
    let mut bytes = Vec::new();
    let read = network.fetch(url)?.read_to_end(&mut bytes);
    read.map(|_| SitemapText::Fetched(bytes))
        .map_err(|source| MergeError::Body {
            url: url.to_owned(),
            source,
        })
}

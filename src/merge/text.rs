//! The text of a sitemap, which is read more than once: a file is opened anew, what was fetched is kept meanwhile.

use std::io::{self, Read};
use std::path::PathBuf;

use super::MergePurpose;
use super::argument::SitemapSource;
use super::error::MergeError;
use crate::bounds;

/// The text of a sitemap, packed or not.
pub(super) enum SitemapText {
    File(PathBuf),
    Fetched(Vec<u8>),
}

impl SitemapText {
    /// Makes sure that a file can be opened, and fetches an address.
    pub(super) fn of(
        source: &SitemapSource,
        purpose: &MergePurpose<'_>,
    ) -> Result<Self, MergeError> {
        match source {
            SitemapSource::File(path) => match bounds::open(path) {
                Ok(_) => Ok(Self::File(path.clone())),
                Err(source) => Err(MergeError::Read {
                    path: path.clone(),
                    source,
                }),
            },
            SitemapSource::Address(address) => fetched(address, purpose),
        }
    }

    /// The text from its beginning.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(path) => Box::new(bounds::open(path)?),
            Self::Fetched(bytes) => Box::new(bytes.as_slice()),
        })
    }
}

fn fetched(url: &str, purpose: &MergePurpose<'_>) -> Result<SitemapText, MergeError> {
    let network = purpose
        .network
        .expect("whoever names an address gives a way to it");
    let mut bytes = Vec::new();
    let read = network.fetch(url)?.read_to_end(&mut bytes);
    read.map(|_| SitemapText::Fetched(bytes))
        .map_err(|source| MergeError::Body {
            url: url.to_owned(),
            source,
        })
}

//! Why sitemaps cannot be gathered.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::submit::FetchError;

/// Why sitemaps cannot be gathered.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file, or the output folder, cannot be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file or the folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A sitemap cannot be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The body of an answer ended before its time.
    #[error("`{url}` cannot be read to its end: {source}")]
    Body {
        /// The address.
        url: String,
        /// What the network says.
        source: io::Error,
    },
    /// What stands behind `FILE=` is no address.
    #[error("`{0}` names no address behind the `=`")]
    NotAnAddress(String),
    /// A file is served nowhere, as far as can be known.
    #[error("`{path}` lies outside of `{folder}`, so it has no address below the base URL")]
    NoAddress {
        /// The file.
        path: PathBuf,
        /// The output folder.
        folder: PathBuf,
    },
    /// A sitemap that is to be read is one that is to be written.
    #[error("`{0}` is to be read and to be written")]
    OwnFile(String),
    /// Nothing is left to gather.
    #[error("no sitemap is named but the index itself")]
    Nothing,
}

impl MergeError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } | Self::Body { .. } => None,
            Self::Fetch(error) => error.hint().map(str::to_owned),
            Self::NotAnAddress(_) => {
                Some("write `FILE=https://example.com/sitemap.xml`".to_owned())
            }
            Self::NoAddress { path, .. } => Some(format!(
                "say where it is served: `{}=https://example.com/sitemap.xml`; or write its entries into sitemaps of one \
                 set by `--merge`",
                path.display()
            )),
            Self::OwnFile(_) => Some("choose another file by `--to`, or leave it out".to_owned()),
            Self::Nothing => Some("name the sitemaps that the index is to list".to_owned()),
        }
    }
}

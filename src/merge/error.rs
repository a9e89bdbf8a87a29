//! Errors of combining sitemaps.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::submit::FetchError;

/// Reason that sitemaps cannot be combined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file or the output directory cannot be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
    /// A sitemap cannot be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A response body ended early.
    #[error("`{url}` cannot be read completely: {source}")]
    Body {
        /// The URL.
        url: String,
        /// The network error.
        source: io::Error,
    },
    /// The text after `FILE=` is not a URL.
    #[error("`{0}` does not have a URL after the `=`")]
    NotAnAddress(String),
    /// The URL of a file is unknown.
    #[error("`{path}` is outside `{folder}`, so it has no URL below the base URL")]
    NoAddress {
        /// The file.
        path: PathBuf,
        /// The output directory.
        folder: PathBuf,
    },
    /// A sitemap is both input and output.
    #[error("`{0}` is both input and output")]
    OwnFile(String),
    /// No sitemap is left to combine.
    #[error("the only sitemap named is the index itself")]
    Nothing,
}

impl MergeError {
    /// A suggested fix.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } | Self::Body { .. } => None,
            Self::Fetch(error) => error.hint().map(str::to_owned),
            Self::NotAnAddress(_) => Some("use `FILE=https://example.com/sitemap.xml`".to_owned()),
            Self::NoAddress { path, .. } => Some(format!(
                "add its URL: `{}=https://example.com/sitemap.xml`; or merge its entries into \
                 one set with `--merge`",
                path.display()
            )),
            Self::OwnFile(_) => {
                Some("choose another file with `--to`, or remove it from the arguments".to_owned())
            }
            Self::Nothing => Some("name the sitemaps to list in the index".to_owned()),
        }
    }
}

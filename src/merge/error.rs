//! Errors of combining sitemaps.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::submit::FetchError;
use site_paths::Hint;

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

impl Hint for MergeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Read { .. } | Self::Body { .. } => return None,
            Self::Fetch(error) => return error.hint(),
            Self::NotAnAddress(_) => "use `FILE=https://example.com/sitemap.xml`",
            Self::NoAddress { path, .. } => {
                let path = path.display();
                let hint = format!(
                    "add its URL: `{path}=https://example.com/sitemap.xml`; or merge its entries \
                     into one set with `--merge`"
                );
                return Some(hint.into());
            }
            Self::OwnFile(_) => "choose another file with `--to`, or remove it from the arguments",
            Self::Nothing => "name the sitemaps to list in the index",
        };
        Some(hint.into())
    }
}

//! Errors of an index over sitemaps.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use sitemaps::site_paths::Hint;

/// Reason that an index cannot be written.
#[derive(Debug, Error)]
pub enum IndexError {
    /// A file or the output directory cannot be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
    /// An argument is a URL.
    #[error("`{0}` is not a file, and nothing is requested for an index")]
    IsUrl(String),
    /// The text after `FILE=` is not a URL.
    #[error("`{0}` does not have a URL after the `=`")]
    NotAnAddress(String),
    /// The URL of a file is unknown.
    #[error("`{path}` is outside `{dir}`, so it has no URL below the base URL")]
    NoAddress {
        /// The file.
        path: PathBuf,
        /// The output directory.
        dir: PathBuf,
    },
    /// A sitemap is both input and output.
    #[error("`{0}` is both input and output")]
    OwnFile(String),
    /// Two sitemaps are served at one URL.
    #[error("`{first}` and `{second}` are both served at `{url}`")]
    SameUrl {
        /// The URL.
        url: String,
        /// The first sitemap.
        first: String,
        /// The other one.
        second: String,
    },
    /// Two sitemaps list one page.
    #[error("`{url}` is listed in `{first}` and in `{second}`")]
    ListedTwice {
        /// The page.
        url: String,
        /// The first sitemap.
        first: String,
        /// The other one.
        second: String,
    },
    /// More sitemaps than an index may list (sitemaps.org protocol).
    #[error("{0} sitemaps are too many: an index lists up to 50,000")]
    TooMany(usize),
    /// No sitemap is left to list.
    #[error("the only sitemap named is the index itself")]
    Nothing,
}

impl Hint for IndexError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Read { .. } => return None,
            Self::IsUrl(url) => {
                let hint = format!("download it: `curl -O {url}`, and name it as `FILE={url}`");
                return Some(hint.into());
            }
            Self::NotAnAddress(_) => "use `FILE=https://example.com/sitemap.xml`",
            Self::NoAddress { path, .. } => {
                let path = path.display();
                let hint = format!(
                    "add its URL: `{path}=https://example.com/sitemap.xml`; or copy it there"
                );
                return Some(hint.into());
            }
            Self::OwnFile(_) => "choose another file with `--to`, or remove it from the arguments",
            Self::SameUrl { .. } => {
                "give the sitemaps of each part another name: set `sitemap.file` where it is built"
            }
            Self::ListedTwice { .. } => {
                "list it in one part: set `exclude` where the other is built; or name one of the two"
            }
            Self::TooMany(_) => "write two indexes, each with a part of the sitemaps",
            Self::Nothing => "name the sitemaps to list in the index",
        };
        Some(hint.into())
    }
}

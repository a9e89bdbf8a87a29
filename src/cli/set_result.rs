//! The result of `check` for a file or a URL.

use serde::Serialize;

use crate::check::{CheckedFile, LiveReport};
use site_paths::finding::Finding;
use sitemaps::set::SitemapFileKind;

/// A file of a set.
#[derive(Debug, Serialize)]
pub(super) struct SetFileLine {
    /// Its path or URL.
    pub(super) path: String,
    pub(super) kind: SitemapFileKind,
    pub(super) entries: usize,
}

impl SetFileLine {
    pub(super) fn of<T>(file: &CheckedFile<T>) -> Self {
        Self {
            path: file.name.clone(),
            kind: file.kind,
            entries: file.entries,
        }
    }
}

/// A set that was checked without a site, so its findings have their default levels.
pub(super) struct SetResult<'a> {
    /// The file or the URL that the user names.
    pub(super) name: &'a str,
    /// The host to which the named one redirects: scheme, host and port.
    pub(super) origin: Option<&'a String>,
    pub(super) files: Vec<SetFileLine>,
    /// URLs of sitemaps that were not read.
    pub(super) absent: &'a [String],
    /// Their number, and why they were not read.
    pub(super) unchecked: String,
    pub(super) live: Option<&'a LiveReport>,
    pub(super) findings: &'a [Finding],
}

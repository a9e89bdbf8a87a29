//! Finds the place of a child from its URL in an index. An index is not trusted: no place escapes
//! the directory, or the host, of the set.

use std::fs;
use std::path::Path;

use url::Url;

use super::SetPlace;
use crate::site_paths::io_failure::IoFailure;
use crate::site_paths::{BaseUrl, PageUrl, SitePath, decode};

/// Where the children of an index are looked for.
#[derive(Debug, Clone, Copy)]
pub enum ChildRule<'a> {
    /// Below the base URL, or next to the root by the file name if the index names another host.
    BelowBase(&'a BaseUrl),
    /// The same, and the file must exist in this directory.
    Existing(&'a BaseUrl, &'a Path),
    /// In this directory, at the path of the URL or with its file name, whichever host it names. The
    /// file must exist.
    InDirectory(&'a Path),
    /// On the host and port of the index.
    OnHostOfIndex,
}

/// Reason that a child of an index is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildProblem {
    /// The URL does not give a place: it is not a URL, or its path could escape.
    NoPlace,
    /// The file does not exist.
    Missing,
    /// It is on another host.
    OtherHost,
}

/// The place of the child with this URL in the index at a place.
pub(super) fn place_of_child(
    rule: ChildRule<'_>,
    index: &SetPlace,
    loc: &str,
) -> Result<SetPlace, ChildProblem> {
    let below = |base| local_file_of(loc, base).ok_or(ChildProblem::NoPlace);
    match rule {
        ChildRule::BelowBase(base) => below(base).map(SetPlace::Below),
        ChildRule::Existing(base, dir) => {
            let file = below(base)?;
            if may_be_file(&file.below_dir(dir)) {
                Ok(SetPlace::Below(file))
            } else {
                Err(ChildProblem::Missing)
            }
        }
        ChildRule::InDirectory(dir) => in_directory(loc, dir).map(SetPlace::Below),
        ChildRule::OnHostOfIndex => on_host_of_index(index, loc),
    }
}

/// Behind a proxy that terminates TLS, an index may name http URLs although it is served over
/// https, so the scheme may differ.
fn on_host_of_index(index: &SetPlace, loc: &str) -> Result<SetPlace, ChildProblem> {
    let SetPlace::Url(index) = index else {
        return Err(ChildProblem::NoPlace);
    };
    let index = Url::parse(index).map_err(|_| ChildProblem::NoPlace)?;
    let child = index.join(loc).map_err(|_| ChildProblem::NoPlace)?;
    let is_on_host = matches!(child.scheme(), "http" | "https")
        && index.host() == child.host()
        && index.port() == child.port();
    if is_on_host {
        Ok(SetPlace::Url(child.to_string()))
    } else {
        Err(ChildProblem::OtherHost)
    }
}

/// The child's file in a directory: at the path of its URL, or with its file name.
fn in_directory(loc: &str, dir: &Path) -> Result<SitePath, ChildProblem> {
    let url = Url::parse(loc)
        .ok()
        .and_then(|url| PageUrl::from_url(&url).ok())
        .ok_or(ChildProblem::NoPlace)?;
    let path = url.path_and_query();
    let paths = [path.strip_prefix('/'), path.rsplit('/').next()];
    let mut files = paths
        .into_iter()
        .flatten()
        .filter_map(plain_path)
        .peekable();
    files.peek().ok_or(ChildProblem::NoPlace)?;
    files
        .find(|file| may_be_file(&file.below_dir(dir)))
        .ok_or(ChildProblem::Missing)
}

/// Whether a path is a regular file, as far as is known. If the machine fails, the caller fails where
/// it opens the file.
fn may_be_file(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => IoFailure::of(&error) == IoFailure::Machine,
    }
}

/// Path of the file for a child's URL: below the base URL, or next to the index if an index of
/// another tool names another host. `None` for a path that could escape the directory on some
/// platform (`..`, `\\`, `C:`).
pub fn local_file_of(loc: &str, base: &BaseUrl) -> Option<SitePath> {
    let path = loc
        .strip_prefix(base.as_str())
        .or_else(|| loc.rsplit('/').next())?;
    plain_path(path)
}

/// Decodes a relative path of a URL, unless it could escape its directory on some platform.
fn plain_path(path: &str) -> Option<SitePath> {
    let path = decode(path.split(['?', '#']).next()?);
    let is_plain = |part: &[u8]| {
        !matches!(part, b"" | b"." | b"..")
            && !part.iter().any(|&byte| matches!(byte, b'\\' | 0 | b':'))
    };
    path.split(|&byte| byte == b'/')
        .all(is_plain)
        .then(|| SitePath::new(path.as_ref()))
}

//! Finds the place of a child from its URL in an index. An index is not trusted: no place escapes
//! the directory, or the host, of the set.

use std::fs;
use std::path::Path;

use url::Url;

use super::SetPlace;
use crate::files::io_failure::IoFailure;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, decode};

/// Where the children of an index are looked for.
#[derive(Debug, Clone, Copy)]
pub enum ChildRule<'a> {
    /// Below the base URL, or next to the root by the file name if the index names another host and the
    /// file is not the index. The file must exist in this directory.
    Existing(&'a BaseUrl, &'a Path),
    /// In this directory, at the path of the URL or with its file name, whichever host it names. The
    /// file must exist, and is not the index.
    InDirectory(&'a Path),
    /// In this directory, at the longest end of the path of the URL that is a file, whichever base URL
    /// it has; otherwise the child has no file.
    Nearest(&'a Path),
    /// On the host and port of the index.
    OnHostOfIndex,
}

/// The place of the child with this URL in the index at a place; `None` if it is not read: the URL
/// gives no place, its path could escape, the file does not exist, or it is on another host.
pub(super) fn place_of_child(rule: ChildRule<'_>, index: &SetPlace, loc: &str) -> Option<SetPlace> {
    match rule {
        ChildRule::Existing(base, dir) => {
            let place = SetPlace::Below(file_of_sitemap(loc, base)?);
            let is_own = loc.starts_with(base.as_str()) || place != *index;
            (is_own && may_be_file(&place.below()?.below_dir(dir))).then_some(place)
        }
        // The sitemaps of most hosts have the name of this index.
        ChildRule::InDirectory(dir) => in_directory(loc, dir)
            .map(SetPlace::Below)
            .filter(|place| place != index),
        ChildRule::Nearest(dir) => nearest_file(loc, dir).map(SetPlace::Below),
        ChildRule::OnHostOfIndex => on_host_of_index(index, loc),
    }
}

/// Behind a proxy that terminates TLS, an index may name http URLs although it is served over
/// https, so the scheme may differ.
fn on_host_of_index(index: &SetPlace, loc: &str) -> Option<SetPlace> {
    let SetPlace::Url(index) = index else {
        return None;
    };
    let index = Url::parse(index).ok()?;
    let child = index.join(loc).ok()?;
    let is_on_host = matches!(child.scheme(), "http" | "https")
        && index.host() == child.host()
        && index.port() == child.port();
    is_on_host.then(|| SetPlace::Url(child.to_string()))
}

/// The child's file in a directory: at the path of its URL, or with its file name.
fn in_directory(loc: &str, dir: &Path) -> Option<SitePath> {
    let url = PageUrl::parse(loc)?;
    let path = url.path_and_query();
    let paths = [path.strip_prefix('/'), path.rsplit('/').next()];
    paths
        .into_iter()
        .flatten()
        .filter_map(plain_path)
        .find(|file| may_be_file(&file.below_dir(dir)))
}

/// The file of a directory at the longest end of the path of a URL, or else its name there.
pub fn nearest_file(loc: &str, dir: &Path) -> Option<SitePath> {
    let (_, path) = loc.split_once("://").unwrap_or(("", loc));
    let mut last = None;
    let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    let whole = (!path.contains('/')).then_some(path);
    for end in ends.chain(whole) {
        let Some(file) = plain_path(end) else {
            continue;
        };
        if may_be_file(&file.below_dir(dir)) {
            return Some(file);
        }
        last = Some(file);
    }
    last
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
pub fn file_of_sitemap(loc: &str, base: &BaseUrl) -> Option<SitePath> {
    let path = loc
        .strip_prefix(base.as_str())
        .or_else(|| loc.rsplit('/').next())?;
    plain_path(path)
}

/// Path of the file for the URL of a sitemap, as above; `None` if the URL is not below the base URL.
pub fn file_below_base(url: &PageUrl, base: &BaseUrl) -> Option<SitePath> {
    plain_path(base.path_below(url)?)
}

/// Decodes a relative path of a URL, unless it could escape its directory on some platform.
fn plain_path(path: &str) -> Option<SitePath> {
    let path = decode(path.split(['?', '#']).next()?);
    path.split(|&byte| byte == b'/')
        .all(|part| {
            !matches!(part, b"" | b"." | b"..")
                && !part.iter().any(|&byte| matches!(byte, b'\\' | 0 | b':'))
        })
        .then(|| SitePath::new(path.as_ref()))
}

//! A directory tree that the caller has walked, so that its directories need not be looked up again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A directory tree whose directories are known: none is a symlink, and none has an entry named
/// `.git`, except some.
///
/// Directories below a hidden one are unknown. The tree's own directory may be a symlink or be
/// reached through one, and may have an entry named `.git`.
#[derive(Debug, Clone, Default)]
pub struct WalkedTree {
    /// Its own directory.
    pub(super) top: PathBuf,
    unknown: BTreeSet<PathBuf>,
}

impl WalkedTree {
    /// The tree at an absolute path. `unknown` are the directories, relative to it, that are
    /// symlinks, that have an entry named `.git`, or that were not listed completely.
    pub fn new(top: &Path, unknown: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            // Paths below it are compared as bytes, without the slash at the end that `./` leaves.
            top: top.components().collect(),
            unknown: unknown.into_iter().collect(),
        }
    }

    /// Returns what follows the tree's own directory in the bytes of a path: nothing, or a slash and more.
    pub(super) fn below<'p>(&self, path: &'p Path) -> Option<&'p [u8]> {
        // Each page has a directory, and `Path::strip_prefix` takes 2,000 instructions.
        let top = self.top.as_os_str().as_encoded_bytes();
        let below = path.as_os_str().as_encoded_bytes().strip_prefix(top)?;
        (below.is_empty() || below.starts_with(b"/")).then_some(below)
    }

    /// Returns the tree's own directory if a directory below it is known.
    pub(super) fn top_above(&self, dir: &Path) -> Option<&Path> {
        // Elsewhere, the file system may spell the name in another way.
        if !cfg!(target_os = "linux") {
            return None;
        }
        // This includes `..`.
        if self.below(dir)?.windows(2).any(|bytes| bytes == b"/.") {
            return None;
        }
        let is_known = self.unknown.is_empty() || !self.is_below_unknown(dir);
        is_known.then_some(&self.top)
    }

    fn is_below_unknown(&self, dir: &Path) -> bool {
        let mut dirs = dir
            .strip_prefix(&self.top)
            .into_iter()
            .flat_map(Path::ancestors);
        dirs.any(|dir| self.unknown.contains(dir))
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_the_walk_are_known() {
        let unknown = ["link", "a/b"].map(PathBuf::from);
        let tree = WalkedTree::new(Path::new("/site/public/"), unknown);
        let check = |dir: &str, expected: bool| {
            assert_eq!(tree.top_above(Path::new(dir)).is_some(), expected, "{dir}");
        };
        check("/site/public", true);
        check("/site/public/a", true);
        check("/site/public/a/bc/d", true);
        check("/site/public/links", true);
        check("/site/public/link", false);
        check("/site/public/link/below", false);
        check("/site/public/a/b", false);
        check("/site/public/a/b/c", false);
        check("/site/public/.well-known", false);
        check("/site/public/x/.git/y", false);
        check("/site/public/../content", false);
        check("/site/public2", false);
        check("/site", false);
    }
}

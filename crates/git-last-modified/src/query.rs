//! The options of a history query, and the directory tree that the caller has walked, so that its
//! directories need not be looked up again.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// What to date, by an absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, by its last change.
    File(PathBuf),
    /// A directory, by the commit that last added, removed or renamed a member, in it or below.
    Members(PathBuf),
}

/// Whether a file of this name is a member of the directories that contain it. Hidden directories and
/// `node_modules` have no members.
pub type IsMember<'a> = dyn Fn(&[u8]) -> bool + 'a;

/// Options for a history query.
#[derive(Clone, Copy)]
pub struct HistoryQuery<'a> {
    /// Which files are members of directories.
    pub is_member: &'a IsMember<'a>,
    /// A directory tree that contains some of the sources, if the caller has walked it.
    pub walked: Option<&'a WalkedTree>,
    /// Which of a commit's two dates to return.
    pub time: CommitTime,
    /// Commits to ignore.
    pub ignored: IgnoredRevisions<'a>,
}

impl Default for HistoryQuery<'_> {
    fn default() -> Self {
        Self {
            is_member: &|_| false,
            walked: None,
            time: CommitTime::default(),
            ignored: IgnoredRevisions::default(),
        }
    }
}

/// Which of a commit's two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum CommitTime {
    /// When the commit was made: what `%cI` of `git log` shows.
    #[default]
    Committer,
    /// When its author wrote it: `%aI`.
    Author,
    /// When the change landed on the branch: the committer date of the newest commit on the
    /// first-parent line of `HEAD` that changed the file, as in `git log --first-parent`.
    Landed,
}

/// Commits to ignore, such as those that only reformat: an earlier commit dates the file instead.
///
/// A file that such a commit added still gets that commit's date. With [`CommitTime::Landed`], a merge
/// is ignored for a file if only such commits changed it among those that the merge brought.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoredRevisions<'a> {
    /// A file in the format of Git's `blame.ignoreRevsFile`.
    pub file: Option<&'a Path>,
    /// Full commit hashes.
    pub revisions: &'a [String],
    /// Kinds of changes to ignore in any commit. Only these need the contents of files, and only
    /// those of the commits that would date one.
    pub changes: &'a [MinorChange],
}

/// A commit to ignore, as written by the user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedRevision {
    /// The hash or hash prefix.
    pub text: String,
    /// File and line number; `None` for an entry of the setting.
    pub place: Option<(PathBuf, usize)>,
}

impl fmt::Display for ListedRevision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.text)?;
        match &self.place {
            Some((file, line)) => write!(formatter, " on line {line} of `{}`", file.display()),
            None => write!(formatter, " in the setting `lastmod.ignore.revs`"),
        }
    }
}

/// A kind of change that may not matter to readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MinorChange {
    /// The words and their order stay the same.
    Whitespace,
    /// What follows the front matter stays the same: a block between lines of `---` or `+++` at the
    /// start of the file.
    FrontMatter,
}

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

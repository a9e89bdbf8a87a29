//! The options of a history query.

use super::walked_tree::WalkedTree;
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

//! The options of a history query.

use super::source_list::SourceList;
use super::walked_tree::WalkedTree;
use std::path::Path;

/// Options for a history query.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistoryQuery<'a> {
    /// The source files.
    pub sources: &'a dyn SourceList,
    /// A directory tree that contains some of the sources, if the caller has walked it.
    pub walked: Option<&'a WalkedTree>,
    /// Which of a commit's two dates to return.
    pub time: CommitTime,
    /// Commits to ignore.
    pub ignored: IgnoredRevisions<'a>,
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
///
/// In patterns, `*` and `?` are the only wildcards, and case is ignored. A pattern must match the
/// whole text.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoredRevisions<'a> {
    /// A file in the format of Git's `blame.ignoreRevsFile`.
    pub file: Option<&'a Path>,
    /// Full commit hashes.
    pub revisions: &'a [String],
    /// Patterns over the author: `Name <mail>`.
    pub authors: &'a [String],
    /// Patterns over the subject.
    pub messages: &'a [String],
    /// Kinds of changes to ignore in any commit. Only these need the contents of files, and only
    /// those of the commits that would date one.
    pub changes: &'a [MinorChange],
}

/// A kind of change that may not matter to readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MinorChange {
    /// The words and their order stay the same.
    Whitespace,
    /// What follows the front matter stays the same: a block between lines of `---` or `+++`, or a
    /// JSON object, at the start of the file.
    FrontMatter,
}

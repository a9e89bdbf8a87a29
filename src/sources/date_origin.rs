//! Where the date of a page comes from, or why it has none.
//!
//! The history of a page's sources gives such a value, the choice between dates keeps or replaces
//! it, and the output prints it: no other type describes the same fact.

use std::sync::Arc;

use git_last_modified::{FileHistory, LastChange};
use site_paths::SitePath;

/// Origin of a page's date, or the reason for its absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateOrigin {
    /// A rule's `lastmod`.
    Rule,
    /// The commit that last changed its sources.
    Commit(Arc<LastChange>),
    /// The commit that last changed another of its files than its source.
    CommitOfFile(Box<DatingCommit>),
    /// The front matter of its source.
    FrontMatter,
    /// The page itself.
    Page,
    /// The modification time of its source file.
    Mtime,
    /// The most recently changed page below this list page.
    PageBelow(Box<SitePath>),
    /// No date: the page is excluded.
    Excluded,
    /// No date: it is a pagination page.
    Pager,
    /// No date: it is a list page, and the settings give list pages no date.
    List,
    /// No date: no source is known, and the page itself is not in the repository.
    NoSource,
    /// No date: a content adapter makes the page and others.
    Adapted,
    /// No date: it is a list page without a source, and all pages that it lists are excluded.
    ListedExcluded,
    /// No date: it is a list page without a source, and no page that it lists has a date.
    ListedUndated,
    /// No date: it is a page of a taxonomy without a source, and no page is known that it lists.
    ListedUnknown,
    /// No date: without a generator the page is its own source, and it is not committed.
    PageNotCommitted,
    /// No date: a source is not in a repository.
    NoRepository,
    /// No date: the source at this index is not committed.
    NotCommitted(usize),
    /// No date: the source at this index has uncommitted changes.
    Edited(usize),
    /// No date: a file that the source includes is not committed.
    IncludeNotCommitted(Box<SitePath>),
    /// No date: a file that the source includes has uncommitted changes.
    IncludeEdited(Box<SitePath>),
    /// No date: the page is committed output, and its commits are deploys.
    DeployedOutput,
    /// No date: the available history does not reach back to the last change.
    OutOfReach,
    /// No date: the history cannot be read; a finding has the reason.
    Unreadable,
    /// No date: every date found is invalid.
    InvalidDate,
    /// No date: the settings do not use the history, and the configured sources have no date.
    NotConfigured,
}

/// A commit that dates a page by another file than its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatingCommit {
    /// The commit.
    pub change: Arc<LastChange>,
    /// The file that it changed.
    pub file: DatingFile,
}

/// A file of a page besides its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatingFile {
    /// The one at this index among the page's own source and the files that a rule adds.
    Also(usize),
    /// One that the source includes, relative to the site root.
    Included(SitePath),
}

/// The included file that determines the date of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct DatingInclude<'h> {
    pub(super) file: &'h SitePath,
    pub(super) history: &'h FileHistory,
}

impl DateOrigin {
    /// Combines the history of a page's sources: the newest commit, or the first reason for which a
    /// source has no date. If one source has no date, neither has the page, because that source may
    /// be the one that changed last. Each source comes with its index among those of the page.
    pub(crate) fn of_sources<'h>(sources: impl Iterator<Item = (usize, &'h FileHistory)>) -> Self {
        let mut newest: Option<(&Arc<LastChange>, usize)> = None;
        for (index, source) in sources {
            match source {
                FileHistory::Changed(change) => {
                    if newest.is_none_or(|(before, _)| before.seconds < change.seconds) {
                        newest = Some((change, index));
                    }
                }
                FileHistory::Edited(_) => return Self::Edited(index),
                FileHistory::Untracked => return Self::NotCommitted(index),
                FileHistory::BeyondBoundary => return Self::OutOfReach,
                FileHistory::Incomplete => return Self::Unreadable,
                FileHistory::NoRepository => return Self::NoRepository,
            }
        }
        match newest {
            None => Self::NoSource,
            Some((change, 0)) => Self::Commit(Arc::clone(change)),
            Some((change, index)) => Self::commit_of(change, DatingFile::Also(index)),
        }
    }

    /// Combines the history of a page's sources with that of the newest file that they include, or
    /// of the first one that has no date.
    pub(super) fn with_include(self, include: DatingInclude<'_>) -> Self {
        let file = include.file;
        match (&self, include.history) {
            (_, FileHistory::Changed(change)) => match self.commit() {
                Some(own) if own.seconds < change.seconds => {
                    Self::commit_of(change, DatingFile::Included(file.clone()))
                }
                _ => self,
            },
            _ if self.commit().is_none() => self,
            (_, FileHistory::Edited(_)) => Self::IncludeEdited(Box::new(file.clone())),
            (_, FileHistory::Untracked) => Self::IncludeNotCommitted(Box::new(file.clone())),
            (_, FileHistory::BeyondBoundary) => Self::OutOfReach,
            (_, FileHistory::Incomplete) => Self::Unreadable,
            (_, FileHistory::NoRepository) => Self::NoRepository,
        }
    }

    fn commit_of(change: &Arc<LastChange>, file: DatingFile) -> Self {
        Self::CommitOfFile(Box::new(DatingCommit {
            change: Arc::clone(change),
            file,
        }))
    }

    /// Returns the commit that dates the page.
    pub fn commit(&self) -> Option<&Arc<LastChange>> {
        match self {
            Self::Commit(change) => Some(change),
            Self::CommitOfFile(dating) => Some(&dating.change),
            _ => None,
        }
    }

    /// Whether the page has a date.
    pub fn is_dated(&self) -> bool {
        match self {
            Self::Rule
            | Self::Commit(_)
            | Self::CommitOfFile(_)
            | Self::FrontMatter
            | Self::Page
            | Self::Mtime
            | Self::PageBelow(_) => true,
            Self::Excluded
            | Self::Pager
            | Self::List
            | Self::NoSource
            | Self::Adapted
            | Self::ListedExcluded
            | Self::ListedUndated
            | Self::ListedUnknown
            | Self::PageNotCommitted
            | Self::NoRepository
            | Self::NotCommitted(_)
            | Self::Edited(_)
            | Self::IncludeNotCommitted(_)
            | Self::IncludeEdited(_)
            | Self::DeployedOutput
            | Self::OutOfReach
            | Self::Unreadable
            | Self::InvalidDate
            | Self::NotConfigured => false,
        }
    }

    /// The name of an origin in output, or the reason for the absence of a date in words.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Commit(_) | Self::CommitOfFile(_) => "git",
            Self::FrontMatter => "front_matter",
            Self::Page => "page",
            Self::Mtime => "mtime",
            Self::PageBelow(_) => "pages_below",
            Self::Excluded => "the page is excluded",
            Self::Pager => "pagination page",
            Self::List => "`lastmod.lists` gives list pages no date",
            Self::NoSource => "no source found",
            Self::Adapted => "a content adapter makes it, so it has no source of its own",
            Self::ListedExcluded => "list page whose pages are all excluded",
            Self::ListedUndated => "list page whose pages have no date",
            Self::ListedUnknown => "list page without known pages",
            Self::PageNotCommitted => "no generator found, and the page is not committed",
            Self::NoRepository => "not in a Git repository",
            Self::NotCommitted(_) => "the source is not committed",
            Self::Edited(_) => "the source has uncommitted changes",
            Self::IncludeNotCommitted(_) => "an included file is not committed",
            Self::IncludeEdited(_) => "an included file has uncommitted changes",
            Self::DeployedOutput => "the commits are deploys of the whole output",
            Self::OutOfReach => "the last change is older than the available history",
            Self::Unreadable => "the history cannot be read",
            Self::InvalidDate => "every date found is invalid",
            Self::NotConfigured => "no source in `lastmod.from` has a date",
        }
    }

    /// Returns the name of the origin; `None` if the page has no date.
    pub fn name(&self) -> Option<&'static str> {
        self.is_dated().then(|| self.as_str())
    }

    /// Returns the reason for the absence of a date; `None` if the page has one.
    pub fn absence(&self) -> Option<&'static str> {
        (!self.is_dated()).then(|| self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_last_modified::ObjectId;

    fn changed(seconds: i64) -> FileHistory {
        FileHistory::Changed(Arc::new(LastChange {
            commit: ObjectId::from_hex(&[b'1'; 40]).expect("the length of SHA-1"),
            seconds,
            offset_minutes: 0,
            other_seconds: seconds,
            other_offset_minutes: 0,
        }))
    }

    #[track_caller]
    fn check(sources: &[FileHistory], expected: Result<i64, &str>) {
        let origin = DateOrigin::of_sources(sources.iter().enumerate());
        match expected {
            Ok(seconds) => assert_eq!(origin.commit().map(|change| change.seconds), Some(seconds)),
            Err(why) => assert_eq!(origin.absence(), Some(why)),
        }
        assert_eq!(origin.name().is_some(), expected.is_ok());
    }

    #[test]
    fn the_newest_change_dates_a_page_unless_a_source_has_no_date() {
        use FileHistory::{BeyondBoundary, NoRepository, Untracked};
        check(&[], Err("no source found"));
        check(&[changed(1), changed(3), changed(2)], Ok(3));
        check(&[changed(1), Untracked], Err("the source is not committed"));
        check(
            &[changed(1), BeyondBoundary, Untracked],
            Err("the last change is older than the available history"),
        );
        check(&[NoRepository], Err("not in a Git repository"));
    }
}

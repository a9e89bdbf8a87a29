//! Origin of a page's date, or the reason for its absence.

use std::sync::Arc;

use git_last_modified::LastChange;
use site_paths::SitePath;

/// Origin of a page's date.
#[derive(Debug, Clone)]
pub enum Dated {
    /// The commit that last changed its sources.
    ByCommit(Arc<LastChange>),
    /// The most recently changed page below this list page.
    ByPage(Box<SitePath>),
    /// Any other origin.
    By(DatedBy),
    /// The page has no date.
    Not(Undated),
}

/// Source of a page's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DatedBy {
    /// A rule's `lastmod`.
    Rule,
    /// The Git history of the sources.
    Git,
    /// The source's front matter.
    FrontMatter,
    /// The page itself.
    Page,
    /// The source file's modification time.
    Mtime,
    /// The newest date of the pages below a list.
    PagesBelow,
}

impl DatedBy {
    /// Name used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Git => "git",
            Self::FrontMatter => "front_matter",
            Self::Page => "page",
            Self::Mtime => "mtime",
            Self::PagesBelow => "pages_below",
        }
    }
}

/// Reason for which a page has no date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undated {
    /// The page is excluded.
    Excluded,
    /// It is a pagination page.
    Pager,
    /// It is a list page, and the settings give list pages no date.
    List,
    /// No source is known, and the page itself is not in the repository.
    NoSource,
    /// The source is not in a repository.
    NoRepository,
    /// The source is not committed.
    NotCommitted,
    /// The source has uncommitted changes.
    Edited,
    /// The available history does not reach back to the last change.
    OutOfReach,
    /// The history cannot be read; a finding has the reason.
    Unreadable,
    /// Every date found is invalid.
    InvalidDate,
    /// The settings do not use the history, and the configured sources have no date.
    NotConfigured,
}

impl Dated {
    /// Returns the kind of origin.
    pub fn by(&self) -> Option<DatedBy> {
        match self {
            Self::ByCommit(_) => Some(DatedBy::Git),
            Self::ByPage(_) => Some(DatedBy::PagesBelow),
            Self::By(by) => Some(*by),
            Self::Not(_) => None,
        }
    }

    /// Returns the commit that dated the page.
    pub fn commit(&self) -> Option<&LastChange> {
        match self {
            Self::ByCommit(change) => Some(change),
            _ => None,
        }
    }

    /// Returns the reason for the missing date.
    pub fn undated(&self) -> Option<Undated> {
        match self {
            Self::Not(why) => Some(*why),
            _ => None,
        }
    }
}

impl Undated {
    /// The reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Excluded => "the page is excluded",
            Self::Pager => "pagination page",
            Self::List => "`lastmod.lists` gives list pages no date",
            Self::NoSource => "no source found",
            Self::NoRepository => "not in a Git repository",
            Self::NotCommitted => "the source is not committed",
            Self::Edited => "the source has uncommitted changes",
            Self::OutOfReach => "the last change is older than the available history",
            Self::Unreadable => "the history cannot be read",
            Self::InvalidDate => "every date found is invalid",
            Self::NotConfigured => "no source in `lastmod.from` has a date",
        }
    }
}

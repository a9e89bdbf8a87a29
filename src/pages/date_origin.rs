//! Where the date of a page comes from, or why it has none.
//!
//! The history of a page's source gives such a value, the choice between dates keeps or replaces
//! it, and the output prints it: no other type describes the same fact.

use std::sync::Arc;

use git_last_modified::{FileHistory, LastChange};
use sitemaps::site_paths::SitePath;

/// Origin of a page's date, or the reason for its absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateOrigin {
    /// A rule's `lastmod`.
    Rule,
    /// The commit that last changed its source.
    Commit(Arc<LastChange>),
    /// The commit that last changed a file that its source includes.
    CommitOfInclude(Box<OtherCommit>),
    /// The commit that last added, removed or renamed a content file of this list page.
    Members(Box<OtherCommit>),
    /// The front matter of its source.
    FrontMatter,
    /// The page itself.
    Page,
    /// The modification time of its source file.
    Mtime,
    /// The memory of contents: this content was first published by then.
    Memory,
    /// The most recently changed page below this list page.
    PageBelow(Box<SitePath>),
    /// No date: the page is excluded.
    Excluded,
    /// No date: it is a pagination page.
    Pager,
    /// No date: it is a list page, and the settings give list pages no date.
    List,
    /// No date: it is a list page, and a page that it shows is not committed.
    MemberNotCommitted,
    /// No date: it is a list page, and nothing is known of when a part of it changed, which is elsewhere.
    MemberUnknown(Box<SitePath>),
    /// No date: it lists the pages with a term, or terms, and the settings give these no date.
    Term,
    /// No date: no source is known, and the page itself is not in the repository.
    NoSource,
    /// No date: without a generator the page is its own source, and it is not committed.
    PageNotCommitted,
    /// No date: a source is not in a repository.
    NoRepository,
    /// No date: the source is not committed.
    NotCommitted,
    /// No date: the source has uncommitted changes.
    Edited,
    /// No date: a file that the source includes is not committed.
    IncludeNotCommitted(Box<SitePath>),
    /// No date: a file that the source includes has uncommitted changes.
    IncludeEdited(Box<SitePath>),
    /// No date: its text may come from a catalogue of translations, which its source says nothing of.
    Translated,
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

/// A commit that dates a page by other files than its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherCommit {
    /// The commit.
    pub change: Arc<LastChange>,
    /// The included file that it changed, or the directory of the content files that a list page
    /// shows; relative to the site root.
    pub path: SitePath,
}

impl DateOrigin {
    /// The date that the history of a page's source gives, or why it gives none.
    pub(crate) fn from_source(source: Option<&FileHistory>) -> Self {
        match source {
            None => Self::NoSource,
            Some(FileHistory::Changed(change)) => Self::Commit(Arc::clone(change)),
            Some(FileHistory::Edited(_)) => Self::Edited,
            Some(FileHistory::Untracked) => Self::NotCommitted,
            Some(FileHistory::BeyondBoundary) => Self::OutOfReach,
            Some(FileHistory::Incomplete) => Self::Unreadable,
            Some(FileHistory::NoRepository) => Self::NoRepository,
        }
    }

    /// Combines the history of a page's source with that of the newest file that they include, or
    /// of the first one that has no date.
    pub(crate) fn with_include(self, file: &SitePath, history: &FileHistory) -> Self {
        match history {
            FileHistory::Changed(change) => match self.commit() {
                Some(own) if own.seconds < change.seconds => {
                    Self::CommitOfInclude(Box::new(OtherCommit {
                        change: Arc::clone(change),
                        path: file.clone(),
                    }))
                }
                _ => self,
            },
            _ if self.commit().is_none() => self,
            FileHistory::Edited(_) => Self::IncludeEdited(Box::new(file.clone())),
            FileHistory::Untracked => Self::IncludeNotCommitted(Box::new(file.clone())),
            FileHistory::BeyondBoundary => Self::OutOfReach,
            FileHistory::Incomplete => Self::Unreadable,
            FileHistory::NoRepository => Self::NoRepository,
        }
    }

    /// Returns the commit that dates the page.
    pub fn commit(&self) -> Option<&Arc<LastChange>> {
        match self {
            Self::Commit(change) => Some(change),
            Self::CommitOfInclude(dating) | Self::Members(dating) => Some(&dating.change),
            _ => None,
        }
    }

    /// Returns the name of the origin in output, or the reason for the absence of a date.
    fn described(&self) -> Result<&'static str, &'static str> {
        Ok(match self {
            Self::Rule => "rule",
            Self::Commit(_) | Self::CommitOfInclude(_) => "git",
            Self::Members(_) => "members",
            Self::FrontMatter => "front_matter",
            Self::Page => "page",
            Self::Mtime => "mtime",
            Self::Memory => "memory",
            Self::PageBelow(_) => "pages_below",
            Self::Excluded => return Err("the page is excluded"),
            Self::Pager => return Err("pagination page"),
            Self::List => return Err("the settings give lists no date"),
            Self::MemberNotCommitted => return Err("a page of the list is not committed"),
            Self::MemberUnknown(_) => return Err("the history of a part of the list is not known"),
            Self::Term => {
                return Err("lists of tags and other terms have no date of their own");
            }
            Self::NoSource => return Err("no source found"),
            Self::PageNotCommitted => {
                return Err("no generator found, and the page is not committed");
            }
            Self::NoRepository => return Err("not in a Git repository"),
            Self::NotCommitted => return Err("the source is not committed"),
            Self::Edited => return Err("the source has uncommitted changes"),
            Self::IncludeNotCommitted(_) => return Err("an included file is not committed"),
            Self::IncludeEdited(_) => return Err("an included file has uncommitted changes"),
            Self::Translated => return Err("its text may come from a catalogue of translations"),
            Self::DeployedOutput => return Err("the commits are deploys of the whole output"),
            Self::OutOfReach => return Err("the last change is older than the available history"),
            Self::Unreadable => return Err("the history cannot be read"),
            Self::InvalidDate => return Err("every date found is invalid"),
            Self::NotConfigured => return Err("no source in `lastmod.from` has a date"),
        })
    }

    /// Whether the page has a date.
    pub fn is_dated(&self) -> bool {
        self.described().is_ok()
    }

    /// The name of an origin in output, or the reason for the absence of a date in words.
    pub fn as_str(&self) -> &'static str {
        self.described().unwrap_or_else(|reason| reason)
    }

    /// Returns the name of the origin; `None` if the page has no date.
    pub fn name(&self) -> Option<&'static str> {
        self.described().ok()
    }

    /// Returns the reason for the absence of a date; `None` if the page has one.
    pub fn absence(&self) -> Option<&'static str> {
        self.described().err()
    }
}

//! What dated a page, or why nothing did.

use std::sync::Arc;

use crate::dates::DatedBy;
use crate::history::LastChange;
use crate::site_paths::SitePath;

/// What dated a page.
#[derive(Debug, Clone)]
pub enum Dated {
    /// The commit that last changed its sources.
    ByCommit(Arc<LastChange>),
    /// The page below this list that changed last.
    ByPage(Box<SitePath>),
    /// Anything else.
    By(DatedBy),
    /// Nothing.
    Not(Undated),
}

/// Why a page has no date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undated {
    /// It is left out.
    Excluded,
    /// It is a further page of a list.
    Pager,
    /// It is a list, and the settings want none for lists.
    List,
    /// Nobody names its source, and it is not in the repository itself.
    NoSource,
    /// Its source lies in no repository.
    NoRepository,
    /// Its source is not committed.
    NotCommitted,
    /// Its source was edited since its last commit.
    Edited,
    /// The history does not reach back to its last change, or cannot be read so far.
    OutOfReach,
    /// The dates that it has cannot be true.
    False,
    /// The settings do not ask the history, and what they ask has no date.
    NotAsked,
}

impl Dated {
    /// What dated it, by name.
    pub fn by(&self) -> Option<DatedBy> {
        match self {
            Self::ByCommit(_) => Some(DatedBy::Git),
            Self::ByPage(_) => Some(DatedBy::PagesBelow),
            Self::By(by) => Some(*by),
            Self::Not(_) => None,
        }
    }

    /// The commit that dated it.
    pub fn commit(&self) -> Option<&LastChange> {
        match self {
            Self::ByCommit(change) => Some(change),
            _ => None,
        }
    }

    /// Why nothing dated it.
    pub fn undated(&self) -> Option<Undated> {
        match self {
            Self::Not(why) => Some(*why),
            _ => None,
        }
    }
}

impl Undated {
    /// In words, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Excluded => "it is left out",
            Self::Pager => "a further page of a list has no date of its own",
            Self::List => "`lastmod.lists` wants none for lists",
            Self::NoSource => "no source is known",
            Self::NoRepository => "in no git repository",
            Self::NotCommitted => "the source is not committed",
            Self::Edited => "the source has changes that are not committed",
            Self::OutOfReach => "the last change lies beyond the history at hand",
            Self::False => "the dates at hand cannot be true",
            Self::NotAsked => "nothing in `lastmod.from` has one",
        }
    }
}

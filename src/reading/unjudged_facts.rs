//! Facts that a page states besides those that decide its verdict: its date, source and images.
//!
//! Every page has one such value until it is dated, so it must stay small.

use page_signals::{PageFacts, Stated};
use sitemaps::site_paths::PageUrl;
use sitemaps::{LastMod, Now, ParsedDate};

/// Facts stated by a page that do not affect its verdict. Few pages state more than a date, so the
/// rest is on the heap.
pub(crate) enum UnjudgedFacts {
    Date(StatedModified),
    More(Box<MoreFacts>),
}

const _: () = assert!(size_of::<UnjudgedFacts>() <= 16, "each page has one");

/// Where a page states its modification date.
#[derive(Clone, Copy)]
pub(crate) enum StatedModified {
    Nowhere,
    /// Perhaps in JSON-LD or microdata, and not in a `<meta>`.
    PerhapsInData,
    /// In a `<meta>`, exactly.
    Exactly(LastMod),
}

pub(crate) struct MoreFacts {
    modified: StatedModified,
    doubtful_date: Option<Stated<String>>,
    source_hint: Option<String>,
    images: Box<[PageUrl]>,
}

impl UnjudgedFacts {
    pub(super) fn new(facts: PageFacts, images: Box<[PageUrl]>, now: Now) -> Self {
        let parsed = facts
            .modified
            .as_ref()
            .map(|stated| LastMod::parse(&stated.value, now));
        let modified = match parsed {
            Some(ParsedDate::Exact(date)) => StatedModified::Exactly(date),
            None if facts.may_state_modified => StatedModified::PerhapsInData,
            _ => StatedModified::Nowhere,
        };
        let is_exact = matches!(modified, StatedModified::Exactly(_));
        let doubtful_date = facts.modified.filter(|_| !is_exact);
        let source_hint = facts.source_hint.map(|stated| stated.value);
        if doubtful_date.is_none() && source_hint.is_none() && images.is_empty() {
            return Self::Date(modified);
        }
        Self::More(Box::new(MoreFacts {
            modified,
            doubtful_date,
            source_hint,
            images,
        }))
    }

    fn modified(&self) -> StatedModified {
        match self {
            Self::Date(modified) => *modified,
            Self::More(more) => more.modified,
        }
    }

    fn more(&self) -> Option<&MoreFacts> {
        match self {
            Self::Date(_) => None,
            Self::More(more) => Some(more),
        }
    }

    /// Returns the modification date stated in a `<meta>`, if it is exact.
    pub(crate) fn exact_date(&self) -> Option<LastMod> {
        match self.modified() {
            StatedModified::Exactly(date) => Some(date),
            StatedModified::Nowhere | StatedModified::PerhapsInData => None,
        }
    }

    /// Whether the page may state its modification date in JSON-LD or microdata, and does not in a
    /// `<meta>`.
    pub(crate) fn may_state_modified(&self) -> bool {
        matches!(self.modified(), StatedModified::PerhapsInData)
    }

    /// Returns the stated modification date if it is invalid, unreadable or ambiguous.
    pub(crate) fn doubtful_date(&self) -> Option<&Stated<String>> {
        self.more()?.doubtful_date.as_ref()
    }

    /// Returns the source named by the page.
    pub(crate) fn source_hint(&self) -> Option<&str> {
        self.more()?.source_hint.as_deref()
    }

    /// Takes the URLs of its images.
    pub(crate) fn take_images(&mut self) -> Box<[PageUrl]> {
        match self {
            Self::Date(_) => Box::default(),
            Self::More(more) => std::mem::take(&mut more.images),
        }
    }
}

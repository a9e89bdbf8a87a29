//! All pages between their verdicts and their dates.

use super::ruled_pages::RuledPage;
use crate::decide::DecidedPage;
use crate::reading::UnjudgedFacts;

/// Number of pages after which memory is released, about 1 MB at a time.
const PAGES_PER_RELEASE: usize = 1 << 13;

/// Every page with its verdict, the facts that it states, and its rules and source.
///
/// These are three lists of the same length and order, not one: each was made by another step, and
/// joining them would hold all of them twice for a moment.
pub(crate) struct DecidedPages {
    decided: Vec<DecidedPage>,
    unjudged: Vec<UnjudgedFacts>,
    ruled: Vec<RuledPage>,
}

/// One of the pages.
pub(crate) struct PageToDate {
    pub(crate) index: usize,
    pub(crate) decided: DecidedPage,
    pub(crate) unjudged: UnjudgedFacts,
    pub(crate) ruled: RuledPage,
}

impl DecidedPages {
    /// Joins the results of the steps.
    pub(crate) fn new(
        decided: Vec<DecidedPage>,
        unjudged: Vec<UnjudgedFacts>,
        ruled: Vec<RuledPage>,
    ) -> Self {
        assert_eq!(decided.len(), unjudged.len(), "each page was read once");
        assert_eq!(
            decided.len(),
            ruled.len(),
            "the rules apply to each page once"
        );
        Self {
            decided,
            unjudged,
            ruled,
        }
    }

    pub(crate) fn decided(&self) -> &[DecidedPage] {
        &self.decided
    }

    pub(super) fn unjudged(&self) -> &[UnjudgedFacts] {
        &self.unjudged
    }

    pub(super) fn ruled(&self) -> &[RuledPage] {
        &self.ruled
    }

    /// Takes the last page, and releases the memory of those taken before from time to time.
    pub(crate) fn pop(&mut self) -> Option<PageToDate> {
        let page = PageToDate {
            decided: self.decided.pop()?,
            unjudged: self.unjudged.pop().expect("the lists have one length"),
            ruled: self.ruled.pop().expect("the lists have one length"),
            index: self.decided.len(),
        };
        if page.index.is_multiple_of(PAGES_PER_RELEASE) {
            self.decided.shrink_to_fit();
            self.unjudged.shrink_to_fit();
            self.ruled.shrink_to_fit();
        }
        Some(page)
    }
}

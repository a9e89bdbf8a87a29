//! Facts that a page states besides those that decide its verdict: its date, source and images.
//!
//! Every page has one such value until it is dated, so it must stay small.

use page_signals::{PageFacts, Stated};
use sitemaps::site_paths::PageUrl;
use sitemaps::{LastMod, Now, ParsedDate};

/// Facts stated by a page that do not affect its verdict. Few pages state more than a date, so the
/// rest is on the heap.
pub(crate) struct UnjudgedFacts {
    /// The modification date stated in a `<meta>`, if it is exact.
    pub(crate) exact_date: Option<LastMod>,
    /// Whether the page may state its modification date in JSON-LD or microdata, and does not in a
    /// `<meta>`.
    pub(crate) may_state_modified: bool,
    more: Option<Box<MoreFacts>>,
}

struct MoreFacts {
    doubtful_date: Option<Stated<String>>,
    source_hint: Option<String>,
    images: Box<[PageUrl]>,
}

impl UnjudgedFacts {
    pub(super) fn new(facts: PageFacts, images: Box<[PageUrl]>, now: Now) -> Self {
        let stated = facts.modified.as_ref();
        let exact_date = stated.and_then(|stated| match LastMod::parse(&stated.value, now) {
            ParsedDate::Exact(date) => Some(date),
            _ => None,
        });
        let may_state_modified = facts.may_state_modified && facts.modified.is_none();
        let more = MoreFacts {
            doubtful_date: facts.modified.filter(|_| exact_date.is_none()),
            source_hint: facts.source_hint.map(|stated| stated.value),
            images,
        };
        let is_empty =
            more.doubtful_date.is_none() && more.source_hint.is_none() && more.images.is_empty();
        Self {
            exact_date,
            may_state_modified,
            more: (!is_empty).then(|| Box::new(more)),
        }
    }

    /// Returns the stated modification date if it is invalid, unreadable or ambiguous.
    pub(crate) fn doubtful_date(&self) -> Option<&Stated<String>> {
        self.more.as_ref()?.doubtful_date.as_ref()
    }

    /// Returns the source named by the page.
    pub(crate) fn source_hint(&self) -> Option<&str> {
        self.more.as_ref()?.source_hint.as_deref()
    }

    /// Takes the URLs of its images.
    pub(crate) fn take_images(&mut self) -> Box<[PageUrl]> {
        let more = self.more.as_mut();
        more.map_or_else(Box::default, |more| std::mem::take(&mut more.images))
    }
}

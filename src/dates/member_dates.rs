//! Dates list pages by the content files that they show.
//!
//! A list changes when a page is added to it, removed or renamed. When the text of one changes, the
//! list usually stays the same, so its date stays, too. Changes of titles and excerpts are not seen.

use std::collections::HashSet;

use crate::pages::{DateOrigin, Page, PageSource};
use crate::sources::SourceHistory;
use sitemaps::{LastMod, Now};

/// Lists and their members, while the pages are dated.
#[derive(Default)]
pub(super) struct MembersOfLists {
    /// The indexes of lists that Git dates.
    dated: Vec<usize>,
    /// The directories, without a `/` at the end, with a source in them or below that is not
    /// committed.
    uncommitted: HashSet<Vec<u8>>,
}

impl MembersOfLists {
    /// Gives a list the newer of its own date and that of its members.
    pub(super) fn date(&mut self, page: &mut Page, index: usize, members: DateOrigin, now: Now) {
        if matches!(members, DateOrigin::MemberUnknown(_)) {
            (page.lastmod, page.dated) = (None, members);
            return;
        }
        let own_may_be_newer = page.source.is_some()
            && page.lastmod.is_none()
            && !matches!(page.dated, DateOrigin::OutOfReach);
        if own_may_be_newer {
            return;
        }
        match members.commit() {
            Some(change) => {
                let date = LastMod::at(change.seconds, change.offset_minutes, now);
                match date {
                    Ok(date) if page.lastmod.is_none_or(|own| own < date) => {
                        (page.lastmod, page.dated) = (Some(date), members);
                    }
                    Err(_) if page.lastmod.is_none() => page.dated = DateOrigin::InvalidDate,
                    _ => {}
                }
            }
            None if page.lastmod.is_none() => page.dated = members,
            None => {}
        }
        if page.dated.commit().is_some() {
            self.dated.push(index);
        }
    }

    /// Remembers the directories of a source that is not committed.
    pub(super) fn note_uncommitted(&mut self, page: &Page) {
        let source = page.source.as_ref().and_then(PageSource::file);
        if let Some(source) = source {
            let path = source.as_bytes();
            let above = memchr::memrchr_iter(b'/', path).chain([0]);
            self.uncommitted
                .extend(above.map(|end| path[..end].to_vec()));
        }
    }

    /// Removes the dates of lists that show a page which is not committed: nothing says when it was
    /// added.
    pub(super) fn remove_uncertain(&self, history: &SourceHistory, pages: &mut [Page]) {
        if self.uncommitted.is_empty() {
            return;
        }
        for &index in &self.dated {
            let mut shown = history.members(index);
            if shown.any(|shown| self.uncommitted.contains(shown.dir.as_bytes())) {
                let page = &mut pages[index];
                (page.lastmod, page.dated) = (None, DateOrigin::MemberNotCommitted);
            }
        }
    }
}

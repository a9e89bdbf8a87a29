//! Dates list pages by the content files that they show.
//!
//! A list changes when a page is added to it, removed or renamed. When the text of one changes, the
//! list usually stays the same, so its date stays, too. Changes of titles and excerpts are not seen.

use std::collections::HashSet;

use crate::inventory::InventoryPage;
use crate::sources::{DateOrigin, PageSource, SourceHistory};
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
    pub(super) fn date(
        &mut self,
        line: &mut InventoryPage,
        index: usize,
        members: DateOrigin,
        now: Now,
    ) {
        let own_may_be_newer = line.source.is_some()
            && line.lastmod.is_none()
            && !matches!(line.dated, DateOrigin::OutOfReach);
        if own_may_be_newer {
            return;
        }
        match members.commit() {
            Some(change) => {
                let date = LastMod::at(change.seconds, change.offset_minutes, now);
                match date {
                    Ok(date) if line.lastmod.is_none_or(|own| own < date) => {
                        (line.lastmod, line.dated) = (Some(date), members);
                    }
                    Err(_) if line.lastmod.is_none() => line.dated = DateOrigin::InvalidDate,
                    _ => {}
                }
            }
            None if line.lastmod.is_none() => line.dated = members,
            None => {}
        }
        if line.dated.commit().is_some() {
            self.dated.push(index);
        }
    }

    /// Remembers the directories of a source that is not committed.
    pub(super) fn note_uncommitted(&mut self, line: &InventoryPage) {
        let source = line.source.as_ref().and_then(PageSource::file);
        if let Some(source) = source {
            let path = source.as_bytes();
            let above = memchr::memrchr_iter(b'/', path).chain([0]);
            self.uncommitted
                .extend(above.map(|end| path[..end].to_vec()));
        }
    }

    /// Removes the dates of lists that show a page which is not committed: nothing says when it was
    /// added.
    pub(super) fn remove_uncertain(&self, history: &SourceHistory, lines: &mut [InventoryPage]) {
        if self.uncommitted.is_empty() {
            return;
        }
        for &index in &self.dated {
            let mut shown = history.members(index);
            if shown.any(|shown| self.uncommitted.contains(shown.dir.as_bytes())) {
                let line = &mut lines[index];
                (line.lastmod, line.dated) = (None, DateOrigin::MemberNotCommitted);
            }
        }
    }
}

//! Dates all pages, which completes their records in the inventory, and list pages by the content files
//! that they show.
//!
//! A list changes when a page is added to it, removed or renamed. When the text of one changes, the
//! list usually stays the same, so its date stays, too. Changes of titles and excerpts are not seen.

use std::collections::HashSet;

use super::dating::PageDater;
use super::list_dates::date_lists_of;
use crate::findings::{Finding, Findings, Subject, code, counted};
use crate::pages::{DateOrigin, Page, PageSource, Pages};
use crate::sources::SourceHistory;
use sitemaps::{LastMod, Now};

/// Dates every listed page, list pages last.
pub(crate) fn date_all(
    dater: &PageDater<'_>,
    pages: &mut Pages,
    history: &SourceHistory,
    findings: &Findings,
) {
    let mut lists = MembersOfLists::default();
    let mut overruled = 0;
    for (index, page) in pages.iter_mut().enumerate() {
        if !page.is_listed() {
            page.dated = DateOrigin::Excluded;
            continue;
        }
        if page.dated == DateOrigin::NotCommitted {
            lists.note_uncommitted(page);
        }
        if page.source.is_none() && history.lists_nothing(index) && dater.asks_git_first(page) {
            // It may state the date of the newest page below.
            page.dated = DateOrigin::NoSource;
        } else {
            dater.date(page, findings);
        }
        overruled += usize::from(dater.overrules_stated_date(page));
        if let Some(members) = history.members_date(index) {
            lists.date(page, index, members, dater.now);
        }
    }
    findings.extend((overruled > 0).then(|| stated_dates_older(overruled)));
    lists.remove_uncertain(history, pages);
    date_lists_of(dater.site, dater.sources, dater.settings.lists, pages);
}

fn stated_dates_older(count: usize) -> Finding {
    let message = format!(
        "the front matter of {} states a modification date that is more than 30 days older than \
         Git's, which counts",
        counted(count, "page")
    );
    Finding::new(code::STATED_DATES_OLDER, Subject::Site, message).with_hint(
        "if readers see the stated dates, set `from = [\"front_matter\", \"git\", \"page\"]` in `[lastmod]`",
    )
}

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

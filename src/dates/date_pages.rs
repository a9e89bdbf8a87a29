//! Dates all pages, which completes their records in the inventory.

use super::dating::PageDater;
use super::list_dates::date_lists_of;
use super::member_dates::MembersOfLists;
use crate::findings::{Finding, Findings, Subject, code, counted};
use crate::pages::{DateOrigin, Pages};
use crate::sources::SourceHistory;

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

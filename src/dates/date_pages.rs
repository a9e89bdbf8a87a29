//! Dates all pages, which completes their records in the inventory.

use super::dating::PageDater;
use super::list_dates::date_lists_of;
use super::member_dates::MembersOfLists;
use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use crate::sources::{DateOrigin, HintedSources, JudgedPages, SourceHistory};
use sitemaps::findings::{Finding, Subject, WithFindings, code, counted};

/// Number of pages after which memory is released, about 1 MB at a time.
const PAGES_PER_RELEASE: usize = 1 << 13;

/// Dates every listed page, list pages last.
pub(crate) fn date_all(
    dater: &PageDater<'_>,
    pages: JudgedPages,
    hinted: &HintedSources,
    history: &SourceHistory,
) -> WithFindings<Vec<InventoryPage>> {
    let JudgedPages {
        mut judged,
        mut ruled,
    } = pages;
    let mut findings = Vec::new();
    let mut lines = Vec::with_capacity(judged.len());
    let mut of_members = MembersOfLists::default();
    let mut overruled = 0;
    // From last to first, to release the memory of finished pages along the way.
    while let (Some(mut page), Some(rules)) = (judged.pop(), ruled.pop()) {
        let index = judged.len();
        let members = history.of_members(index);
        let (source, page_history) = match (hinted.of(index), &members) {
            (Some(hinted), _) => hinted,
            // The date that a list states is usually that of the newest page in it.
            (None, Some(members)) if rules.source.is_none() => (None, members.clone()),
            (None, _) => (rules.source, history.page(index)),
        };
        let mut line = InventoryPage {
            file: page.file.clone(),
            url: page.url.clone(),
            verdict: std::mem::replace(&mut page.verdict, Verdict::Listed),
            lastmod: None,
            dated: DateOrigin::Excluded,
            source,
            rule_outcome: rules.rule_outcome,
            links: page.links.take(),
        };
        if line.is_listed() {
            if page_history == DateOrigin::NotCommitted {
                of_members.note_uncommitted(&line);
            }
            findings.append(&mut dater.date(&mut line, page_history, &page));
            overruled += usize::from(dater.overrules_stated_date(&line));
            if let Some(members) = members {
                of_members.date(&mut line, index, members, dater.now);
            }
        }
        lines.push(line);
        if index.is_multiple_of(PAGES_PER_RELEASE) {
            judged.shrink_to_fit();
            ruled.shrink_to_fit();
        }
    }
    lines.reverse();
    findings.extend((overruled > 0).then(|| stated_dates_older(overruled)));
    of_members.remove_uncertain(history, &mut lines);
    date_lists_of(dater.site, dater.sources, dater.settings.lists, &mut lines);
    WithFindings::new(lines, findings)
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

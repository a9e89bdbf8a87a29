//! Dates all pages, which completes their records in the inventory.

use std::sync::Arc;

use super::dating::PageDater;
use super::list_dates::date_lists_of;
use super::member_dates::MembersOfLists;
use crate::decide::{DecidedPage, Verdict};
use crate::inventory::InventoryPage;
use crate::rules::RuleOutcome;
use crate::sources::{DateOrigin, DecidedPages, HintedSources, PageSource, SourceHistory};
use sitemaps::EntryLinks;
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

/// Dates every listed page, list pages last.
pub(crate) fn date_all(
    dater: &PageDater<'_>,
    mut pages: DecidedPages,
    hinted: &HintedSources,
    history: &SourceHistory,
) -> WithFindings<Vec<InventoryPage>> {
    let mut findings = Vec::new();
    let mut lines = Vec::with_capacity(pages.decided().len());
    // From last to first, to release the memory of finished pages along the way.
    let mut of_members = MembersOfLists::default();
    let mut overruled = 0;
    while let Some(mut page) = pages.pop() {
        let (source, page_history) = match hinted.of(page.index) {
            Some(hinted) => hinted,
            None => (page.ruled.source, history.page(page.index)),
        };
        let images = page.unjudged.take_images();
        let mut line = undated(page.decided, images, source, page.ruled.rule_outcome);
        if line.verdict == Verdict::Listed {
            findings.append(&mut dater.date(&mut line, page_history, &page.unjudged));
            overruled += usize::from(dater.overrules_stated_date(&line));
            if let Some(members) = history.of_members(page.index) {
                of_members.date(&mut line, page.index, members, dater.now);
            }
        }
        of_members.note_uncommitted(&line);
        lines.push(line);
    }
    lines.reverse();
    findings.extend((overruled > 0).then(|| stated_dates_older(overruled)));
    of_members.remove_uncertain(history, &mut lines);
    date_lists_of(dater.site, dater.sources, dater.settings.lists, &mut lines);
    WithFindings::new(lines, findings)
}

fn stated_dates_older(count: usize) -> Finding {
    let whose = match count {
        1 => "1 page".to_owned(),
        _ => format!("{count} pages"),
    };
    let message = format!(
        "the front matter of {whose} states a modification date that is more than 30 days older than \
         Git's, which counts"
    );
    Finding::new(code::STATED_DATES_OLDER, Subject::Site, message).with_hint(
        "if readers see the stated dates, set `from = [\"front_matter\", \"git\", \"page\"]` in `[lastmod]`",
    )
}

fn undated(
    line: DecidedPage,
    images: Box<[PageUrl]>,
    source: Option<PageSource>,
    rule_outcome: Arc<RuleOutcome>,
) -> InventoryPage {
    InventoryPage {
        file: line.file,
        url: line.url,
        verdict: line.verdict,
        lastmod: None,
        dated: DateOrigin::Excluded,
        source,
        rule_outcome,
        links: EntryLinks {
            images,
            ..line.links.map(|links| *links).unwrap_or_default()
        }
        .shared(),
    }
}

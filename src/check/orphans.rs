//! Finds pages that no other page links to. Visitors reach such pages only through search engines,
//! which consider them unimportant.
//!
//! This parses every page a second time, completely, so it runs only if `[levels]` gives
//! `orphan-page` a level. It keeps one byte per page, and no links.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::context::CheckContext;
use super::tally::FindingTally;
use crate::decide::reason::{CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, REDIRECT};
use crate::decide::{Reason, Verdict, candidate_files};
use crate::inventory::InventoryPage;
use page_signals::{PageLinks, links_of};
use site_paths::PageUrl;
use site_paths::finding::{Level, Subject, code};

/// Reasons to exclude a page that only points to another one.
const STUBS: [&Reason; 3] = [REDIRECT, CANONICAL_ELSEWHERE, CANONICAL_DUPLICATE];

/// Maximum number of links cached per thread: enough for those that appear on every page.
const MAX_CACHED_LINKS: usize = 4_096;

/// Reports listed pages that no other listed page links to, directly or through redirects and
/// duplicates.
///
/// The home page is never reported.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    if case.settings.levels.level_of(code::ORPHAN_PAGE) == Level::Allow {
        return tally;
    }
    let reached: Vec<AtomicBool> = case
        .inventory
        .pages
        .iter()
        .map(|_| AtomicBool::new(false))
        .collect();
    let search = LinkSearch { case, reached };
    search.follow_all();
    let home = case.inventory.base.of_path(b"");
    for (line, reached) in case.inventory.pages.iter().zip(&search.reached) {
        if line.verdict == Verdict::Listed && line.url != home && !reached.load(Ordering::Relaxed) {
            let message = || format!("no other page links to `{}`", line.file);
            let hint = "link to it from another page, or exclude it with a rule";
            tally.report(
                code::ORPHAN_PAGE,
                Subject::Page(line.file.clone(), None),
                message,
                hint,
            );
        }
    }
    tally
}

struct LinkSearch<'a> {
    case: &'a CheckContext<'a>,
    /// Whether another page links to a page, by its position in the inventory.
    reached: Vec<AtomicBool>,
}

impl LinkSearch<'_> {
    /// Follows the links of listed pages, then those of the stubs among their targets, which may
    /// lead to further stubs.
    fn follow_all(&self) {
        let lines = &self.case.inventory.pages;
        let listed = (0..lines.len())
            .into_par_iter()
            .filter(|&at| lines[at].verdict == Verdict::Listed);
        listed.for_each_init(HashMap::new, |known, at| {
            let PageLinks { base, links, .. } = self.links(at);
            self.mark(at, base.as_deref(), &links, known);
        });
        let mut waiting: Vec<usize> = (0..lines.len()).filter(|&at| is_stub(&lines[at])).collect();
        loop {
            let (reached, rest): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|&at| self.reached[at].load(Ordering::Relaxed));
            if reached.is_empty() {
                return;
            }
            reached.into_par_iter().for_each(|at| {
                let PageLinks {
                    base,
                    redirects: onward,
                    ..
                } = self.links(at);
                self.mark(at, base.as_deref(), &onward, &mut HashMap::new());
            });
            waiting = rest;
        }
    }

    fn links(&self, at: usize) -> PageLinks {
        let file = &self.case.inventory.pages[at].file;
        let opened = self.case.output_dir.tree().regular_file(file);
        opened.map(|page| links_of(&page)).unwrap_or_default()
    }

    /// Marks the pages that the links of a page point to, except the page itself. A query or
    /// fragment does not select another page.
    fn mark(
        &self,
        page: usize,
        said_base: Option<&str>,
        links: &[String],
        known: &mut HashMap<String, Option<usize>>,
    ) {
        let url = &self.case.inventory.pages[page].url;
        let base = said_base
            .and_then(|base| url.resolve(base).ok())
            .unwrap_or_else(|| url.clone());
        for link in links {
            let link = link.split(['?', '#']).next().unwrap_or_default();
            // A link that starts with a slash has the same target on every page of this host.
            let is_known_everywhere = said_base.is_none() && link.starts_with('/');
            let remembered = known.get(link).copied().filter(|_| is_known_everywhere);
            let target = remembered.unwrap_or_else(|| {
                let target = base.resolve(link).ok().and_then(|url| self.page_at(&url));
                if is_known_everywhere && known.len() < MAX_CACHED_LINKS {
                    known.insert(link.to_owned(), target);
                }
                target
            });
            if let Some(target) = target.filter(|&target| target != page) {
                self.reached[target].store(true, Ordering::Relaxed);
            }
        }
    }

    /// The page served at a URL of the site.
    fn page_at(&self, url: &PageUrl) -> Option<usize> {
        let inventory = self.case.inventory;
        candidate_files(&inventory.base, url)
            .iter()
            .find_map(|file| inventory.index_of(file))
    }
}

fn is_stub(line: &InventoryPage) -> bool {
    match &line.verdict {
        Verdict::Listed => false,
        Verdict::Excluded(exclusion) => STUBS.contains(&exclusion.reason),
    }
}

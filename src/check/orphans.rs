//! Pages that no other page leads to: visitors find them only through search engines, and engines take them for unimportant.
//!
//! Every page is parsed once more, whole, so they are looked for only where `[levels]` gives `orphan-page` a level. Of each
//! page no more than a byte is kept, and of its links nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::CheckContext;
use super::tally::FindingTally;
use crate::decide::reason::{CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, REDIRECT};
use crate::decide::{Reason, Verdict, answering_files};
use crate::finding::{Level, Subject, code};
use crate::pipeline::InventoryPage;
use crate::read::{PageLinks, links_of};
use crate::site_paths::PageUrl;

/// Reasons for which a page is left out that only leads to another one.
const STUBS: [&Reason; 3] = [REDIRECT, CANONICAL_ELSEWHERE, CANONICAL_DUPLICATE];

/// So many links are remembered by each thread: those that stand on every page.
const REMEMBERED: usize = 4_096;

/// Reports listed pages that no other listed page leads to, directly or by way of redirects and duplicates.
///
/// The home page is never one.
pub(super) fn check(case: &CheckContext<'_>, tally: &mut FindingTally) {
    if case.survey.settings().levels.of(code::ORPHAN_PAGE) == Level::Allow {
        return;
    }
    let reached: Vec<AtomicBool> = case
        .ledger
        .lines
        .iter()
        .map(|_| AtomicBool::new(false))
        .collect();
    let search = LinkSearch { case, reached };
    search.follow_all();
    let home = case.ledger.base.of_path(b"");
    for (line, reached) in case.ledger.lines.iter().zip(&search.reached) {
        if line.verdict == Verdict::Listed && line.url != home && !reached.load(Ordering::Relaxed) {
            let message = || format!("no other page links to `{}`", line.file);
            let hint = "link to it from a page that visitors see, or take it out by a rule";
            tally.tell(
                code::ORPHAN_PAGE,
                Subject::Page(line.file.clone(), None),
                message,
                hint,
            );
        }
    }
}

struct LinkSearch<'a> {
    case: &'a CheckContext<'a>,
    /// By the ledger's line: whether another page leads there.
    reached: Vec<AtomicBool>,
}

impl LinkSearch<'_> {
    /// Follows the links of listed pages, then what the stubs among their targets lead to, which may be stubs again.
    fn follow_all(&self) {
        let lines = &self.case.ledger.lines;
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
                let PageLinks { base, onward, .. } = self.links(at);
                self.mark(at, base.as_deref(), &onward, &mut HashMap::new());
            });
            waiting = rest;
        }
    }

    fn links(&self, at: usize) -> PageLinks {
        let file = &self.case.ledger.lines[at].file;
        links_of(&file.below_folder(&self.case.survey.output_dir))
    }

    /// Marks the pages that links lead to, but for the page itself. What follows `?` or `#` leads to no other page.
    fn mark(
        &self,
        page: usize,
        said_base: Option<&str>,
        links: &[String],
        known: &mut HashMap<String, Option<usize>>,
    ) {
        let url = &self.case.ledger.lines[page].url;
        let base = said_base
            .and_then(|base| url.resolve(base).ok())
            .unwrap_or_else(|| url.clone());
        for link in links {
            let link = link.split(['?', '#']).next().unwrap_or_default();
            // What begins with a slash leads to the same page from everywhere on this host.
            let is_known_everywhere = said_base.is_none() && link.starts_with('/');
            let remembered = known.get(link).copied().filter(|_| is_known_everywhere);
            let target = remembered.unwrap_or_else(|| {
                let target = base
                    .resolve(link)
                    .ok()
                    .and_then(|url| self.line_behind(&url));
                if is_known_everywhere && known.len() < REMEMBERED {
                    known.insert(link.to_owned(), target);
                }
                target
            });
            if let Some(target) = target.filter(|&target| target != page) {
                self.reached[target].store(true, Ordering::Relaxed);
            }
        }
    }

    /// The page that answers at an address of the site.
    fn line_behind(&self, url: &PageUrl) -> Option<usize> {
        let ledger = self.case.ledger;
        answering_files(&ledger.base, url)
            .iter()
            .find_map(|file| ledger.number_of(file))
    }
}

fn is_stub(line: &InventoryPage) -> bool {
    match &line.verdict {
        Verdict::Listed => false,
        Verdict::Excluded(exclusion) => STUBS.contains(&exclusion.reason),
    }
}

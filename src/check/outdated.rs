//! What the sitemap has missed since it was written: pages that are not in it, and dates that have moved on.

use super::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use crate::finding::{Code, code};

/// So many addresses are named.
const NAMED: usize = 3;

/// Reports that the sitemap is older than the site, or was written by one who knew less.
pub(super) fn check(case: &CheckContext<'_>, tally: &mut FindingTally) {
    let own = case.survey.settings().sitemap.file.as_bytes();
    let is_own = |sitemap: &&ExistingSitemap| sitemap.file.as_bytes() == own;
    let first = case
        .set
        .pages()
        .find(is_own)
        .or(case.set.pages().next())
        .or(case.set.files.first());
    let Some(first) = first else { return };
    let changes = case.changes;
    let mut tell = |code: &'static Code, numbers: &[u32], what: &str| {
        if numbers.is_empty() {
            return;
        }
        let named: Vec<String> = case
            .plan
            .urls(numbers)
            .take(NAMED)
            .map(|url| format!("`{url}`"))
            .collect();
        let more = if numbers.len() > NAMED { ", …" } else { "" };
        let message = || {
            format!(
                "{what}, {} in all: {}{more}",
                numbers.len(),
                named.join(", ")
            )
        };
        tally.tell(
            code,
            first.whole(),
            message,
            "run `waypost`; `--verbose` names them all",
        );
    };
    tell(
        code::SITEMAP_LACKS_PAGES,
        &changes.added,
        "no sitemap lists these pages",
    );
    // Text files have no dates.
    if case.set.pages().any(|sitemap| sitemap.dates.count > 0) {
        tell(
            code::SITEMAP_DATES_DIFFER,
            &changes.redated,
            "dates are not those of the pages' last change",
        );
    }
}

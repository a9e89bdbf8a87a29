//! Reports what the sitemaps have missed since they were written: new pages and changed dates.

use super::context::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use site_paths::finding::{Code, code};

/// Maximum number of URLs named in a message.
const MAX_NAMED_URLS: usize = 3;

/// Reports that the sitemap is older than the site, or that its generator knew less about the site.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    let own = case.settings.sitemap.file.as_bytes();
    let is_own = |sitemap: &&ExistingSitemap| sitemap.file.as_bytes() == own;
    let first = case
        .existing
        .pages()
        .find(is_own)
        .or(case.existing.pages().next())
        .or(case.existing.files.first());
    let Some(first) = first else { return tally };
    let changes = case.changes;
    let mut tell = |code: &'static Code, numbers: &[u32], what: &str| {
        if numbers.is_empty() {
            return;
        }
        let named: Vec<String> = case
            .plan
            .urls(numbers)
            .take(MAX_NAMED_URLS)
            .map(|url| format!("`{url}`"))
            .collect();
        let more = if numbers.len() > MAX_NAMED_URLS {
            ", …"
        } else {
            ""
        };
        let message = || {
            format!(
                "{what} ({} in total): {}{more}",
                numbers.len(),
                named.join(", ")
            )
        };
        tally.report(
            code,
            first.subject(),
            message,
            "run `waypost`; `--verbose` lists all of them",
        );
    };
    tell(
        code::SITEMAP_LACKS_PAGES,
        &changes.added,
        "no sitemap lists these pages",
    );
    // Text sitemaps have no dates.
    if case.existing.pages().any(|sitemap| sitemap.dates.count > 0) {
        tell(
            code::SITEMAP_DATES_DIFFER,
            &changes.redated,
            "the dates of these pages differ from their last change",
        );
    }
    tally
}

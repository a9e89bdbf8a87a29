//! Reports the pages that the sitemaps lack.

use super::context::CheckContext;
use super::existing::ExistingSitemap;
use crate::inventory::FindingTally;
use sitemaps::site_paths::finding::code;

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
    let missing = &case.changes.added;
    if missing.is_empty() {
        return tally;
    }
    let named: Vec<String> = case
        .pages
        .plan
        .urls(missing)
        .take(MAX_NAMED_URLS)
        .map(|url| format!("`{url}`"))
        .collect();
    let more = if missing.len() > MAX_NAMED_URLS {
        ", …"
    } else {
        ""
    };
    let message = || {
        format!(
            "no sitemap lists these pages ({} in total): {}{more}",
            missing.len(),
            named.join(", ")
        )
    };
    let hint = "run `waypost`; `--verbose` lists all of them";
    tally.report(code::SITEMAP_LACKS_PAGES, first.subject(), message, hint);
    tally
}

//! Reports files of a sitemap set that are left from an earlier run.

use std::collections::BTreeSet;

use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Reports text sitemaps that robots.txt still names but that this run neither writes nor may
/// remove.
pub(crate) fn left_alone(
    files: &[SitePath],
    named: &BTreeSet<PageUrl>,
    base: &BaseUrl,
) -> Vec<Finding> {
    let finding = |file: &SitePath| {
        let message = format!(
            "robots.txt names `{file}`, which has a file name of this sitemap set, but this run \
             does not write it"
        );
        Finding::new(
            code::SITEMAP_STALE,
            Subject::Page(file.clone(), None),
            message,
        )
        .with_hint("if an earlier run wrote it, remove it and its line; otherwise rename it")
    };
    let is_named = |file: &&SitePath| named.contains(&base.of_file(file));
    files.iter().filter(is_named).map(finding).collect()
}

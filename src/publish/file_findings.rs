//! Reports files of a sitemap set: too large, removed, or left from an earlier run.

use std::collections::BTreeSet;

use site_paths::finding::{Finding, Subject, code};
use site_paths::{BaseUrl, MAX_SITEMAP_BYTES, PageUrl, SitePath};
use sitemaps::Plan;

/// Reports files that exceed the size limit because of a single entry.
pub(crate) fn over_limit(plan: &Plan, limit: usize) -> Vec<Finding> {
    let over = plan.files().iter().filter(|file| file.bytes > limit);
    over.map(|file| {
        let message = format!(
            "`{}` has {} bytes, more than `sitemap.max_bytes` ({limit})",
            file.name, file.bytes
        );
        let hint = format!("raise the limit, up to {MAX_SITEMAP_BYTES}");
        Finding::new(code::SITEMAP_LIMITS, Subject::Site, message).with_hint(hint)
    })
    .collect()
}

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

/// Reports staged files that could not be removed.
pub(crate) fn left_staged(error: &str) -> Finding {
    let message = format!("the sitemaps are published, but staged files remain: {error}");
    Finding::new(code::SITEMAP_STALE, Subject::Site, message)
        .with_hint("remove them; the next run does so too")
}

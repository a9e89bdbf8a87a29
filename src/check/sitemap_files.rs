//! Checks which sitemaps exist: none at all, compressed copies that differ, and index entries that
//! readers cannot follow.

use std::collections::BTreeSet;

use super::context::CheckContext;
use super::existing::{ExistingSitemap, path_of};
use super::tally::FindingTally;
use site_paths::SitePath;
use site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::set::NamedChild;
use sitemaps::{SitemapListing, contents_equal};

/// Reports missing sitemaps, and index entries that readers cannot follow.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    if case.existing.files.is_empty()
        && case.existing.feeds.is_empty()
        && !case.plan.files().is_empty()
    {
        let subject = Subject::File(case.output_dir.path().to_owned(), None);
        let message = || "no sitemap found in the output directory".to_owned();
        tally.report(
            code::SITEMAP_MISSING,
            subject,
            message,
            "run `waypost` as the last step of the build",
        );
    }
    let twins = case.existing.files.iter();
    for twin in twins.filter_map(|sitemap| differing_twin(case, sitemap)) {
        tally.add(twin);
    }
    let files = case.existing.files.iter();
    let indexes: BTreeSet<&SitePath> = files
        .filter(|file| file.listing == SitemapListing::Sitemaps)
        .map(|index| &index.file)
        .collect();
    for sitemap in &case.existing.files {
        for child in &sitemap.children {
            tally.absorb(check_child(case, sitemap, child, &indexes));
        }
    }
    tally
}

/// Reports a compressed copy of a sitemap with different content. An identical copy is not checked
/// again.
fn differing_twin(case: &CheckContext<'_>, sitemap: &ExistingSitemap) -> Option<Finding> {
    let twin = SitePath::new([sitemap.file.as_bytes(), b".gz"].concat());
    if !case.output_dir.has_file(&twin) {
        return None;
    }
    let is_same = case
        .output_dir
        .open(&sitemap.file)
        .and_then(|plain| contents_equal(plain, case.output_dir.open(&twin)?));
    let message = match is_same {
        Ok(true) => return None,
        Ok(false) => format!("`{twin}` differs from `{}`", sitemap.file),
        Err(error) => format!(
            "`{twin}` cannot be compared with `{}`: {error}",
            sitemap.file
        ),
    };
    let hint = "write both in one run, or remove the compressed one";
    let subject = Subject::Page(twin, None);
    Some(Finding::new(code::SITEMAP_STALE, subject, message).with_hint(hint))
}

fn check_child(
    case: &CheckContext<'_>,
    index: &ExistingSitemap,
    child: &NamedChild,
    indexes: &BTreeSet<&SitePath>,
) -> FindingTally {
    let mut tally = FindingTally::default();
    let base = &case.inventory.base;
    let subject = || index.subject_at(child.place);
    let (named, name) = (quoted(&child.loc), &index.file);
    if !child.loc.starts_with(base.as_str()) {
        let message =
            || format!("`{name}` names the sitemap `{named}`, which is not below `{base}`");
        let hint = "use the same base URL for all sitemaps";
        tally.report(code::SITEMAP_ELSEWHERE, subject(), message, hint);
    } else if child.file.is_err() {
        let message =
            || format!("`{name}` names the sitemap `{named}`, which the build did not write");
        tally.report(
            code::SITEMAP_MISSING,
            subject(),
            message,
            "create it, or remove it from the index",
        );
    }
    let file = child.file.as_ref().ok().map(path_of);
    if file.is_some_and(|file| indexes.contains(file)) {
        let message = || format!("the index `{name}` names `{named}`, which is an index itself");
        let hint = "name the sitemaps of that index instead";
        tally.report(code::SITEMAP_MISSING, subject(), message, hint);
    }
    tally
}

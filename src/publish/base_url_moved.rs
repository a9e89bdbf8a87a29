//! Detects a changed base URL: existing files of the set list URLs below another base URL.

use super::disk::LockedOutputDir;
use crate::survey::Survey;
use sitemaps::names::is_set_file_name;
use sitemaps::plan::Plan;
use sitemaps::site_paths::{PageUrl, SitePath};

/// Returns those of the sitemaps named in robots.txt that are existing files of this set, but with
/// another base URL. Only an earlier run with that base URL can have added their lines.
///
/// If the existing set lists only pages below the current base URL, it is the current set, and
/// proves nothing about a line with a shorter base URL: another site of the host may have it.
pub fn sitemaps_of_old_base_url(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    sitemaps: &Survey,
    named: &[&PageUrl],
) -> Vec<PageUrl> {
    let moved = named.iter().copied().filter(|url| {
        let Some((base, name)) = url.as_str().rsplit_once('/') else {
            return false;
        };
        let file = SitePath::from(name);
        let is_moved = plan.base().path_below(url) != Some(name)
            && is_set_file_name(&file, plan.root())
            && sitemaps.has_mark(&file, plan.root());
        let is_missing = plan
            .base()
            .path_below(url)
            .is_some_and(|path| !dir.tree().has_file(&SitePath::from(path)));
        let read = sitemaps.file(&file).filter(|_| is_moved);
        read.is_some_and(|read| {
            let (own, locs) = (plan.base().as_str(), read.locs());
            let is_older = is_missing || locs.clone().any(|loc| !loc.starts_with(own));
            read.notes.is_empty()
                && locs.clone().next().is_some()
                && locs.clone().all(|loc| {
                    let rest = loc.strip_prefix(base);
                    rest.is_some_and(|rest| rest.starts_with('/'))
                })
                && is_older
        })
    });
    moved.cloned().collect()
}

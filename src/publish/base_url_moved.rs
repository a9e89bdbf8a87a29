//! Detects a changed base URL: existing files of the set list URLs below another base URL.

use super::disk::LockedOutputDir;
use sitemaps::names::is_set_file_name;
use sitemaps::plan::Plan;
use sitemaps::previous::{has_mark_in, read_sitemap_file};
use sitemaps::site_paths::{PageUrl, SitePath};

/// Returns those of the sitemaps named in robots.txt that are existing files of this set, but with
/// another base URL. Only an earlier run with that base URL can have added their lines.
///
/// If the existing set lists only pages below the current base URL, it is the current set, and
/// proves nothing about a line with a shorter base URL: another site of the host may have it.
pub fn sitemaps_of_old_base_url(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    named: &[&PageUrl],
) -> Vec<PageUrl> {
    let is_of_old_base = |url: &&PageUrl| {
        let Some((base, name)) = url.as_str().rsplit_once('/') else {
            return false;
        };
        let file = SitePath::from(name);
        let may_be = plan.base().path_below(url) != Some(name)
            && is_set_file_name(&file, plan.root())
            && has_mark_in(dir.tree(), &file, plan.root());
        let is_below_base = |loc: &str| {
            loc.strip_prefix(base)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let is_missing = plan
            .base()
            .path_below(url)
            .is_some_and(|path| !dir.tree().has_file(&SitePath::from(path)));
        let (mut all_below, mut any, mut is_older) = (true, false, is_missing);
        let read = may_be.then(|| {
            read_sitemap_file(dir.tree(), &file, &mut |_, listed| {
                (all_below, any) = (all_below && is_below_base(&listed.loc), true);
                is_older |= !listed.loc.starts_with(plan.base().as_str());
            })
        });
        read.is_some_and(|read| read.is_ok()) && any && all_below && is_older
    };
    named
        .iter()
        .copied()
        .filter(is_of_old_base)
        .cloned()
        .collect()
}

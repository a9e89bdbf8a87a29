//! Edits robots.txt: adds the sitemaps of a plan, and removes those that no longer exist.

use crate::findings::{Finding, code};
use crate::pages::Inventory;
use crate::pages::feeds::{self, SiteFeeds};
use crate::publish::{LockedOutputDir, OldFiles, sitemaps_of_old_base_url};
use crate::site::{LoadedSite, RobotsFile};
use sitemaps::Plan;
use sitemaps::robots_txt::{RobotsEdit, add_sitemaps};
use sitemaps::site_paths::PageUrl;

/// Adds the sitemaps of the plan and removes those that no longer exist, if the settings allow it.
pub(super) fn edit_robots(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    old: &OldFiles,
    robots: &RobotsFile,
) -> RobotsEdit {
    let (base, settings) = (inventory.base(), loaded.settings());
    let mut sitemaps: Vec<PageUrl> = plan.roots().collect();
    let may_exist = robots.bytes().is_some() || base.is_host_root();
    if sitemaps.is_empty() || !robots.is_readable() || !settings.robots_txt.update || !may_exist {
        return RobotsEdit::default();
    }
    let named = robots.sitemaps();
    let feeds = if settings.sitemap.feeds {
        feeds::find(loaded, inventory, plan, &named)
    } else {
        SiteFeeds::default()
    };
    sitemaps.extend(feeds.named);
    let others: Vec<&PageUrl> = named.iter().filter(|url| !sitemaps.contains(url)).collect();
    let mut stale = feeds.gone;
    stale.extend(old.removed.iter().map(|file| base.file_url(file)));
    stale.extend(sitemaps_of_old_base_url(
        plan,
        dir,
        &loaded.survey.sitemaps,
        &others,
    ));
    // Generators that join URLs name `https://example.com//sitemap.xml`.
    for url in others {
        let path = format!("/{}", url.path_and_query().trim_start_matches('/'));
        if sitemaps
            .iter()
            .any(|own| own.origin() == url.origin() && own.path_and_query() == path)
        {
            stale.push(url.clone());
        }
    }
    let edit = add_sitemaps(robots.bytes(), &sitemaps, &stale);
    if let Some((message, hint)) = &edit.problem {
        loaded.findings.add(Finding {
            hint: hint.map(str::to_owned),
            ..Finding::new(code::ROBOTS_TXT_REFUSED, &*robots.path, message)
        });
    }
    edit
}

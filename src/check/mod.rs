//! Checks the sitemaps in an output directory, whichever tool wrote them, against the built site.
//!
//! Takes the page inventory, the plan that waypost would write, and the directory. Returns findings
//! and the changes since those sitemaps were written. Each file holds one family of findings, and
//! `CHECKS` lists them all. This module writes nothing and does not repeat findings of the
//! pipeline.

mod conformance;
mod context;
mod dates;
mod existing;
mod false_date;
mod feed_entries;
mod feeds;
mod file_form;
mod hreflang;
mod listed_twice;
mod live;
mod locs;
mod orphans;
mod outdated;
mod published;
mod robots;
mod sitemap_file;
mod sitemap_files;
mod tally;

pub use conformance::{ParsedSitemap, check_conformance};
pub use existing::ExistingSitemap;
pub use live::{LiveCheck, LiveReport, PageSample};
pub use published::{PublishedError, PublishedTarget, PublishedTexts, check_published};
pub use sitemap_file::check_file;
pub use tally::FindingTally;

use crate::inventory::Inventory;
use crate::pipeline::other_sitemaps;
use crate::site::{LoadedSite, RobotsFile};
use site_paths::SitePath;
use site_paths::finding::Finding;
use sitemaps::previous::has_mark_in;
use sitemaps::{Plan, SitemapChanges, UrlSpelling};

use context::CheckContext;
use existing::ExistingSitemaps;

/// The result of a check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
    /// Differences between the plan and the existing sitemaps.
    pub changes: SitemapChanges,
    /// The sitemaps that were read, roots before children.
    pub sitemaps: Vec<ExistingSitemap>,
}

/// The checks, one per family of findings, in the order in which they run.
const CHECKS: &[fn(&CheckContext<'_>) -> FindingTally] = &[
    sitemap_files::check,
    conformance::check,
    locs::check,
    outdated::check,
    dates::check,
    robots::check,
    feeds::check,
    hreflang::check,
    orphans::check,
];

/// Checks the sitemaps of a site against its page inventory and the plan made from it.
pub fn check(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    inventory: &Inventory,
    plan: &Plan,
) -> CheckReport {
    let (dir, settings) = (&loaded.output, loaded.settings());
    let set = ExistingSitemaps::find(dir, plan, robots, &inventory.base);
    let files: Vec<SitePath> = set.page_files().cloned().collect();
    let root = &settings.sitemap.file;
    let changes = SitemapChanges {
        is_by_waypost: has_mark_in(dir, &SitePath::from(root.as_str()), root),
        ..SitemapChanges::from_files(dir, plan, &files, UrlSpelling::Any)
    };
    let changes = changes.without_dates_of_texts(plan, &files);
    let case = CheckContext {
        settings,
        now: loaded.now,
        output_dir: dir,
        robots,
        inventory,
        plan,
        existing: &set,
        changes: &changes,
        deploy: false_date::deploy_of(inventory),
    };
    let tally: FindingTally = CHECKS.iter().map(|look| look(&case)).collect();
    let mut findings = tally.into_findings();
    // Before waypost has run, every sitemap is another program's.
    if changes.is_by_waypost {
        findings.extend(other_sitemaps(dir, robots, inventory, plan, &[]));
    }
    CheckReport {
        findings,
        changes,
        sitemaps: set.files,
    }
}

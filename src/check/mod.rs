//! The sitemaps that stand in an output folder, whoever wrote them, against what the site really is: findings.
//!
//! In come the ledger, the plan that waypost would write, and the folder; out come findings and what has changed since
//! those sitemaps were written. One file holds one family of findings, and all of them stand in one table. Nothing here
//! writes, and what the road has found already is not found again.

mod conformance;
mod dates;
mod entry_values;
mod existing;
mod feeds;
mod hreflang;
mod listed_twice;
mod locs;
mod orphans;
mod outdated;
mod robots;
mod tally;

pub use conformance::{ParsedSitemap, form_of};
pub use dates::is_w3c_datetime;
pub use existing::ExistingSitemap;
pub use tally::FindingTally;

use crate::bounds::SitemapDir;
use crate::finding::Finding;
use crate::pipeline::{Inventory, RobotsFile, Survey};
use crate::site_paths::SitePath;
use crate::sitemaps::{Plan, SitemapChanges, UrlSpelling};

use existing::ExistingSitemaps;

/// What a check has found.
#[derive(Debug)]
pub struct CheckReport {
    /// What is wrong, in the order of files and places.
    pub findings: Vec<Finding>,
    /// How the plan differs from the sitemaps that stand there.
    pub changes: SitemapChanges,
    /// The sitemaps that were read, roots before children.
    pub sitemaps: Vec<ExistingSitemap>,
}

/// All that a family of findings may look at.
struct CheckContext<'a> {
    survey: &'a Survey<'a>,
    /// The output folder.
    folder: &'a SitemapDir,
    robots: &'a RobotsFile,
    ledger: &'a Inventory,
    plan: &'a Plan,
    set: &'a ExistingSitemaps,
    changes: &'a SitemapChanges,
}

/// The families of findings, in the order in which they are looked for.
const CHECKS: &[fn(&CheckContext<'_>, &mut FindingTally)] = &[
    existing::check,
    conformance::check,
    locs::check,
    outdated::check,
    dates::check,
    entry_values::check,
    robots::check,
    feeds::check,
    hreflang::check,
    orphans::check,
];

/// Checks the sitemaps of a site against its ledger and the plan made of it.
pub fn check(
    survey: &Survey<'_>,
    robots: &RobotsFile,
    ledger: &Inventory,
    plan: &Plan,
) -> CheckReport {
    let folder = &survey.output();
    let set = ExistingSitemaps::find(survey, folder, robots, &ledger.base);
    let files: Vec<SitePath> = set.page_files().cloned().collect();
    let changes = SitemapChanges::from_files(folder, plan, &files, UrlSpelling::Any);
    let case = CheckContext {
        survey,
        folder,
        robots,
        ledger,
        plan,
        set: &set,
        changes: &changes,
    };
    let mut tally = FindingTally::default();
    for look in CHECKS {
        look(&case, &mut tally);
    }
    CheckReport {
        findings: tally.into_findings(),
        changes,
        sitemaps: set.files,
    }
}

//! The sitemaps that stand in an output folder, whoever wrote them, against what the site really is: findings.
//!
//! In come the ledger, the plan that waypost would write, and the folder; out come findings and what has changed since
//! those sitemaps were written. One file holds one family of findings, and all of them stand in one table. Nothing here
//! writes, and what the road has found already is not found again.

mod dates;
mod feeds;
mod form;
mod lapses;
mod locs;
mod orphans;
mod robots;
mod siblings;
mod standing;
mod tally;
mod values;
mod versions;

pub use dates::is_w3c_datetime;
pub use form::{Seen, form_of};
pub use standing::StandingSitemap;
pub use tally::Tally;

use crate::bounds::SiteFolder;
use crate::finding::Finding;
use crate::location::SitePath;
use crate::road::{Ledger, RobotsFile, Survey};
use crate::write::{Changes, Plan, Spelling};

use standing::StandingSet;

/// What a check has found.
#[derive(Debug)]
pub struct Checked {
    /// What is wrong, in the order of files and places.
    pub findings: Vec<Finding>,
    /// How the plan differs from the sitemaps that stand there.
    pub changes: Changes,
    /// The sitemaps that were read, roots before children.
    pub sitemaps: Vec<StandingSitemap>,
}

/// All that a family of findings may look at.
struct Case<'a> {
    survey: &'a Survey<'a>,
    /// The output folder.
    folder: &'a SiteFolder,
    robots: &'a RobotsFile,
    ledger: &'a Ledger,
    plan: &'a Plan,
    set: &'a StandingSet,
    changes: &'a Changes,
}

/// The families of findings, in the order in which they are looked for.
const CHECKS: &[fn(&Case<'_>, &mut Tally)] = &[
    standing::check,
    form::check,
    locs::check,
    lapses::check,
    dates::check,
    values::check,
    robots::check,
    feeds::check,
    versions::check,
    orphans::check,
];

/// Checks the sitemaps of a site against its ledger and the plan made of it.
pub fn check(survey: &Survey<'_>, robots: &RobotsFile, ledger: &Ledger, plan: &Plan) -> Checked {
    let folder = &survey.output();
    let set = StandingSet::find(survey, folder, robots, &ledger.base);
    let files: Vec<SitePath> = set.page_files().cloned().collect();
    let changes = Changes::from_files(folder, plan, &files, Spelling::Any);
    let case = Case {
        survey,
        folder,
        robots,
        ledger,
        plan,
        set: &set,
        changes: &changes,
    };
    let mut tally = Tally::default();
    for look in CHECKS {
        look(&case, &mut tally);
    }
    Checked {
        findings: tally.into_findings(),
        changes,
        sitemaps: set.files,
    }
}

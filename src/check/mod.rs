//! Checks the sitemaps in an output directory, whichever tool wrote them, against the built site.
//!
//! Takes the page inventory, the plan that waypost would write, and the directory. Returns findings
//! and the changes since those sitemaps were written. This module writes nothing and does not repeat
//! findings of the pipeline.
//!
//! `check/file_form.rs` judges the form of each file of a set, of a site, of one file and of a URL alike,
//! `entry_facts.rs` its entries. `set_facts.rs` then judges what no
//! file has alone: URLs of several files, nested indexes, language links that are not returned.
//! A site adds what only it knows, `listed_pages.rs` for each entry, also for the links of `llms.txt`.
//!
//! `check/published` reads the set that a server publishes, on the host to which it redirects.
//! What cannot be read completely ends the check with exit code 2. `check/live` requests listed
//! pages: `sample.rs` chooses them while the set is read, `page_response.rs` judges the
//! responses. Both send requests only through `PoliteClient`, which limits their
//! number and rate, and `fetch.rs`, which follows redirects on one site and records them.

mod checked_set;
mod entry_facts;
mod existing;
mod file_form;
mod file_source;
mod listed_pages;
mod live;
mod llms_txt;
mod published;
mod set_facts;
mod sitemap_files;

pub use checked_set::{CheckedSet, PublishedTexts, check_file};
pub use entry_facts::{KeptPages, OTHER_HOST};
pub use file_form::CheckedFile;
pub use live::LiveReport;
pub use llms_txt::is_about_link;
pub use published::check_url;

use std::collections::BTreeSet;

use crate::findings::{Finding, Findings, Level, code};
use crate::pages::Inventory;
use crate::publish::written_names;
use crate::run::{ComparedSet, PublishedSite, compared_set, other_sitemaps};
use crate::site::LoadedSite;
use crate::survey::SitemapChanges;
use sitemaps::Plan;
use sitemaps::site_paths::SitePath;

use existing::{BuiltFiles, CheckContext, ExistingSitemaps, path_of};
use listed_pages::KnownPages;

/// The result of a check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Findings, ordered by file and place; those about links of `llms.txt` last.
    pub findings: Vec<Finding>,
    /// Differences between the plan and the existing sitemaps.
    pub changes: SitemapChanges,
    /// The writer of those sitemaps.
    pub compared: ComparedSet,
    /// The sitemaps that were read, roots before children.
    pub sitemaps: Vec<CheckedFile>,
}

/// Checks the sitemaps that a build neither writes nor removes, and what names a sitemap that does not
/// exist after it: what [`check`] would report of them, also after a dry run, with warnings for errors.
pub fn check_left(
    loaded: &LoadedSite,
    inventory: &Inventory,
    published: &PublishedSite,
) -> Vec<Finding> {
    let (plan, removed) = (&published.plan, &published.placed.removed);
    let names = written_names(plan);
    let case = CheckContext {
        pages: KnownPages::of(loaded, inventory, plan),
        robots: &published.robots,
        built: BuiltFiles {
            written: names.iter().map(|name| SitePath::from(&**name)).collect(),
            removed: removed.iter().cloned().collect(),
        },
    };
    let findings = Findings::default();
    let set = ExistingSitemaps::find(&case, &findings);
    sitemap_files::check_names(&case, &set, &findings);
    let (denied, others): (Vec<_>, Vec<_>) = findings
        .take_sorted()
        .into_iter()
        .filter(|finding| {
            finding
                .subject
                .page()
                .is_none_or(|file| case.built.leave(file))
        })
        .partition(|finding| finding.code.level == Level::Deny);
    others.into_iter().chain(as_stale(&denied)).collect()
}

/// Returns one warning for each file with errors, ordered by file: a build does not fail because of
/// what another program wrote, but the check after it does.
fn as_stale(denied: &[Finding]) -> Vec<Finding> {
    let mut stale = Vec::new();
    for findings in denied.chunk_by(|one, next| one.subject.page() == next.subject.page()) {
        let first = &findings[0];
        let more = match findings.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let message = format!("{}{more}; `waypost check` denies this", first.message);
        stale.push(Finding {
            code: code::SITEMAP_STALE,
            message,
            ..first.clone()
        });
    }
    stale
}

/// Checks the sitemaps of a site against its page inventory and the plan made from it.
pub fn check(loaded: &LoadedSite, inventory: &Inventory, plan: &Plan) -> CheckReport {
    let case = CheckContext {
        pages: KnownPages::of(loaded, inventory, plan),
        robots: &loaded.robots,
        built: BuiltFiles::default(),
    };
    let findings = Findings::default();
    let set = ExistingSitemaps::find(&case, &findings);
    let files: BTreeSet<SitePath> = set
        .pages()
        .map(|sitemap| path_of(&sitemap.file.place).clone())
        .collect();
    let root = &loaded.settings().sitemap.file;
    let sitemaps = &loaded.survey.sitemaps;
    let changes = SitemapChanges {
        is_by_waypost: sitemaps.has_mark(&SitePath::from(root.as_str()), root),
        ..SitemapChanges::from_files(sitemaps, plan, &files, &|_| None)
    }
    .without_dates_of_texts(plan, &files);
    sitemap_files::check(&case, &set, &changes.added, &findings);
    let mut findings = findings.take_sorted();
    // Before waypost has run, every sitemap is another program's.
    if changes.is_by_waypost {
        findings.extend(other_sitemaps(loaded, &loaded.robots, inventory, plan, &[]));
    }
    findings.extend(llms_txt::check(&case.pages));
    CheckReport {
        findings,
        compared: compared_set(loaded, &changes),
        changes,
        sitemaps: set.files,
    }
}

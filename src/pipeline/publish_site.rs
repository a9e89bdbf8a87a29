//! Publishes an inventory: the sitemaps, robots.txt with its lines, and the changes from the
//! previous files.

use super::extras::plan_of;
use super::refusals::{OrderedFindings, WritePermission, refusals_first, set_refusals};
use super::robots_lines::{RobotsEdit, RobotsLines};
use crate::feeds;
use crate::inventory::Inventory;
use crate::publish::{
    DiskError, LockedOutputDir, PublishReport, SurroundingFiles, WriteMode, key_to_write,
    left_alone, over_limit, removed,
};
use crate::site::{LoadedSite, RobotsFile};
use page_sources::generator::Generator;
use site_paths::SitePath;
use site_paths::finding::Finding;
use site_paths::glob::PatternSet;
use sitemaps::{Plan, SitemapChanges};

/// Files that were published, or would be in a dry run.
#[derive(Debug)]
pub struct PublishedSite {
    /// Whether the result could be right. If not, nothing was written.
    pub permission: WritePermission,
    /// The sitemaps.
    pub plan: Plan,
    /// How they differ from the previous sitemaps.
    pub changes: SitemapChanges,
    /// The published files.
    pub placed: PublishReport,
    /// The number of lines that robots.txt gains and loses.
    pub robots_lines: RobotsLines,
    /// Problems with the sitemaps, robots.txt and the key file, and the files removed.
    pub findings: Vec<Finding>,
}

/// The sitemaps of a site, before anything is written.
#[derive(Debug)]
pub struct PlannedSite {
    /// Whether they could be right.
    pub permission: WritePermission,
    /// The sitemaps.
    pub plan: Plan,
    /// How they differ from the previous sitemaps.
    pub changes: SitemapChanges,
    /// Refusals first, then the findings of all steps so far.
    pub findings: Vec<Finding>,
}

/// The files of a plan on disk.
#[derive(Debug)]
pub struct PlacedFiles {
    /// The published files.
    pub placed: PublishReport,
    /// The number of lines that robots.txt gains and loses.
    pub robots_lines: RobotsLines,
    /// Problems with robots.txt and the key file, and the files removed.
    pub findings: Vec<Finding>,
}

/// Lays out the sitemaps of an inventory and publishes them, unless a finding refuses that. Returns
/// the given findings with its own.
pub fn publish_inventory(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    inventory: &Inventory,
    findings: Vec<Finding>,
    mode: WriteMode,
) -> Result<PublishedSite, DiskError> {
    let PlannedSite {
        permission,
        plan,
        changes,
        mut findings,
    } = plan_site(loaded, inventory, findings);
    let mode = if permission == WritePermission::Refused {
        WriteMode::DryRun
    } else {
        mode
    };
    let published = publish_plan(loaded, robots, plan, changes, inventory, mode)?;
    findings.extend(published.findings);
    Ok(PublishedSite {
        permission,
        findings,
        ..published
    })
}

/// Lays out the sitemaps of an inventory, compares them with the previous ones, and decides whether
/// they could be right. Returns the given findings with its own.
pub fn plan_site(
    loaded: &LoadedSite<'_>,
    inventory: &Inventory,
    mut findings: Vec<Finding>,
) -> PlannedSite {
    let plan = plan_of(loaded, inventory).take_into(&mut findings);
    let settings = loaded.settings();
    findings.extend(over_limit(&plan, settings.sitemap.max_bytes));
    let changes = SitemapChanges::between(&loaded.output, &plan);
    // A preview that writes nothing loses nothing.
    let lacks = match loaded.skipped_preview() {
        None => set_refusals(settings, &plan, &changes),
        Some(_) => Vec::new(),
    };
    let OrderedFindings {
        permission,
        findings,
    } = refusals_first(findings, lacks, settings);
    PlannedSite {
        permission,
        plan,
        changes,
        findings,
    }
}

/// Publishes the sitemaps of a plan.
pub fn publish_plan(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    plan: Plan,
    changes: SitemapChanges,
    inventory: &Inventory,
    mode: WriteMode,
) -> Result<PublishedSite, DiskError> {
    let files = publish_files(
        loaded,
        robots,
        &plan,
        &changes.outside_site,
        inventory,
        mode,
    )?;
    Ok(PublishedSite {
        permission: WritePermission::Granted,
        plan,
        changes,
        placed: files.placed,
        robots_lines: files.robots_lines,
        findings: files.findings,
    })
}

/// Publishes the files of a plan, with robots.txt and the key file.
pub fn publish_files(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    plan: &Plan,
    outside_site: &[SitePath],
    inventory: &Inventory,
    mode: WriteMode,
) -> Result<PlacedFiles, DiskError> {
    let (settings, output, base) = (loaded.settings(), &loaded.output, &inventory.base);
    let not_read = |file| feeds::symlink_outside(file, "it is not read");
    let mut findings: Vec<Finding> = outside_site.iter().map(not_read).collect();
    // Lock first, so that robots.txt is edited as the previous run left it.
    let dir = LockedOutputDir::open(output.path(), mode)?;
    let robots = &robots.again(output).take_into(&mut findings);
    let own_sitemaps = own_sitemaps(loaded.site.generator);
    let edit = RobotsEdit {
        loaded,
        inventory,
        plan,
        dir: &dir,
        own_sitemaps: &own_sitemaps,
    };
    let edited = edit.run(robots)?.take_into(&mut findings);
    let key = key_to_write(&settings.submit, output.path(), plan).take_into(&mut findings);
    let surroundings = SurroundingFiles {
        robots_txt: edited.text.as_deref(),
        key,
        is_generators_sitemap: &|name| own_sitemaps.matches(name.as_bytes()),
    };
    let placed = dir.place(plan, surroundings)?;
    findings.extend(placed.removed.iter().map(|file| removed(file, mode)));
    if !placed.unproven.is_empty() {
        findings.extend(left_alone(&placed.unproven, &robots.sitemaps(), base));
    }
    Ok(PlacedFiles {
        placed,
        robots_lines: edited.lines,
        findings,
    })
}

/// Returns the globs of the sitemaps that the generator writes besides `sitemap.xml`.
fn own_sitemaps(generator: Option<&Generator>) -> PatternSet {
    let globs = generator
        .into_iter()
        .flat_map(|generator| &generator.own_sitemaps);
    PatternSet::parse(globs).expect("a test checks every glob of the manifest")
}

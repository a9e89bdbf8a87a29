//! Publishes an inventory: the sitemaps, robots.txt with its lines, and the changes from the
//! previous files.

use super::foreign_sitemaps::{GeneratorSitemaps, other_sitemaps};
use super::plan_of_inventory::feed_lacks_pages;
use super::refusals::set_refusals;
use super::replaced_findings::replaced_findings;
use super::robots_lines::edit_robots;
use super::urls_lost::{set_moved, urls_lost};
use crate::findings::{Finding, HintedError, code};
use crate::pages::Inventory;
use crate::publish::{
    LockedOutputDir, OldFiles, PublishReport, SurroundingFiles, WriteMode, key_to_write,
};
use crate::site::{BuildKind, LoadedSite, RobotsFile, refusals_first, stop_run};
use crate::survey::SitemapChanges;
use sitemaps::Plan;
use sitemaps::robots_txt::RobotsLines;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// Files that were published, or would be in a dry run.
#[derive(Debug)]
pub struct PublishedSite {
    /// The sitemaps.
    pub plan: Plan,
    /// How they differ from the previous sitemaps.
    pub changes: SitemapChanges,
    /// The sitemaps that they were compared with.
    pub compared: ComparedSet,
    /// The published files.
    pub placed: PublishReport,
    /// Whether they were written.
    pub mode: WriteMode,
    /// robots.txt as it is then.
    pub robots: RobotsFile,
    /// The number of lines that robots.txt gains and loses.
    pub robots_lines: RobotsLines,
    /// Problems with the sitemaps, robots.txt and the key file, and the files removed.
    pub findings: Vec<Finding>,
}

/// A plan beside the previous sitemaps, before anything is written.
#[derive(Debug, Default)]
pub struct ComparedPlan {
    /// How they differ.
    pub changes: SitemapChanges,
    /// The previous sitemaps.
    pub compared: ComparedSet,
    /// Refusals first, then what is lost, then the findings of all steps so far.
    pub findings: Vec<Finding>,
}

/// The changes from a set that the user names.
#[derive(Debug)]
pub struct NamedChanges {
    /// The URL, the file or the directory.
    pub name: String,
    /// The changes.
    pub changes: SitemapChanges,
}

/// The sitemaps that a new set is compared with, if there were any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ComparedSet {
    /// Those that waypost wrote last.
    #[default]
    Own,
    /// Those that another program wrote, usually in this very build. They are replaced, so a
    /// difference from them is not a change of the site.
    Replaced {
        /// Whose they are: `Zola's sitemap`.
        whose: String,
        /// Their base URL, if it is another one. Pages are compared by their paths below it.
        other_base: Option<BaseUrl>,
    },
    /// Those that the user named.
    Named(String),
}

/// Publishes the sitemaps of an inventory, unless a finding refuses that. Returns the given findings with
/// its own. `named` is that of [`compare_plan`].
pub fn publish_inventory(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: Plan,
    findings: Vec<Finding>,
    mode: WriteMode,
    named: Option<NamedChanges>,
) -> Result<PublishedSite, HintedError> {
    let compared = compare_plan(loaded, inventory, &plan, findings, named);
    let mode = if stop_run(&compared.findings, &loaded.settings().levels) {
        WriteMode::DryRun
    } else {
        mode
    };
    publish_plan(loaded, inventory, plan, compared, mode)
}

/// Compares the plan of an inventory with the previous sitemaps, and decides whether it could be right.
/// Returns the given findings with its own.
///
/// `named` is how it differs from the set that the user names, if there is one; else it is compared with
/// the set on disk.
pub fn compare_plan(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    mut findings: Vec<Finding>,
    named: Option<NamedChanges>,
) -> ComparedPlan {
    let settings = loaded.settings();
    findings.extend(feed_lacks_pages(loaded, inventory));
    let on_disk = changes_on_disk(loaded, inventory, plan);
    if loaded.skipped_preview().is_none() {
        findings.extend(replaced_findings(loaded, inventory, plan, &on_disk));
    }
    let (changes, compared) = if let Some(named) = named {
        (named.changes, ComparedSet::Named(named.name))
    } else {
        let compared = compared_set(loaded, &on_disk);
        (on_disk, compared)
    };
    // What another program listed may never have been published.
    if !matches!(compared, ComparedSet::Replaced { .. }) {
        let is_preview = loaded.skipped_preview().is_some();
        let mut lost = urls_lost(inventory, &changes.removed, is_preview);
        if lost.is_empty() && is_preview && matches!(compared, ComparedSet::Named(_)) {
            lost.extend(set_moved(plan, &changes));
        }
        findings.splice(0..0, lost);
    }
    // A preview that writes nothing loses nothing else.
    let lacks = match loaded.skipped_preview() {
        None => set_refusals(settings, inventory, plan, &changes),
        Some(preview) => {
            findings.push(preview.finding());
            Vec::new()
        }
    };
    ComparedPlan {
        changes,
        compared,
        findings: refusals_first(findings, lacks, &settings.levels),
    }
}

/// Compares a plan with the set in the output directory that it replaces.
pub fn changes_on_disk(loaded: &LoadedSite, inventory: &Inventory, plan: &Plan) -> SitemapChanges {
    let sitemaps = &loaded.survey.sitemaps;
    let texts = sitemaps.texts_of(plan.root());
    let roots = if plan.is_text_only() && !texts.is_empty() {
        &texts
    } else {
        &loaded.replaced.roots
    };
    let mut changes = SitemapChanges::between(sitemaps, roots, plan.root(), plan, &|url| {
        inventory.number_at(plan, url)
    });
    changes.alternates.drop_links(inventory.dropped_links);
    changes
}

/// Publishes the files of a plan, with robots.txt and the key file, unless the build is a preview. Its
/// findings follow those of the comparison.
pub fn publish_plan(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: Plan,
    compared: ComparedPlan,
    mode: WriteMode,
) -> Result<PublishedSite, HintedError> {
    let (settings, output, base) = (loaded.settings(), &loaded.output, inventory.base());
    let mode = match loaded.skipped_preview() {
        Some(_) => WriteMode::DryRun,
        None => mode,
    };
    let findings = &loaded.findings;
    findings.extend(compared.changes.outside_site.iter().map(link_outside));
    // Lock first, so that robots.txt is edited as the previous run left it.
    let dir = LockedOutputDir::open(output, mode)?;
    let robots = &loaded.robots.again(output);
    findings.extend(robots.unreadable().filter(|_| loaded.robots.is_readable()));
    let generators = GeneratorSitemaps::of(loaded, robots, base, &plan, &dir)?;
    let further = loaded.replaced.foreign.iter().cloned();
    let old = OldFiles::find(&plan, &dir, further, &|name| generators.contains(name))?;
    let edited = edit_robots(loaded, inventory, &plan, &dir, &old, robots);
    let key = key_to_write(&settings.submit, output.path(), &plan, findings);
    let surroundings = SurroundingFiles {
        robots_txt: edited.text.as_deref(),
        key,
        // Another branch may have other contents.
        memory: match loaded.kind {
            BuildKind::UnknownBranch(_) => None,
            _ => inventory.memory.as_ref(),
        },
    };
    output.check()?;
    let placed = dir.place(&plan, old, surroundings)?;
    let mut handled = placed.removed.clone();
    if !placed.unproven.is_empty() {
        let named = robots.sitemaps();
        for file in &placed.unproven {
            if named.contains(&base.file_url(file)) {
                findings.add(left_alone(file));
                handled.push(file.clone());
            }
        }
    }
    if !plan.files().is_empty() {
        findings.extend(other_sitemaps(loaded, robots, inventory, &plan, &handled));
    }
    let robots = edited
        .text
        .map_or_else(|| robots.clone(), |text| robots.with_text(text));
    let mut all = compared.findings;
    all.extend(findings.take_sorted());
    Ok(PublishedSite {
        plan,
        changes: compared.changes,
        compared: compared.compared,
        placed,
        mode,
        robots,
        robots_lines: edited.lines,
        findings: all,
    })
}

/// Reports a sitemap that is not opened.
fn link_outside(file: &SitePath) -> Finding {
    let message = format!(
        "the symbolic link `{file}` points outside the site and its repository, so it is not read"
    );
    Finding::new(code::FILE_SKIPPED, file, message)
}

/// Reports a text sitemap that robots.txt still names but that this run neither writes nor may
/// remove.
fn left_alone(file: &SitePath) -> Finding {
    let message = format!(
        "robots.txt names `{file}`, which has a file name of this sitemap set, but this run \
         does not write it"
    );
    Finding::new(code::SITEMAP_STALE, file, message)
        .with_hint("if an earlier run wrote it, remove it and its line; otherwise rename it")
}

/// Names the sitemaps on disk that the changes were compared with.
pub fn compared_set(loaded: &LoadedSite, changes: &SitemapChanges) -> ComparedSet {
    if changes.is_by_waypost {
        return ComparedSet::Own;
    }
    let whose = match loaded.site.generator {
        Some(generator) if !generator.own_sitemaps.default_text().is_empty() => {
            format!("{}'s sitemap", generator.title)
        }
        _ => "a sitemap of another program".to_owned(),
    };
    let other_base = loaded.survey.other_base.clone();
    ComparedSet::Replaced { whose, other_base }
}

//! Publishes an inventory: the sitemaps, robots.txt with its lines, and the changes from the
//! previous files.

use std::collections::BTreeSet;
use std::path::Path;

use super::extras::plan_of;
use super::refusals::{OrderedFindings, WritePermission, refusals_first, set_refusals};
use crate::feeds::{self, SiteFeeds};
use crate::inventory::Inventory;
use crate::publish::{
    DiskError, LockedOutputDir, PublishReport, SurroundingFiles, WriteMode, leftovers,
    sitemaps_of_old_base_url,
};
use crate::settings::{SubmitKey, SubmitSettings};
use crate::site::{LoadedSite, RobotsFile};
use page_sources::generator::Generator;
use site_paths::containment;
use site_paths::finding::{Finding, Subject, WithFindings, code};
use site_paths::glob::PatternSet;
use site_paths::{BaseUrl, MAX_SITEMAP_BYTES, PageUrl, SitePath};
use sitemaps::robots_txt::{RobotsChange, add_sitemaps, sitemaps_in};
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

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Lines for sitemaps that it did not name before.
    pub added: usize,
    /// Lines for sitemaps that no longer exist.
    pub removed: usize,
}

/// Lays out the sitemaps of an inventory and publishes them, unless a finding refuses that. Returns
/// the given findings with its own.
pub fn publish_inventory(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    inventory: &Inventory,
    mut findings: Vec<Finding>,
    mode: WriteMode,
) -> Result<PublishedSite, DiskError> {
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
        mut findings,
    } = refusals_first(findings, lacks, settings);
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

/// Publishes the sitemaps of a plan.
pub fn publish_plan(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    plan: Plan,
    changes: SitemapChanges,
    inventory: &Inventory,
    mode: WriteMode,
) -> Result<PublishedSite, DiskError> {
    let (settings, output, base) = (loaded.settings(), &loaded.output, &inventory.base);
    let not_read = |file| feeds::symlink_outside(file, "it is not read");
    let mut findings: Vec<Finding> = changes.outside_site.iter().map(not_read).collect();
    // Lock first, so that robots.txt is edited as the previous run left it.
    let dir = LockedOutputDir::open(output.path(), mode)?;
    let robots = &robots.again(output).take_into(&mut findings);
    let own_sitemaps = own_sitemaps(loaded.site.generator);
    let is_generators_sitemap = |name: &str| own_sitemaps.matches(name.as_bytes());
    let gone = |others: &[&PageUrl]| -> Result<Vec<PageUrl>, DiskError> {
        let is_here = others.iter().any(|url| base.path_below(url).is_some());
        let removed = if is_here {
            leftovers(&plan, &dir, &is_generators_sitemap)?
        } else {
            Vec::new()
        };
        let removed = removed.iter().map(|file| base.of_file(file));
        Ok(removed
            .chain(sitemaps_of_old_base_url(&plan, &dir, others))
            .collect())
    };
    let edited = if settings.robots_txt.update {
        let find_feeds = |named: &BTreeSet<PageUrl>| {
            if settings.sitemap.feeds {
                feeds::find(output, base, &plan, &inventory.feeds, named)
            } else {
                SiteFeeds::default()
            }
        };
        robots_with(robots, base, &plan, find_feeds, gone)?.take_into(&mut findings)
    } else {
        EditedRobots::default()
    };
    let key = key_to_write(&settings.submit, output.path(), &plan).take_into(&mut findings);
    let surroundings = SurroundingFiles {
        robots_txt: edited.text.as_deref(),
        key,
        is_generators_sitemap: &is_generators_sitemap,
    };
    output.check_failures()?;
    let placed = dir.place(&plan, surroundings)?;
    findings.extend(placed.removed.iter().map(|file| removed(file, mode)));
    findings.extend(placed.left_staged.as_deref().map(left_staged));
    findings.extend(left_alone(&placed.unproven, robots, base));
    Ok(PublishedSite {
        permission: WritePermission::Granted,
        plan,
        changes,
        placed,
        robots_lines: edited.lines,
        findings,
    })
}

/// Reports a file that is or would be removed.
fn removed(file: &SitePath, mode: WriteMode) -> Finding {
    let what = if mode == WriteMode::Write {
        "was"
    } else {
        "would be"
    };
    let message = format!("`{file}` belongs to an earlier or foreign sitemap and {what} removed");
    Finding::new(
        code::STALE_FILE_REMOVED,
        Subject::Page(file.clone(), None),
        message,
    )
}

/// Reports staged files that could not be removed.
fn left_staged(error: &str) -> Finding {
    let message = format!("the sitemaps are published, but staged files remain: {error}");
    Finding::new(code::STALE_FILE_LEFT, Subject::Site, message)
        .with_hint("remove them; the next run does so too")
}

/// Reports text sitemaps that robots.txt still names but that this run neither writes nor may
/// remove.
fn left_alone(files: &[SitePath], robots: &RobotsFile, base: &BaseUrl) -> Vec<Finding> {
    if files.is_empty() {
        return Vec::new();
    }
    let named = robots.sitemaps();
    let finding = |file: &SitePath| {
        let message = format!(
            "robots.txt names `{file}`, which has a file name of this sitemap set, but this run \
             does not write it"
        );
        Finding::new(
            code::STALE_FILE_LEFT,
            Subject::Page(file.clone(), None),
            message,
        )
        .with_hint("if an earlier run wrote it, remove it and its line; otherwise rename it")
    };
    files
        .iter()
        .filter(|file| named.contains(&base.of_file(file)))
        .map(finding)
        .collect()
}

/// Returns the IndexNow key if its file may be written: the file never replaces another file.
fn key_to_write<'s>(
    submit: &'s SubmitSettings,
    output_dir: &Path,
    plan: &Plan,
) -> WithFindings<Option<&'s SubmitKey>> {
    let written = submit
        .key
        .as_ref()
        .filter(|_| submit.key_location.is_none());
    let Some(key) = written else {
        return None.into();
    };
    let name = key.file_name();
    let path = output_dir.join(&name);
    let is_its_own = || {
        containment::read_text(&path, containment::MAX_FILE_BYTES)
            .is_ok_and(|text| text.trim() == key.reveal())
    };
    let what = if plan.has_name_of_set(&name) {
        "has the name of a sitemap"
    } else if path.symlink_metadata().is_ok() && !is_its_own() {
        "has the name of another file of the site"
    } else {
        return Some(key).into();
    };
    let message = format!("the key file for `submit.key` {what}, so it is not written");
    let finding =
        Finding::new(code::KEY_FILE_TAKEN, Subject::Site, message).with_hint("use another key");
    WithFindings::new(None, vec![finding])
}

/// Reports files that exceed the size limit because of a single entry.
fn over_limit(plan: &Plan, limit: usize) -> Vec<Finding> {
    let over = plan.files().iter().filter(|file| file.bytes > limit);
    over.map(|file| {
        let message = format!(
            "`{}` has {} bytes, more than `sitemap.max_bytes` ({limit})",
            file.name, file.bytes
        );
        let hint = format!("raise the limit, up to {MAX_SITEMAP_BYTES}");
        Finding::new(code::SITEMAP_OVER_LIMIT, Subject::Site, message).with_hint(hint)
    })
    .collect()
}

/// A new robots.txt; unchanged by default.
#[derive(Default)]
struct EditedRobots {
    /// Its new text, if it changes.
    text: Option<Vec<u8>>,
    lines: RobotsLines,
}

/// Adds the sitemaps of a plan to robots.txt and removes those that no longer exist. `find_feeds`
/// is given the sitemaps that robots.txt names; `gone` returns those of the others that no longer
/// exist after this run.
fn robots_with(
    robots: &RobotsFile,
    base: &BaseUrl,
    plan: &Plan,
    find_feeds: impl FnOnce(&BTreeSet<PageUrl>) -> SiteFeeds,
    gone: impl FnOnce(&[&PageUrl]) -> Result<Vec<PageUrl>, DiskError>,
) -> Result<WithFindings<EditedRobots>, DiskError> {
    let mut sitemaps: Vec<PageUrl> = plan.roots().collect();
    if sitemaps.is_empty() || !robots.is_readable() {
        return Ok(WithFindings::default());
    }
    if robots.bytes().is_none() && !base.is_host_root() {
        let finding = robots_elsewhere(&sitemaps[0], base);
        return Ok(WithFindings::new(EditedRobots::default(), vec![finding]));
    }
    let (old, named) = (robots.bytes(), robots.sitemaps());
    let feeds = find_feeds(&named);
    let mut findings = feeds.findings;
    sitemaps.extend(feeds.named);
    let others: Vec<&PageUrl> = named.iter().filter(|url| !sitemaps.contains(url)).collect();
    let stale: Vec<PageUrl> = gone(&others)?.into_iter().chain(feeds.gone).collect();
    let edit = add_sitemaps(old, &sitemaps, &stale);
    findings.extend(edit.findings(&robots.path));
    let edited = match edit.change {
        RobotsChange::Changed(bytes) => {
            let now = sitemaps_in(&bytes);
            let lines = RobotsLines {
                added: now.difference(&named).count(),
                removed: named.difference(&now).count(),
            };
            EditedRobots {
                text: Some(bytes),
                lines,
            }
        }
        RobotsChange::Unchanged | RobotsChange::Refused(_) => EditedRobots::default(),
    };
    Ok(WithFindings::new(edited, findings))
}

/// Reports that no robots.txt names a sitemap, because it belongs at the root of the host.
fn robots_elsewhere(sitemap: &PageUrl, base: &BaseUrl) -> Finding {
    let message = format!(
        "the site is not at the root of its host, where robots.txt belongs, so no robots.txt \
         names `{sitemap}`"
    );
    Finding::new(code::ROBOTS_TXT_ELSEWHERE, Subject::Site, message).with_hint(format!(
        "add `Sitemap: {sitemap}` to the robots.txt of {}",
        base.origin()
    ))
}

/// Returns the globs of the sitemaps that the generator writes besides `sitemap.xml`.
fn own_sitemaps(generator: Option<&Generator>) -> PatternSet {
    let globs = generator
        .into_iter()
        .flat_map(|generator| &generator.own_sitemaps);
    PatternSet::parse(globs).expect("a test checks every glob of the manifest")
}

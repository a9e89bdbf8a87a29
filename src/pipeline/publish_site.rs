//! Publishes an inventory: the sitemaps, robots.txt with its lines, and the changes from the
//! previous files.

use super::extras::plan_of;
use super::inventory::Inventory;
use super::robots::RobotsFile;
use super::site_feeds;
use super::survey::Survey;
use crate::publish::{
    DiskError, LockedOutputDir, PublishReport, SurroundingFiles, WriteMode, leftovers,
    sitemaps_of_old_base_url,
};
use crate::settings::SubmitKey;
use site_paths::containment;
use site_paths::finding::{Finding, Subject, code};
use site_paths::glob::PatternSet;
use site_paths::{BaseUrl, MAX_SITEMAP_BYTES, PageUrl, SitePath};
use sitemaps::robots_txt::{RobotsChange, add_sitemaps, sitemaps_in};
use sitemaps::{Plan, SitemapChanges};

/// Files that were published, or would be in a dry run.
#[derive(Debug)]
pub struct PublishedSite {
    /// The sitemaps.
    pub plan: Plan,
    /// How they differ from the previous sitemaps.
    pub changes: SitemapChanges,
    /// The published files.
    pub placed: PublishReport,
    /// The number of lines that robots.txt gains and loses.
    pub robots_lines: RobotsLines,
}

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Lines for sitemaps that it did not name before.
    pub added: usize,
    /// Lines for sitemaps that no longer exist.
    pub removed: usize,
}

/// Lays out the sitemaps of an inventory and publishes them.
pub fn publish_inventory(
    survey: &Survey<'_>,
    robots: &RobotsFile,
    inventory: &mut Inventory,
    effect: WriteMode,
) -> Result<PublishedSite, DiskError> {
    let plan = plan_of(survey, inventory);
    if inventory.listed() == 0 {
        inventory.findings.push(nothing_listed(survey, inventory));
    }
    inventory.findings.extend(over_limit(survey, &plan));
    let changes = SitemapChanges::between(&survey.output(), &plan);
    publish_plan(survey, robots, plan, changes, inventory, effect)
}

/// Publishes the sitemaps of a plan; problems and removed files are added to the inventory's
/// findings.
pub fn publish_plan(
    survey: &Survey<'_>,
    robots: &RobotsFile,
    plan: Plan,
    changes: SitemapChanges,
    inventory: &mut Inventory,
    effect: WriteMode,
) -> Result<PublishedSite, DiskError> {
    inventory.findings.extend(
        changes
            .outside_site
            .iter()
            .map(|file| site_feeds::symlink_outside(file, "it is not read")),
    );
    // Lock first, so that robots.txt is edited as the previous run left it.
    let dir = LockedOutputDir::open(&survey.output_dir, effect)?;
    let robots = &robots.again(survey, &mut inventory.findings);
    let own_sitemaps = own_sitemaps(survey);
    let is_generators_sitemap = |name: &str| own_sitemaps.matches(name.as_bytes());
    let base = inventory.base.clone();
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
    let (robots_txt, robots_lines) = robots_with(survey, robots, &plan, gone, inventory)?;
    let key = key_to_write(survey, &plan, &mut inventory.findings);
    let surroundings = SurroundingFiles {
        robots_txt: robots_txt.as_deref(),
        key,
        is_generators_sitemap: &is_generators_sitemap,
    };
    let placed = dir.place(&plan, surroundings)?;
    let what = if effect == WriteMode::Write {
        "was"
    } else {
        "would be"
    };
    inventory.findings.extend(placed.removed.iter().map(|file| {
        let message =
            format!("`{file}` belongs to an earlier or foreign sitemap and {what} removed");
        Finding::new(
            code::STALE_FILE_REMOVED,
            Subject::Page(file.clone(), None),
            message,
        )
    }));
    inventory
        .findings
        .extend(left_alone(&placed.unproven, robots, &inventory.base));
    Ok(PublishedSite {
        plan,
        changes,
        placed,
        robots_lines,
    })
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
    survey: &'s Survey<'_>,
    plan: &Plan,
    findings: &mut Vec<Finding>,
) -> Option<&'s SubmitKey> {
    let submit = &survey.settings().submit;
    let key = submit
        .key
        .as_ref()
        .filter(|_| submit.key_location.is_none())?;
    let name = key.file_name();
    let path = survey.output_dir.join(&name);
    let is_its_own = || {
        containment::read_text(&path, containment::MAX_FILE_BYTES)
            .is_ok_and(|text| text.trim() == key.reveal())
    };
    let what = if plan.has_name_of_set(&name) {
        "has the name of a sitemap"
    } else if path.symlink_metadata().is_ok() && !is_its_own() {
        "has the name of another file of the site"
    } else {
        return Some(key);
    };
    let message = format!("the key file for `submit.key` {what}, so it is not written");
    findings.push(
        Finding::new(code::KEY_FILE_TAKEN, Subject::Site, message).with_hint("use another key"),
    );
    None
}

/// Reports files that exceed the size limit because of a single entry.
fn over_limit(survey: &Survey<'_>, plan: &Plan) -> Vec<Finding> {
    let limit = survey.settings().sitemap.max_bytes;
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

fn nothing_listed(survey: &Survey<'_>, inventory: &Inventory) -> Finding {
    let mut reasons: Vec<(&str, usize)> = inventory.exclusion_counts().into_iter().collect();
    reasons.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let reasons: Vec<String> = reasons
        .into_iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let message = format!(
        "every page is excluded ({}), so no sitemap is written",
        reasons.join(", ")
    );
    Finding::new(
        code::NOTHING_LISTED,
        Subject::File(survey.output_dir.clone(), None),
        message,
    )
    .with_hint(
        "`waypost explain` shows the reason for each page; an existing sitemap is not changed",
    )
}

/// Returns the new text of robots.txt and the number of lines gained and lost. `gone` returns the
/// sitemaps that no longer exist after this run; it is given the other sitemaps that robots.txt
/// names.
fn robots_with(
    survey: &Survey<'_>,
    robots: &RobotsFile,
    plan: &Plan,
    gone: impl FnOnce(&[&PageUrl]) -> Result<Vec<PageUrl>, DiskError>,
    inventory: &mut Inventory,
) -> Result<(Option<Vec<u8>>, RobotsLines), DiskError> {
    let mut sitemaps: Vec<PageUrl> = plan.roots().collect();
    if sitemaps.is_empty() || !survey.settings().robots_txt.update || !robots.is_readable() {
        return Ok((None, RobotsLines::default()));
    }
    if robots.bytes().is_none() && !inventory.base.is_host_root() {
        let message = format!(
            "the site is not at the root of its host, where robots.txt belongs, so no robots.txt \
             names `{}`",
            sitemaps[0]
        );
        let finding =
            Finding::new(code::ROBOTS_TXT_ELSEWHERE, Subject::Site, message).with_hint(format!(
                "add `Sitemap: {}` to the robots.txt of {}",
                sitemaps[0],
                inventory.base.origin()
            ));
        inventory.findings.push(finding);
        return Ok((None, RobotsLines::default()));
    }
    let (old, named) = (robots.bytes(), robots.sitemaps());
    let feeds = site_feeds::find(survey, plan, &named, inventory);
    sitemaps.extend(feeds.named);
    let others: Vec<&PageUrl> = named.iter().filter(|url| !sitemaps.contains(url)).collect();
    let stale: Vec<PageUrl> = gone(&others)?.into_iter().chain(feeds.gone).collect();
    let edit = add_sitemaps(old, &sitemaps, &stale);
    inventory.findings.extend(edit.findings(&robots.path));
    match edit.change {
        RobotsChange::Changed(bytes) => {
            let now = sitemaps_in(&bytes);
            let (added, removed) = (
                now.difference(&named).count(),
                named.difference(&now).count(),
            );
            Ok((Some(bytes), RobotsLines { added, removed }))
        }
        RobotsChange::Unchanged | RobotsChange::Refused(_) => Ok((None, RobotsLines::default())),
    }
}

/// Returns the globs of the sitemaps that the generator writes besides `sitemap.xml`.
fn own_sitemaps(survey: &Survey<'_>) -> PatternSet {
    let globs = survey
        .site
        .generator
        .into_iter()
        .flat_map(|generator| &generator.own_sitemaps);
    PatternSet::parse(globs).expect("a test checks every glob of the manifest")
}

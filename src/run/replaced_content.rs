//! The content that a run takes from the sitemaps that it replaces: the pages that they omit, images, and
//! entries without a file, at URLs where a server answers (`sitemap.keep`).

use std::collections::{BTreeMap, BTreeSet};

use crate::config::PageOverrides;
use crate::decide::is_language_code;
use crate::decide::rules::{ExcludedBy, RuleOutcome, RuleSet};
use crate::files::glob::PatternSet;
use crate::files::tree::Tree;
use crate::findings::{Finding, code};
use crate::hosts::candidate_files;
use crate::pages::{GeneratorSitemap, Pages};
use crate::settings::OmittedPages;
use crate::site::{ExclusionRules, LoadedSite};
use crate::survey::{ReplacedEntry, file_at};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, decode};
use sitemaps::{EntryLinks, LastMod, MAX_IMAGES, RuleValues, SitemapEntry, quoted};

/// Returns which pages the generator's own sitemap omits, if the settings follow it. Where that
/// sitemap has been replaced, waypost's own set says so.
pub(super) fn generator_sitemap(loaded: &LoadedSite, base: &BaseUrl) -> Option<GeneratorSitemap> {
    let replaced = &loaded.replaced;
    if loaded.settings().sitemap.omitted != OmittedPages::Exclude {
        return None;
    }
    if replaced.foreign.is_empty() {
        return Some(GeneratorSitemap::Omits(replaced.omitted.clone()));
    }
    let mut listed = BTreeSet::new();
    for file in loaded.replaced_files() {
        for entry in file.entries.iter() {
            let url = base.resolve(&entry.loc);
            listed.extend(url.into_iter().flat_map(|url| candidate_files(base, &url)));
        }
    }
    // A sitemap for another base URL says nothing about these pages.
    (!listed.is_empty()).then_some(GeneratorSitemap::Lists(listed))
}

/// The sitemaps in directories at the top of the output directory: Docusaurus writes one for each
/// further language.
pub(super) fn sitemaps_of_dirs(output: &Tree, name: &str) -> Vec<SitePath> {
    let mut files = Vec::new();
    for entry in output.entries(output.path()) {
        let file = entry.path().join(name);
        if output.is_file(&file) {
            files.extend(SitePath::below(output.path(), &file));
        }
    }
    files
}

/// Counts the language links of sitemaps of other programs that no page can have: those of a page that
/// is not listed, those to such a page, and what then remains if a page has only a link to itself.
pub(super) fn dropped_links(
    loaded: &LoadedSite,
    replaced: &[ReplacedEntry],
    pages: &Pages,
) -> usize {
    if loaded.replaced.foreign.is_empty() {
        return 0;
    }
    let listed_at = |url: &str| {
        let index = pages.index_at(&pages.base.resolve(url)?)?;
        pages[index].is_listed().then_some(index)
    };
    let mut dropped = 0;
    for entry in replaced {
        let Some(own) = listed_at(&entry.loc) else {
            dropped += entry.alternates.len();
            continue;
        };
        let targets: Vec<usize> = entry
            .alternates
            .iter()
            .filter_map(|(_, url)| listed_at(url))
            .collect();
        let is_alone = targets.iter().all(|target| *target == own);
        let kept = if is_alone { 0 } else { targets.len() };
        dropped += entry.alternates.len() - kept;
    }
    dropped
}

/// A date that this share of a set has is that of its build: a third.
const SHARE_OF_BUILD: usize = 3;

/// Returns the entries of the replaced set that the settings keep: below the base URL, without a file, and not
/// excluded by a rule or robots.txt. Their links are taken out of `stated`, and `used` gets the rules that match
/// such an entry.
pub(super) fn kept_entries(
    loaded: &LoadedSite,
    base: &BaseUrl,
    exclusion: &ExclusionRules,
    stated: &mut Vec<ReplacedEntry>,
    used: &mut Vec<usize>,
) -> Vec<SitemapEntry> {
    let settings = loaded.settings();
    let mut kept = BTreeMap::new();
    if settings.sitemap.keep.is_empty() {
        return Vec::new();
    }
    let globs = PatternSet::new(settings.sitemap.keep.iter());
    let rules = RuleSet::new(&settings.rules);
    let robots = exclusion
        .robots
        .as_ref()
        .map(|robots| robots.rules_for_agents(&settings.robots_txt.agents));
    let days_of_build = days_of_build(loaded);
    for entry in loaded
        .replaced_files()
        .into_iter()
        .flat_map(|file| file.entries.iter())
    {
        let Some(url) = base.resolve(&entry.loc) else {
            continue;
        };
        let Some(path) = base.path_below(&url).map(decode) else {
            continue;
        };
        if !globs.matches(&path)
            || file_at(&loaded.output, base, &url).is_some()
            || robots
                .as_ref()
                .is_some_and(|rules| rules.disallowing(&url).is_some())
        {
            continue;
        }
        let matched = rules.evaluate(&SitePath::new(&path), &path).matched;
        let outcome = RuleOutcome::of(
            &settings.rules,
            &matched,
            &PageOverrides::default(),
            &RuleValues::default(),
        );
        used.extend(matched);
        if matches!(outcome.excluded_by, Some(ExcludedBy::Rule(_))) {
            continue;
        }
        let date = entry.date.date().filter(|date| {
            date.seconds() <= loaded.now.0 && !days_of_build.contains(&day_of(*date))
        });
        kept.insert(
            entry.loc.into_owned(),
            SitemapEntry {
                loc: url,
                lastmod: date,
                by_rule: outcome.entry,
                links: None,
            },
        );
    }
    stated.retain(|entry| {
        let Some(kept) = kept.get_mut(&entry.loc) else {
            return true;
        };
        let mut links = EntryLinks::default();
        let alternates = entry.alternates.iter().filter_map(|(language, url)| {
            let url = base.resolve(url)?;
            is_language_code(language).then_some((language, url))
        });
        links.alternates = alternates.collect();
        links.are_kept = !links.alternates.is_empty();
        links.images = entry
            .images
            .iter()
            .take(MAX_IMAGES)
            .filter_map(|image| base.resolve(image))
            .collect();
        kept.links = links.shared();
        false
    });
    kept.into_values().collect()
}

/// The days that a third of the entries of another program's set have, which are those of a build.
fn days_of_build(loaded: &LoadedSite) -> Vec<i64> {
    if loaded.replaced.foreign.is_empty() {
        return Vec::new();
    }
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    let mut all = 0;
    for file in loaded.replaced_files() {
        for entry in file.entries.iter() {
            all += 1;
            if let Some(date) = entry.date.date() {
                *counts.entry(day_of(date)).or_default() += 1;
            }
        }
    }
    counts.retain(|_, count| *count > 1 && *count * SHARE_OF_BUILD >= all);
    counts.into_keys().collect()
}

fn day_of(date: LastMod) -> i64 {
    date.seconds().div_euclid(24 * 60 * 60)
}

/// Gives the listed pages the images that the replaced sitemap states. Those that the build did not write
/// are reported.
pub(super) fn keep_images(loaded: &LoadedSite, replaced: &[ReplacedEntry], pages: &mut Pages) {
    let base = &pages.base.clone();
    for entry in replaced.iter().filter(|entry| !entry.images.is_empty()) {
        let Some(url) = base.resolve(&entry.loc) else {
            continue;
        };
        let Some(index) = pages.index_at(&url) else {
            continue;
        };
        let page = &mut pages[index];
        let mut links = page.links.as_deref().cloned().unwrap_or_default();
        if !page.is_listed() || !links.images.is_empty() {
            continue;
        }
        let mut images = Vec::new();
        for image in &entry.images {
            let Some(url) = base.resolve(image) else {
                continue;
            };
            if is_missing(&loaded.output, base, &url) {
                loaded.findings.add(missing_image(&page.file, &url));
            } else if images.len() < MAX_IMAGES && !images.contains(&url) {
                images.push(url);
            }
        }
        links.images = images.into();
        page.links = links.shared();
    }
}

/// Whether a file of the site at `base` is missing in its output directory. A file elsewhere is not
/// known, nor is one without an extension that a server may make by a query: `/_next/image?url=…`.
fn is_missing(output: &Tree, base: &BaseUrl, url: &PageUrl) -> bool {
    let Some(path) = base.path_below(url) else {
        return false;
    };
    let (path, query) = path
        .split_once('?')
        .map_or((path, None), |(p, q)| (p, Some(q)));
    let name = path.rsplit('/').next().unwrap_or(path);
    if query.is_some() && !name.contains('.') {
        return false;
    }
    let text = url.as_str();
    let without_query = query.and_then(|_| url.resolve(text.split_once('?')?.0));
    file_at(output, base, without_query.as_ref().unwrap_or(url)).is_none()
}

/// Reports a missing image that a page names.
fn missing_image(page: &SitePath, url: &PageUrl) -> Finding {
    let message = format!(
        "`{page}` names the image `{}`, which the build did not write, so the sitemap omits it",
        quoted(url.as_str())
    );
    let hint = "correct the link, or add the file";
    Finding::new(code::IMAGE_OMITTED, page, message).with_hint(hint)
}

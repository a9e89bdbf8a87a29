//! Entries of the replaced set without a file, at URLs where a server answers: `sitemap.keep`.

use std::collections::BTreeMap;

use crate::config::PageOverrides;
use crate::decide::is_language_code;
use crate::decide::rules::{ExcludedBy, RuleOutcome, RuleSet};
use crate::files::glob::PatternSet;
use crate::site::{ExclusionRules, LoadedSite};
use crate::survey::{ReplacedEntry, file_at};
use sitemaps::site_paths::{BaseUrl, SitePath, decode};
use sitemaps::{EntryLinks, LastMod, MAX_IMAGES, RuleValues, SitemapEntry};

/// A date that this share of a set has is that of its build: a third.
const SHARE_OF_BUILD: usize = 3;

/// Returns the entries of the replaced set that the settings keep: below the base URL, without a file, and not
/// excluded by a rule or robots.txt. Their links are taken out of `stated`, and `used` gets the rules that match
/// such an entry.
pub(super) fn kept_entries(
    loaded: &LoadedSite<'_>,
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
        let Ok(url) = base.resolve(&entry.loc) else {
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
            let url = base.resolve(url).ok()?;
            is_language_code(language).then_some((language, url))
        });
        links.alternates = alternates.collect();
        links.are_kept = !links.alternates.is_empty();
        links.images = entry
            .images
            .iter()
            .take(MAX_IMAGES)
            .filter_map(|image| base.resolve(image).ok())
            .collect();
        kept.links = links.shared();
        false
    });
    kept.into_values().collect()
}

/// The days that a third of the entries of another program's set have, which are those of a build.
fn days_of_build(loaded: &LoadedSite<'_>) -> Vec<i64> {
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

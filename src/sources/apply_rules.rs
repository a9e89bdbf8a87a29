//! Applies the rules to every page and finds its source, before any page is read.

use std::collections::HashMap;
use std::sync::Arc;

use super::file_history::FilesToDate;
use super::mapped_sources::MappedSources;
use super::page_overrides::PageOverridesReader;
use super::source_finder::{SiteSources, SourceFinder};
use crate::config::PageOverrides;
use crate::decide::rules::{
    ExcludedBy, RuleOutcome, RuleSet, RuleSource, excluding_rule, unused_rules,
};
use crate::findings::Findings;
use crate::generators::Site;
use crate::hosts::UrlForm;
use crate::pages::{PageSource, Pages};
use crate::settings::Settings;

/// Applies the rules to every page and finds its source. `used_rules` match something else than a page.
pub(crate) fn apply_rules(
    site: &Site<'_>,
    settings: &Settings,
    sources: &mut SiteSources,
    mapped: &MappedSources,
    mut used_rules: Vec<usize>,
    pages: &mut Pages,
    findings: &Findings,
) -> FilesToDate {
    let rules = RuleSet::new(&settings.rules);
    let outcomes: Vec<_> = pages
        .iter()
        .map(|page| rules.evaluate(&page.file, &UrlForm::of(settings).path_of(&page.file)))
        .collect();
    let named = outcomes.iter().filter_map(|outcome| match &outcome.source {
        RuleSource::File(path) => Some(path),
        _ => None,
    });
    sources
        .content
        .add_named(site, named.chain(mapped.sources()), findings);
    let finder = SourceFinder {
        site,
        sources,
        mapped,
    };

    // By matching rules and overrides.
    let mut shared_outcomes = HashMap::new();
    let mut overrides = PageOverridesReader::new(site, &sources.content);
    let defaults = PageOverridesReader::defaults(site);
    let mut to_date = FilesToDate::default();
    let found = Findings::default();
    for (index, (page, outcome)) in pages.iter_mut().zip(outcomes).enumerate() {
        let file = &page.file;
        let (mut source, mut own) = (None, PageOverrides::default());
        let excluding = excluding_rule(&settings.rules, &outcome.matched);
        // Front matter can override a rule that excludes the page.
        if excluding.is_none() || overrides.is_known() {
            source = finder.find(index, file, &outcome, &found);
            if let Some(file) = source.as_ref().and_then(PageSource::file) {
                own = overrides.of(file, &found);
            }
        }
        let shared = shared_outcomes
            .entry((outcome.matched.clone(), own))
            .or_insert_with_key(|(matched, own)| {
                Arc::new(RuleOutcome::of(&settings.rules, matched, own, &defaults))
            });
        let rule_outcome = Arc::clone(shared);
        let excluded = rule_outcome.excluded_by.is_some();
        // Mistakes in the source of a page that a rule excludes do not matter.
        let found = found.take_sorted();
        if matches!(rule_outcome.excluded_by, Some(ExcludedBy::Rule(_))) {
            source = None;
        } else {
            findings.extend(found);
        }
        // If the source named by a rule is missing, the other sources could give a date that is too
        // old.
        let lacks_source = outcome.source != RuleSource::Unset && source.is_none();
        let is_dated = !excluded && !lacks_source && rule_outcome.wants_history(&settings.lastmod);
        if is_dated && source.is_some() {
            to_date.add_source(index);
        }
        page.rule_outcome = rule_outcome;
        page.source = source;
    }
    used_rules.extend(shared_outcomes.into_keys().flat_map(|(rules, _)| rules));
    findings.extend(unused_rules(&settings.rules, used_rules));
    to_date
}

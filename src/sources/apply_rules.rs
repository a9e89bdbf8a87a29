//! Applies the rules, and the overrides in the front matter of sources, to every page and finds its
//! source, before any page is read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::file_history::FilesToDate;
use super::mapped_sources::MappedSources;
use super::source_finder::{SiteSources, SourceFinder};
use crate::config::PageOverrides;
use crate::decide::rules::{
    ExcludedBy, RuleOutcome, RuleSet, RuleSource, excluding_rule, unused_rules,
};
use crate::findings::{Findings, Subject};
use crate::generators::{ContentIndex, Generator, Site};
use crate::hosts::UrlForm;
use crate::pages::{PageSource, Pages};
use crate::site::LoadedSite;
use sitemaps::RuleValues;
use sitemaps::site_paths::SitePath;

/// Applies the rules to every page and finds its source. `used_rules` match something else than a page.
pub(crate) fn apply_rules(
    loaded: &LoadedSite,
    sources: &mut SiteSources,
    mapped: &MappedSources,
    mut used_rules: Vec<usize>,
    pages: &mut Pages,
) -> FilesToDate {
    let (site, settings, findings) = (&loaded.site, loaded.settings(), &loaded.findings);
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

/// Reads page overrides, each source once: several pages may share one.
pub(crate) struct PageOverridesReader<'s> {
    site_root: &'s Path,
    content: &'s ContentIndex,
    /// The path of waypost's own table.
    ours: Option<&'s str>,
    /// The path of the generator's table.
    own: Option<&'s str>,
    cache: HashMap<&'s SitePath, PageOverrides>,
}

impl<'s> PageOverridesReader<'s> {
    pub(crate) fn new(site: &'s Site, content: &'s ContentIndex) -> Self {
        Self {
            site_root: &site.root,
            content,
            ours: site.generator.and_then(Generator::page_settings),
            own: site
                .generator
                .and_then(|generator| generator.page_table.as_deref()),
            cache: HashMap::new(),
        }
    }

    /// Returns the values that the generator's own settings give all pages, in the table that pages
    /// may have too.
    fn defaults(site: &Site) -> RuleValues {
        let mut values = PageOverrides::default();
        if let Some(path) = site.generator.and_then(|known| known.page_table.as_deref())
            && let Some(table) = site.config.get(path)
        {
            // Pages have no say in them.
            values.add_of_hugo(path, table, &Subject::Site, &Findings::default());
        }
        RuleValues {
            changefreq: values.changefreq,
            priority: values.priority,
            group: None,
        }
    }

    /// Whether this generator supports page overrides.
    fn is_known(&self) -> bool {
        self.ours.is_some() || self.own.is_some()
    }

    /// Returns the overrides in the front matter of a source. waypost's own table overrides the
    /// generator's.
    pub(crate) fn of(&mut self, source: &SitePath, findings: &Findings) -> PageOverrides {
        if let Some(known) = self.cache.get(source) {
            return known.clone();
        }
        let mut values = PageOverrides::default();
        let Some(file) = self.content.file(source) else {
            return values;
        };
        let subject = Subject::File(source.below_dir(self.site_root), None);
        if let Some(path) = self.own
            && let Some(table) = file.front_matter.value(path)
        {
            values.add_of_hugo(path, table, &subject, findings);
        }
        if let Some(path) = self.ours
            && let Some(table) = file.front_matter.value(path)
        {
            values.add(path, table, &subject, findings);
        }
        self.cache.insert(&file.path, values.clone());
        values
    }
}

//! Reads per-page overrides from the front matter of sources.

use std::collections::HashMap;
use std::path::Path;

use crate::config::PageOverrides;
use crate::findings::{Findings, Subject};
use crate::generators::{ContentIndex, Generator, Site};
use sitemaps::RuleValues;
use sitemaps::site_paths::SitePath;

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
    pub(crate) fn new(site: &'s Site<'s>, content: &'s ContentIndex) -> Self {
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
    pub(super) fn defaults(site: &Site<'_>) -> RuleValues {
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
    pub(super) fn is_known(&self) -> bool {
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
        let table = |path: Option<&'s str>| Some((path?, file.front_matter.value(path?)?));
        if let Some((path, table)) = table(self.own) {
            values.add_of_hugo(path, table, &subject, findings);
        }
        if let Some((path, table)) = table(self.ours) {
            values.add(path, table, &subject, findings);
        }
        self.cache.insert(&file.path, values.clone());
        values
    }
}

//! Reads per-page overrides from the front matter of sources.

use std::collections::HashMap;
use std::path::Path;

use crate::config::{Mistake, PageOverrides, PageTable, page_mistakes, read_page_overrides};
use page_sources::generator::{ContentIndex, FrontMatterText, Generator, Site};
use sitemaps::RuleValues;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

/// Reads page overrides, each source once: several pages may share one.
pub(super) struct PageOverridesReader<'s> {
    site_root: &'s Path,
    content: &'s ContentIndex,
    tables: Vec<PageTable<'s>>,
    cache: HashMap<&'s SitePath, PageOverrides>,
}

impl<'s> PageOverridesReader<'s> {
    pub(super) fn new(site: &'s Site<'s>, content: &'s ContentIndex) -> Self {
        let own = site.generator.and_then(Generator::own_page_settings);
        let ours = site.generator.and_then(Generator::page_settings);
        let own = own.map(PageTable::of_generator).into_iter();
        Self {
            site_root: &site.root,
            content,
            tables: own.chain(ours.map(PageTable::of_waypost)).collect(),
            cache: HashMap::new(),
        }
    }

    /// Returns the values that the generator's own settings give all pages, in the table that pages
    /// may have too.
    pub(super) fn of_site(site: &Site<'_>) -> RuleValues {
        let path = site.generator.and_then(Generator::own_page_settings);
        let table = path.and_then(|path| Some((path, site.config.get(path)?)));
        let Some((path, table)) = table else {
            return RuleValues::default();
        };
        let settings = serde_json::json!({ path: table });
        let read = read_page_overrides(&settings, &[PageTable::of_generator(path)]);
        let values = read.unwrap_or_else(|valid| valid);
        RuleValues {
            changefreq: values.changefreq,
            priority: values.priority,
            group: None,
        }
    }

    /// Whether this generator supports page overrides.
    pub(super) fn is_known(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns the overrides in the front matter of a source.
    pub(super) fn of(&mut self, source: &SitePath) -> WithFindings<Option<&PageOverrides>> {
        let content = self.content;
        let Some(file) = content.file(source) else {
            return None.into();
        };
        if !self
            .tables
            .iter()
            .any(|table| file.front_matter.value(table.path).is_some())
        {
            return None.into();
        }
        let mut findings = Vec::new();
        if !self.cache.contains_key(source) {
            let words = read_page_overrides(file.front_matter.as_json(), &self.tables)
                .unwrap_or_else(|words| {
                    findings = self.mistakes_in(source);
                    words
                });
            self.cache.insert(&file.path, words);
        }
        WithFindings::new(self.cache.get(source), findings)
    }

    /// Reports the mistakes in a page's overrides, each with its place in the source.
    fn mistakes_in(&self, source: &SitePath) -> Vec<Finding> {
        let file = source.below_dir(self.site_root);
        let Ok(Some(front_matter)) = FrontMatterText::read(&file) else {
            // It was readable a moment ago.
            let message =
                format!("the front matter of `{source}` changed while waypost was reading it");
            let subject = Subject::File(file, None);
            return vec![Finding::new(code::SETTINGS_IGNORED, subject, message)];
        };
        let mistakes =
            page_mistakes(&front_matter.text, front_matter.syntax, &self.tables).into_iter();
        mistakes
            .map(|mistake| wrong(&file, front_matter.start, mistake))
            .collect()
    }
}

fn wrong(file: &Path, start: usize, mistake: Mistake) -> Finding {
    let place = mistake.origin.place().map(|place| place.shifted_by(start));
    let message = format!("{}, so it is ignored", mistake.message);
    let finding = Finding::new(
        code::SETTINGS_IGNORED,
        Subject::File(file.to_owned(), place),
        message,
    );
    Finding {
        hint: mistake.hint,
        ..finding
    }
}

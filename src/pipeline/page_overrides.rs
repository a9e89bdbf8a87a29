//! Reads per-page overrides from the front matter of sources.

use std::collections::HashMap;
use std::path::Path;

use super::survey::Survey;
use crate::config::{
    Mistake, PageOverrides, PageTable, TableOwner, page_mistakes, read_page_overrides,
};
use page_sources::generator::{ContentIndex, FrontMatterText};
use site_paths::SitePath;
use site_paths::finding::{Finding, Subject, code};

/// Reads page overrides, each source once: several pages may share one.
pub(super) struct PageOverridesReader<'s> {
    survey: &'s Survey<'s>,
    content: &'s ContentIndex,
    tables: Vec<PageTable<'s>>,
    cache: HashMap<&'s SitePath, PageOverrides>,
}

impl<'s> PageOverridesReader<'s> {
    pub(super) fn new(survey: &'s Survey<'s>, content: &'s ContentIndex) -> Self {
        let settings = survey
            .site
            .generator
            .into_iter()
            .flat_map(|generator| &generator.page_settings);
        let tables = settings.map(|settings| PageTable {
            path: &settings.table,
            exclude_key: &settings.exclude_key,
            foreign_keys: &settings.foreign_keys,
            owner: if settings.is_generators_own {
                TableOwner::Generator
            } else {
                TableOwner::Waypost
            },
        });
        Self {
            survey,
            content,
            tables: tables.collect(),
            cache: HashMap::new(),
        }
    }

    /// Whether this generator supports page overrides.
    pub(super) fn is_known(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns the overrides in the front matter of a source.
    pub(super) fn of(
        &mut self,
        source: &SitePath,
        findings: &mut Vec<Finding>,
    ) -> Option<&PageOverrides> {
        let content = self.content;
        let file = content.file(source)?;
        if !self
            .tables
            .iter()
            .any(|table| file.front_matter.value(table.path).is_some())
        {
            return None;
        }
        if !self.cache.contains_key(source) {
            let words = read_page_overrides(file.front_matter.as_json(), &self.tables)
                .unwrap_or_else(|words| {
                    self.report(source, findings);
                    words
                });
            self.cache.insert(&file.path, words);
        }
        self.cache.get(source)
    }

    /// Reports the mistakes in a page's overrides, each with its place in the source.
    fn report(&self, source: &SitePath, findings: &mut Vec<Finding>) {
        let file = source.below_dir(&self.survey.site.root);
        let Ok(Some(front_matter)) = FrontMatterText::read(&file) else {
            // It was readable a moment ago.
            let message =
                format!("the front matter of `{source}` changed while waypost was reading it");
            findings.push(Finding::new(
                code::PAGE_SETTING_WRONG,
                Subject::File(file, None),
                message,
            ));
            return;
        };
        let mistakes =
            page_mistakes(&front_matter.text, front_matter.syntax, &self.tables, &file).into_iter();
        findings.extend(mistakes.map(|mistake| wrong(&file, front_matter.start, mistake)));
    }
}

fn wrong(file: &Path, start: usize, mistake: Mistake) -> Finding {
    let place = mistake.origin.place().map(|place| place.shifted_by(start));
    let message = format!("{}, so it is ignored", mistake.message);
    let finding = Finding::new(
        code::PAGE_SETTING_WRONG,
        Subject::File(file.to_owned(), place),
        message,
    );
    Finding {
        hint: mistake.hint,
        ..finding
    }
}

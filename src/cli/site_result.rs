//! The site and its pages, with which the results of `build` and `check` begin.

use std::collections::BTreeMap;

use serde::Serialize;

use super::changes_result::NAMED_CHANGES;
use super::printer::Verbosity;
use super::text_layout::{FAINT, Part, STRONG, styled};
use crate::decide::reason_named;
use crate::findings::grouped;
use crate::pages::{Inventory, by_count};
use crate::site::{FoundBaseUrl, LoadedSite};
use sitemaps::site_paths::{display_path, escaped};

/// The site and its pages.
#[derive(Serialize)]
pub(super) struct SiteResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    pub(super) pages: PageCounts,
    #[serde(skip)]
    pub(super) loaded: &'a LoadedSite,
    #[serde(skip)]
    pub(super) base: &'a FoundBaseUrl,
    #[serde(skip)]
    pub(super) inventory: &'a Inventory,
}

/// The number of pages, and of excluded ones by reason.
#[derive(Serialize)]
pub(super) struct PageCounts {
    pub(super) found: usize,
    pub(super) listed: usize,
    excluded: BTreeMap<&'static str, usize>,
}

impl<'a> SiteResult<'a> {
    pub(super) fn new(
        loaded: &'a LoadedSite,
        base: &'a FoundBaseUrl,
        inventory: &'a Inventory,
    ) -> Self {
        Self {
            generator: loaded.site.generator.map(|generator| &*generator.name),
            base_url: base.url.as_str(),
            output_dir: display_path(loaded.output_dir()),
            pages: PageCounts {
                found: inventory.pages.len(),
                listed: inventory.pages.listed().count(),
                excluded: inventory.exclusion_counts(),
            },
            loaded,
            base,
            inventory,
        }
    }

    /// The parts of a summary.
    pub(super) fn parts(&self, volume: Verbosity) -> [Part; 5] {
        let generator = self.loaded.site.generator;
        let kind = generator.map_or("directory of HTML files", |generator| &generator.title);
        let kind = styled(FAINT, format!("({kind})"));
        let form = (volume == Verbosity::Verbose).then(|| self.loaded.place.form.to_string());
        let listed = styled(STRONG, grouped(self.pages.listed));
        let found = grouped(self.pages.found);
        [
            ("site", vec![base_text(self.base)]),
            ("output", vec![format!("{} {kind}", self.output_dir)]),
            ("URL form", Vec::from_iter(form)),
            ("pages", vec![format!("{listed} of {found} listed")]),
            ("excluded", self.excluded()),
        ]
    }

    /// The excluded pages by reason, named if there are few.
    fn excluded(&self) -> Vec<String> {
        let excluded = &self.pages.excluded;
        let mut named: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for page in &self.inventory.pages {
            let reason = page.verdict.exclusion().map(|why| why.reason.code.name);
            if let Some(reason) = reason.filter(|reason| excluded[reason] <= NAMED_CHANGES) {
                let path = escaped(page.url.path_and_query());
                named.entry(reason).or_default().push(path);
            }
        }
        count_lines(&by_count(excluded), |name| {
            let meaning = reason_named(name).map_or("", |reason| reason.meaning);
            let paths = named.get(name).map(|paths| paths.join(", ") + ": ");
            paths.unwrap_or_default() + &styled(FAINT, meaning)
        })
    }
}

/// The base URL and its origin.
pub(super) fn base_text(base: &FoundBaseUrl) -> String {
    let origin = styled(FAINT, format!("from {}", base.origin));
    format!("{} {origin}", base.url)
}

/// A line for each name with its meaning in a few words.
pub(super) fn count_lines(
    counts: &[(&str, usize)],
    meaning: impl Fn(&str) -> String,
) -> Vec<String> {
    let widths = counts.iter().map(|(_, count)| grouped(*count).len());
    let width = widths.max().unwrap_or_default();
    let names = counts.iter().map(|(name, _)| name);
    let explained = names.filter(|name| !meaning(name).is_empty());
    let name_width = explained.map(|name| name.len()).max().unwrap_or_default();
    let lines = counts.iter().map(|(name, count)| {
        let (count, meaning) = (grouped(*count), meaning(name));
        format!("{count:>width$} {name:name_width$}  {meaning}")
    });
    lines.collect()
}

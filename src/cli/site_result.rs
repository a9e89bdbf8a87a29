//! The site and its pages, with which the results of `build` and `check` begin.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::changes_result::NAMED_CHANGES;
use super::printer::Verbosity;
use super::text_layout::{FAINT, STRONG, row, rows, styled};
use crate::decide::reason_named;
use crate::pages::Inventory;
use crate::site::{FoundBaseUrl, LoadedSite};
use sitemaps::findings::grouped;
use sitemaps::site_paths::{display_path, escaped};

/// The site and its pages.
#[derive(Serialize)]
pub(super) struct SiteResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    pub(super) pages: PageCounts,
    #[serde(skip)]
    pub(super) loaded: &'a LoadedSite<'a>,
    #[serde(skip)]
    pub(super) base: &'a FoundBaseUrl,
}

/// The number of pages, and of excluded ones by reason.
#[derive(Serialize)]
pub(super) struct PageCounts {
    pub(super) found: usize,
    pub(super) listed: usize,
    excluded: BTreeMap<&'static str, usize>,
    /// The paths of the URLs of those that few pages have the reason of.
    #[serde(skip)]
    named: BTreeMap<&'static str, Vec<String>>,
}

impl<'a> SiteResult<'a> {
    pub(super) fn new(
        loaded: &'a LoadedSite<'a>,
        base: &'a FoundBaseUrl,
        inventory: &Inventory,
    ) -> Self {
        let excluded = inventory.exclusion_counts();
        let mut named: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for page in &inventory.pages {
            let reason = page.verdict.exclusion().map(|why| why.reason.code.name);
            if let Some(reason) = reason.filter(|reason| excluded[reason] <= NAMED_CHANGES) {
                let path = escaped(page.url.path_and_query()).into_owned();
                named.entry(reason).or_default().push(path);
            }
        }
        Self {
            generator: loaded.site.generator.map(|generator| &*generator.name),
            base_url: base.url.as_str(),
            output_dir: display_path(loaded.output_dir()),
            pages: PageCounts {
                found: inventory.pages.len(),
                listed: inventory.pages.listed().count(),
                excluded,
                named,
            },
            loaded,
            base,
        }
    }

    /// Adds the rows of a summary.
    pub(super) fn rows(&self, out: &mut String, volume: Verbosity) {
        base_row(out, self.base);
        let generator = self.loaded.site.generator;
        let kind = generator.map_or("directory of HTML files", |generator| &generator.title);
        let kind = styled(FAINT, format!("({kind})"));
        row(out, "output", &format!("{} {kind}", self.output_dir));
        if volume == Verbosity::Verbose {
            row(out, "URL form", &self.loaded.url_form.to_string());
        }
        let PageCounts {
            found,
            listed,
            excluded,
            named,
        } = &self.pages;
        let listed = styled(STRONG, grouped(*listed));
        row(
            out,
            "pages",
            &format!("{listed} of {} listed", grouped(*found)),
        );
        let counts = excluded
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count));
        count_rows(out, "excluded", counts.collect(), |name| {
            let meaning = reason_named(name).map_or("", |reason| reason.meaning);
            let paths = named.get(name).map(|paths| paths.join(", ") + ": ");
            paths.unwrap_or_default() + &styled(FAINT, meaning)
        });
    }
}

/// Adds the base URL and its origin.
pub(super) fn base_row(out: &mut String, base: &FoundBaseUrl) {
    let origin = styled(FAINT, format!("from {}", base.origin));
    row(out, "site", &format!("{} {origin}", base.url));
}

/// Adds a line for each name with its meaning in a few words, the largest count first.
pub(super) fn count_rows(
    out: &mut String,
    label: &str,
    mut counts: Vec<(String, usize)>,
    meaning: impl Fn(&str) -> String,
) {
    counts.sort_by_key(|(name, count)| (Reverse(*count), name.clone()));
    let widths = counts.iter().map(|(_, count)| grouped(*count).len());
    let width = widths.max().unwrap_or_default();
    let names = counts.iter().map(|(name, _)| name);
    let explained = names.filter(|name| !meaning(name).is_empty());
    let name_width = explained.map(String::len).max().unwrap_or_default();
    let texts = counts.iter().map(|(name, count)| {
        let (count, meaning) = (grouped(*count), meaning(name));
        format!("{count:>width$} {name:name_width$}  {meaning}")
    });
    rows(out, label, texts);
}

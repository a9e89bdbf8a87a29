//! Finds the pages that the owner of a site keeps out of the sitemap of its generator.

use std::collections::{BTreeMap, BTreeSet};

use super::ruled_page::RuledPage;
use super::source_finder::{PageSource, SourceStep};
use crate::hosts::UrlForm;
use crate::rules::ExcludedBy;
use crate::settings::{Rule, Settings};
use page_sources::generator::{ContentIndex, FrontMatter, Generator, Site, StatedExclusion};
use sitemaps::site_paths::SitePath;
use sitemaps::split::url_hash;

/// The pages that a generator's own sitemap omits, of those that it knows.
pub(crate) enum OwnSitemap {
    /// All but these are omitted.
    Lists(BTreeSet<SitePath>),
    /// Those with these hashes of their paths are.
    Omits(BTreeSet<u64>),
}

impl OwnSitemap {
    fn omits(&self, page: &SitePath) -> bool {
        match self {
            Self::Lists(pages) => !pages.contains(page),
            Self::Omits(hashes) => hashes.contains(&hash_of(page)),
        }
    }
}

/// A hash of the path of a page, which does not publish it.
fn hash_of(page: &SitePath) -> u64 {
    url_hash(&page.to_text())
}

/// Whether a page is made from one content file, which is neither copied nor the source of a list.
pub(crate) fn is_single_page(generator: &Generator, source: Option<&PageSource>) -> bool {
    let Some(PageSource::File(source, step)) = source else {
        return false;
    };
    let name = String::from_utf8_lossy(source.file_name()).into_owned();
    let plain_name = name.split('.').next().unwrap_or_default();
    *step != SourceStep::Copied && !generator.is_branch_index(plain_name)
}

/// Excludes the pages that the generator's own sitemap omits, and returns their hashes. Without one
/// that lists most pages, none is excluded.
pub(crate) fn exclude_omitted(
    site: &Site<'_>,
    own: &OwnSitemap,
    pages: &[SitePath],
    ruled: &[RuledPage],
    excluded: &mut BTreeMap<usize, ExcludedBy>,
) -> Vec<u64> {
    let Some(generator) = site.generator else {
        return Vec::new();
    };
    let is_omitted = |index: &usize| {
        let (page, ruled) = (&pages[*index], &ruled[*index]);
        is_single_page(generator, ruled.source.as_ref())
            && ruled.rule_outcome.page.exclude != Some(false)
            && ruled.rule_outcome.excluded_by.is_none()
            && own.omits(page)
    };
    let open = (0..pages.len()).filter(|index| !excluded.contains_key(index));
    let omitted: Vec<usize> = open.filter(is_omitted).collect();
    if omitted.len() * 2 > pages.len() {
        return Vec::new();
    }
    let why = format!(
        "`sitemap.omitted`: {}'s own sitemap omits it",
        generator.title
    );
    let reason = |index: &usize| (*index, ExcludedBy::Generator(why.clone()));
    excluded.extend(omitted.iter().map(reason));
    omitted
        .into_iter()
        .map(|index| hash_of(&pages[index]))
        .collect()
}

/// Returns what excludes each such page, by index. waypost's own settings and front matter take
/// precedence.
pub(crate) fn owner_exclusions(
    site: &Site<'_>,
    content: &ContentIndex,
    settings: &Settings,
    pages: &[SitePath],
    ruled: &[RuledPage],
) -> BTreeMap<usize, ExcludedBy> {
    let patterns = site.excluded_patterns();
    let title = site.generator.map_or("", |generator| &generator.title);
    let by_setting =
        |key: &str| ExcludedBy::Generator(format!("`{key}` in the settings of {title}"));
    let includes = |rule: &usize| {
        matches!(
            settings.rules[*rule],
            Rule {
                exclude: Some(false),
                ..
            }
        )
    };
    let excluded = |index: usize| {
        let (page, outcome) = (&pages[index], &ruled[index].rule_outcome);
        if outcome.page.exclude == Some(false) || outcome.rules.iter().any(includes) {
            return None;
        }
        if let Some((key, patterns)) = &patterns {
            let url_path = UrlForm::of(settings).path_of(page);
            if patterns.matches(page.as_bytes()) || patterns.matches(&url_path) {
                return Some(by_setting(key));
            }
        }
        let Some(source) = ruled[index].source.as_ref().and_then(PageSource::file) else {
            return site.excluded_term(page).map(by_setting);
        };
        let front_matter = match content.file(source) {
            Some(file) => &file.front_matter,
            None => &FrontMatter::default(),
        };
        Some(match site.exclusion_of(source, front_matter)? {
            StatedExclusion::FrontMatter => ExcludedBy::FrontMatter,
            StatedExclusion::Setting(key) => by_setting(&key),
        })
    };
    let found = (0..pages.len()).filter_map(|index| Some((index, excluded(index)?)));
    found.collect()
}

//! Finds the pages that the owner of a site keeps out of the sitemap of its generator.

use std::collections::BTreeSet;

use super::page::{Page, Pages};
use super::page_source::{PageSource, SourceStep};
use crate::decide::rules::ExcludedBy;
use crate::generators::{ContentIndex, FrontMatter, Generator, Site, StatedExclusion};
use crate::hosts::UrlForm;
use crate::settings::Settings;
use sitemaps::site_paths::SitePath;
use sitemaps::split::url_hash;

/// The pages that a generator's own sitemap omits, of those that it knows.
pub(crate) enum GeneratorSitemap {
    /// All but these are omitted.
    Lists(BTreeSet<SitePath>),
    /// Those with these hashes of their paths are.
    Omits(BTreeSet<u64>),
}

impl GeneratorSitemap {
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
pub(crate) fn exclude_omitted(site: &Site, own: &GeneratorSitemap, pages: &mut Pages) -> Vec<u64> {
    let Some(generator) = site.generator else {
        return Vec::new();
    };
    let count = pages.len();
    let omitted: Vec<&mut Page> = pages
        .iter_mut()
        .filter(|page| {
            page.excluded_by().is_none()
                && !page.is_wanted()
                && is_single_page(generator, page.source.as_ref())
                && own.omits(&page.file)
        })
        .collect();
    if omitted.len() * 2 > count {
        return Vec::new();
    }
    let title = &generator.title;
    let why = format!("`sitemap.omitted`: {title}'s own sitemap omits it");
    let mut hashes = Vec::with_capacity(omitted.len());
    for page in omitted {
        page.exclude(ExcludedBy::Generator(why.clone()));
        hashes.push(hash_of(&page.file));
    }
    hashes
}

/// Excludes the pages that the settings of the generator or the front matter of their sources keep out.
/// waypost's own settings and front matter take precedence. `is_pager` recognizes the further pages of lists.
pub(crate) fn owner_exclusions(
    site: &Site,
    content: &ContentIndex,
    is_pager: impl Fn(&SitePath) -> bool,
    settings: &Settings,
    pages: &mut Pages,
) {
    let patterns = site.excluded_patterns();
    let title = site.generator.map_or("", |generator| &generator.title);
    let by_setting =
        |key: &str| ExcludedBy::Generator(format!("`{key}` in the settings of {title}"));
    let excluded = |page: &Page| {
        if page.is_wanted()
            || page
                .rule_outcome
                .rules
                .iter()
                .any(|rule| settings.rules[*rule].exclude == Some(false))
        {
            return None;
        }
        if let Some((key, patterns)) = &patterns {
            let url_path = UrlForm::of(settings).path_of(&page.file);
            if patterns.matches(page.file.as_bytes()) || patterns.matches(&url_path) {
                return Some(by_setting(key));
            }
        }
        let source = page.source.as_ref().and_then(PageSource::file);
        if source.is_none()
            && let Some(key) = site.excluded_term(&page.file)
        {
            return Some(by_setting(key));
        }
        // In Jekyll, the path of a further page of a list is that in the output.
        let source = source.or_else(|| is_pager(&page.file).then_some(&page.file))?;
        let front_matter = match content.file(source) {
            Some(file) => &file.front_matter,
            None => &FrontMatter::default(),
        };
        Some(match site.exclusion_of(source, front_matter)? {
            StatedExclusion::FrontMatter => ExcludedBy::FrontMatter,
            StatedExclusion::Setting(key) => by_setting(&key),
        })
    };
    for page in pages.iter_mut() {
        if let Some(by) = excluded(page) {
            page.exclude(by);
        }
    }
}

//! Term pages (tags, categories) that list a page, derived from the terms in its front matter.

use serde_json::Value;

use super::content_file::ContentFile;
use super::content_name::ContentName;
use super::front_matter::scalar_to_string;
use super::own_config::OwnConfig;
use super::permalinks::HugoPageKind;
use super::profile::Generator;
use super::slugs::{SlugRules, SlugSubject};
use site_paths::SitePath;

/// The taxonomies of one site.
#[derive(Debug)]
pub struct Taxonomies<'a> {
    generator: &'a Generator,
    slugs: SlugRules<'a>,
    /// Names of the taxonomies that are top-level keys of the front matter.
    names: Vec<&'a str>,
    /// Names of the taxonomies that the settings list as tables, as in Zola.
    listed: Vec<&'a str>,
}

/// The names of a site's taxonomies that are top-level keys of the front matter.
pub(super) fn names_of<'a>(generator: &'a Generator, config: &'a OwnConfig) -> Vec<&'a str> {
    let Some(terms) = &generator.terms else {
        return Vec::new();
    };
    match terms
        .names_key
        .as_ref()
        .and_then(|key| config.get(key)?.as_object())
    {
        // Hugo maps singular to plural names; front matter and URLs use the plural.
        Some(table) => table.values().filter_map(Value::as_str).collect(),
        None => terms.names.iter().map(String::as_str).collect(),
    }
}

/// The kind of the page made from a content file.
pub(super) fn kind_of(
    generator: &Generator,
    taxonomies: &[&str],
    name: &ContentName<'_>,
) -> HugoPageKind {
    if !generator.is_branch_index(name.stem) {
        return HugoPageKind::Page;
    }
    let is_taxonomy = |first: &&str| {
        let mut known = taxonomies.iter();
        known.any(|known| known.eq_ignore_ascii_case(first))
    };
    match (name.dirs.first().is_some_and(is_taxonomy), name.dirs.len()) {
        (_, 0) => HugoPageKind::Home,
        (true, 1) => HugoPageKind::Taxonomy,
        (true, _) => HugoPageKind::Term,
        (false, _) => HugoPageKind::Section,
    }
}

fn listed_in<'a>(generator: &Generator, config: &'a OwnConfig) -> Vec<&'a str> {
    let table = generator
        .terms
        .as_ref()
        .and_then(|terms| terms.table.as_ref());
    let listed = table.and_then(|table| config.get(table)?.as_array());
    let names = listed.into_iter().flatten();
    names.filter_map(|one| one.get("name")?.as_str()).collect()
}

impl<'a> Taxonomies<'a> {
    /// The taxonomies in the settings of a site.
    pub fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        let mode_key = generator
            .terms
            .as_ref()
            .and_then(|terms| terms.mode_key.as_ref());
        Self {
            generator,
            slugs: SlugRules::new(generator, config, mode_key),
            names: names_of(generator, config),
            listed: listed_in(generator, config),
        }
    }

    /// Whether a page may be one of a taxonomy or of its terms, in any language: one of its
    /// directories has the name of a taxonomy.
    pub fn contain(&self, page: &SitePath) -> bool {
        let mut parts = page.dir().split(|&byte| byte == b'/');
        let is_taxonomy = |part: &[u8]| {
            let mut names = self.names.iter().chain(&self.listed);
            names.any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
        };
        parts.any(is_taxonomy)
    }

    /// The term pages of a content file. `dir` is the prefix of their paths, empty or ending in
    /// `/`. The pages may not exist on the site.
    pub fn pages_of(&self, file: &ContentFile, dir: &str) -> Vec<SitePath> {
        let front_matter = &file.front_matter;
        let table = self
            .generator
            .terms
            .as_ref()
            .and_then(|terms| front_matter.value(terms.table.as_ref()?)?.as_object());
        let in_table = table
            .into_iter()
            .flatten()
            .map(|(name, terms)| (name.as_str(), terms));
        let by_name = self
            .names
            .iter()
            .filter_map(|&name| Some((name, front_matter.value(name)?)));
        let page = |name: &str, term: &str| {
            let [name, term] = [name, term].map(|part| self.slugs.of(part, SlugSubject::ByFile));
            SitePath::from(format!("{dir}{name}/{term}/index.html").as_str())
        };
        let pages_of = |(name, terms): (&str, &Value)| -> Vec<SitePath> {
            // Hugo accepts a single term without brackets.
            let terms = terms
                .as_array()
                .map_or(std::slice::from_ref(terms), Vec::as_slice);
            terms
                .iter()
                .filter_map(scalar_to_string)
                .map(|term| page(name, &term))
                .collect()
        };
        in_table.chain(by_name).flat_map(pages_of).collect()
    }
}

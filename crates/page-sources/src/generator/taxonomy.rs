//! Term pages (tags, categories) that list a page, derived from the terms in its front matter.

use std::slice;

use serde_json::Value;

use super::content_file::ContentFile;
use super::front_matter::scalar_to_string;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::slug::{self, SlugSubject};
use sitemaps::site_paths::SitePath;

/// The taxonomies of one site.
#[derive(Debug)]
pub struct Taxonomies<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    names: Vec<&'a str>,
}

/// The names of taxonomies in the settings, or else the default ones.
pub(super) fn names_of<'a>(generator: &'a Generator, config: &'a OwnConfig) -> Vec<&'a str> {
    let set = generator.terms.keys().find_map(|key| config.get(key));
    match set {
        // Hugo maps singular to plural names; front matter and URLs use the plural.
        Some(Value::Object(table)) => table.values().filter_map(Value::as_str).collect(),
        Some(Value::Array(list)) => {
            let names = list.iter().filter_map(|one| one.get("name"));
            names.filter_map(Value::as_str).collect()
        }
        _ => generator.terms.literals().collect(),
    }
}

impl<'a> Taxonomies<'a> {
    /// The taxonomies in the settings of a site.
    pub fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        Self {
            generator,
            config,
            names: names_of(generator, config),
        }
    }

    /// Whether a page may be one of a taxonomy or of its terms, in any language: one of its
    /// directories has the name of a taxonomy.
    pub fn contain(&self, page: &SitePath) -> bool {
        let mut parts = page.dir().split(|&byte| byte == b'/');
        parts.any(|part| self.have_name(part))
    }

    fn have_name(&self, dir: &[u8]) -> bool {
        let mut names = self.names.iter();
        names.any(|name| dir.eq_ignore_ascii_case(name.as_bytes()))
    }

    fn slug_of(&self, name: &str) -> String {
        slug::slug_of(self.generator, self.config, name, SlugSubject::Term)
    }

    /// The slugs that a term may have: where templates make them, the usual ones.
    fn slugs_of_term(&self, term: &str) -> Vec<String> {
        if self.generator.slug.is_some() {
            return vec![self.slug_of(term)];
        }
        let mut slugs = vec![term.to_owned(), term.replace(' ', "-"), slug::github(term)];
        slugs.dedup();
        slugs
    }

    /// The term pages of a content file. `dir` is the prefix of their paths, empty or ending in
    /// `/`. The pages may not exist on the site.
    pub fn pages_of(&self, file: &ContentFile, dir: &str) -> Vec<SitePath> {
        let front_matter = &file.front_matter;
        // Zola's pages have a table of them.
        let terms_of = |name: &str| {
            let in_table = front_matter.value(&format!("taxonomies.{name}"));
            in_table.or_else(|| front_matter.value(name))
        };
        let mut pages = Vec::new();
        for name in &self.names {
            let Some(terms) = terms_of(name) else {
                continue;
            };
            let name = self.slug_of(name);
            // Hugo accepts a single term without brackets.
            let terms = terms
                .as_array()
                .map_or(slice::from_ref(terms), Vec::as_slice);
            for term in terms.iter().filter_map(scalar_to_string) {
                let slugs = self.slugs_of_term(&term).into_iter();
                let files = slugs.map(|term| format!("{dir}{name}/{term}/index.html"));
                pages.extend(files.map(|file| SitePath::from(file.as_str())));
            }
        }
        pages
    }
}

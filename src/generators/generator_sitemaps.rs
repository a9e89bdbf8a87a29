//! The sitemaps that the site's generator writes, and the pages that the owner keeps out of them:
//! by front matter, by Jekyll's `defaults`, or by patterns in the settings.

use super::{FrontMatter, Site};
use crate::files::glob::PatternSet;
use serde_json::Value;
use sitemaps::site_paths::SitePath;

/// Where an exclusion is stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedExclusion {
    /// The front matter of the source.
    FrontMatter,
    /// A key of the settings.
    Setting(String),
}

impl Site {
    /// Returns what excludes the page of a source with this front matter, or a file that is copied and
    /// has none.
    pub fn exclusion_of(
        &self,
        source: &SitePath,
        front_matter: &FrontMatter,
    ) -> Option<StatedExclusion> {
        let generator = self.generator?;
        generator.front_matter.excluded.iter().find_map(|excluded| {
            if front_matter.value(&excluded.key).is_some() {
                let is_met = front_matter.meets(excluded);
                return is_met.then_some(StatedExclusion::FrontMatter);
            }
            let default =
                self.conventions()
                    .default_of(&self.config, source, front_matter, &excluded.key);
            excluded
                .is_met_by(default)
                .then(|| StatedExclusion::Setting("defaults".to_owned()))
        })
    }

    /// Returns the key of the settings that omits a page of a term, if one does.
    pub fn excluded_term(&self, page: &SitePath) -> Option<&str> {
        let found = self.generator?.excluded_terms.iter().find(|terms| {
            let dir = self.config.text_of(&terms.dir).trim_matches('/');
            let below = page.as_bytes().strip_prefix(dir.as_bytes());
            // The page of all terms is one of the site's own.
            let is_term =
                below.is_some_and(|below| below.starts_with(b"/") && below[1..].contains(&b'/'));
            is_term && self.config.get(&terms.key) == Some(&Value::Bool(false))
        })?;
        Some(&found.key)
    }

    /// Returns the patterns of excluded pages in the settings, and their key.
    pub fn excluded_patterns(&self) -> Option<(&str, PatternSet)> {
        let key = self.generator?.sitemap_excludes.as_deref()?;
        self.config.get(key)?;
        let base = self.own_base_path().unwrap_or_default();
        // Both programs match routes with the base path, and a final `*` also below directories.
        let mut globs = Vec::new();
        for pattern in self.config.texts(key) {
            let relative = pattern.strip_prefix(base).unwrap_or(pattern);
            globs.push(relative.to_owned());
            globs.extend(relative.strip_suffix('*').map(|start| format!("{start}**")));
        }
        Some((key, PatternSet::parse(globs.iter()).ok()?))
    }
}

/// The sitemaps that the site's generator writes.
#[derive(Debug)]
pub struct GeneratorSitemapNames<'s> {
    site: &'s Site,
    patterns: PatternSet,
    /// The name in the generator's settings.
    set_name: Option<&'s str>,
}

impl<'s> GeneratorSitemapNames<'s> {
    /// The sitemaps of a site's generator; none without a generator.
    pub fn of(site: &'s Site) -> Self {
        let globs: Vec<_> = Self::globs(site).map(str::to_owned).collect();
        Self {
            site,
            patterns: PatternSet::parse(globs.iter())
                .expect("a test checks every glob of the manifest"),
            set_name: site
                .generator
                .and_then(|known| site.config.set_text_of(&known.own_sitemaps)),
        }
    }

    fn globs(site: &'s Site) -> impl Iterator<Item = &'s str> {
        site.generator
            .into_iter()
            .flat_map(|generator| generator.own_sitemaps.literals())
    }

    /// The names at the top of the output directory that are known, the entry point first.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        let globs = Self::globs(self.site).filter(|glob| !glob.contains(['*', '[', '/']));
        self.set_name.into_iter().chain(globs)
    }

    /// The names in directories of the output directory, such as one for each language.
    pub fn names_in_dirs(&self) -> impl Iterator<Item = &'s str> {
        Self::globs(self.site).filter_map(|glob| glob.strip_prefix("*/"))
    }

    /// Whether one of them has this path below the output directory.
    pub fn have_name(&self, name: &str) -> bool {
        let file = name.rsplit('/').next();
        self.patterns.matches(name.as_bytes()) || self.set_name.is_some_and(|set| file == Some(set))
    }

    /// Whether a file of the site's sources is copied to this path.
    pub fn are_copied_to(&self, name: &str) -> bool {
        let site = self.site;
        site.generator.is_some_and(|generator| {
            let mut dirs = generator.static_dirs(&site.config);
            dirs.any(|dir| site.tree.is_file(&dir.below_dir(&site.root).join(name)))
        })
    }
}

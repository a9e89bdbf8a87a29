//! Finds the pages that the owner keeps out of the generator's own sitemap: by front matter,
//! by Jekyll's `defaults`, or by patterns in the settings.

use std::iter;

use super::front_matter::FrontMatter;
use super::jekyll::default_of;
use super::site::Site;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::glob::PatternSet;

/// Where an exclusion is stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedExclusion {
    /// The front matter of the source.
    FrontMatter,
    /// A key of the settings.
    Setting(String),
}

impl Site<'_> {
    /// Returns what excludes the page of a source with this front matter.
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
            let has_defaults = generator.name == "jekyll";
            let default = default_of(&self.config, source, &excluded.key);
            let is_met = has_defaults && excluded.is_met_by(default);
            is_met.then(|| StatedExclusion::Setting("defaults".to_owned()))
        })
    }

    /// Returns the patterns of excluded pages in the settings, and their key.
    pub fn excluded_patterns(&self) -> Option<(&str, PatternSet)> {
        let key = match &*self.generator?.name {
            "docusaurus" => "presets.0.1.sitemap.ignorePatterns",
            "sphinx" => "sitemap_excludes",
            _ => return None,
        };
        self.config.get(key)?;
        let patterns = self.config.texts(key).into_iter();
        let base = self.own_base_path().unwrap_or_default();
        // Both programs match routes with the base path, and a final `*` also below directories.
        let globs = patterns.flat_map(|pattern| {
            let relative = pattern.strip_prefix(base).unwrap_or(pattern);
            let deep = relative.strip_suffix('*').map(|start| format!("{start}**"));
            iter::once(relative.to_owned()).chain(deep)
        });
        let globs: Vec<String> = globs.collect();
        Some((key, PatternSet::parse(globs.iter()).ok()?))
    }
}

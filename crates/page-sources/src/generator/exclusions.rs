//! Finds the pages that the owner keeps out of the generator's own sitemap: by front matter,
//! by Jekyll's `defaults`, or by patterns in the settings.

use std::iter;

use serde_json::Value;

use super::content_keys::PermalinkRules;
use super::front_matter::FrontMatter;
use super::site::Site;
use site_paths::SitePath;
use site_paths::glob::PatternSet;

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
        let has_defaults = generator.permalinks == Some(PermalinkRules::Jekyll);
        generator.front_matter.excluded.iter().find_map(|excluded| {
            if front_matter.value(&excluded.key).is_some() {
                return front_matter
                    .has(excluded)
                    .then_some(StatedExclusion::FrontMatter);
            }
            let default = has_defaults.then(|| self.jekyll_default(source, &excluded.key));
            let is_met = default
                .flatten()
                .is_some_and(|value| excluded.is_met_by(value));
            is_met.then(|| StatedExclusion::Setting("defaults".to_owned()))
        })
    }

    /// Returns the patterns of excluded pages in the settings, and their key.
    pub fn excluded_patterns(&self) -> Option<(&str, PatternSet)> {
        let key = self.generator?.excluded_urls.as_deref()?;
        let value = self.config.get(key)?;
        let patterns = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
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

    /// Returns the value that Jekyll's front matter defaults give a key of a file
    /// (`Jekyll::FrontmatterDefaults`): the longest path counts, then a type, then the last.
    fn jekyll_default(&self, source: &SitePath, key: &str) -> Option<&Value> {
        let defaults = self.config.get("defaults")?.as_array()?;
        let root = self.config.text("source").unwrap_or_default();
        let path = source.to_text();
        let path = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .trim_start_matches('/');
        let dir = path.split('/').find(|dir| dir.starts_with('_'));
        let kind = dir.map_or("pages", |dir| &dir[1..]);
        let mut best: Option<(usize, bool, &Value)> = None;
        for default in defaults {
            let scope = |name: &str| default.pointer(&format!("/scope/{name}"))?.as_str();
            let scope_path = scope("path").unwrap_or_default().trim_start_matches('/');
            let wanted = scope("type");
            let is_in_scope = if scope_path.contains('*') {
                let globs = [
                    scope_path.to_owned(),
                    format!("{}/**", scope_path.trim_end_matches('/')),
                ];
                PatternSet::parse(globs.iter()).is_ok_and(|globs| globs.matches(path.as_bytes()))
            } else {
                path.starts_with(scope_path)
            };
            let value = default.pointer(&format!("/values/{key}"));
            let rank = (scope_path.len(), wanted.is_some());
            if is_in_scope
                && wanted.is_none_or(|wanted| wanted == kind)
                && best.is_none_or(|(length, typed, _)| rank >= (length, typed))
                && let Some(value) = value
            {
                best = Some((rank.0, rank.1, value));
            }
        }
        best.map(|(_, _, value)| value)
    }
}

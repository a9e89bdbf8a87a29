//! Recognizes drafts, whose pages a generator does not build by default, by their front matter and
//! their directories.

use super::content_root::STARLIGHT_DOCS;
use super::front_matter::FrontMatter;
use super::profile::Generator;
use super::site::Site;
use sitemaps::site_paths::SitePath;

impl Site<'_> {
    /// Whether the generator's settings build drafts.
    pub fn builds_drafts(&self) -> bool {
        let mut keys = match self.generator.map(|generator| &*generator.name) {
            Some("hugo") => &["buildDrafts"][..],
            Some("jekyll") => &["unpublished", "show_drafts"],
            _ => &[],
        }
        .iter();
        keys.any(|key| self.config.is_on(key))
    }
}

impl Generator {
    /// What makes a content file a draft: the key and value in its front matter, as written in YAML,
    /// or Jekyll's directory of drafts. Astro itself has none, only Starlight.
    pub fn draft_mark(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let path = path.to_text();
        if self.name == "astro" && !path.starts_with(STARLIGHT_DOCS) {
            return None;
        }
        let mut marks = self.front_matter.draft.iter();
        let mark = marks.find(|mark| front_matter.meets(mark));
        let is_in_drafts = self.name == "jekyll" && path.split('/').any(|dir| dir == "_drafts");
        mark.map(|mark| format!("{}: {}", mark.key, mark.value.as_deref().unwrap_or("set")))
            .or_else(|| is_in_drafts.then(|| "_drafts/".to_owned()))
    }
}

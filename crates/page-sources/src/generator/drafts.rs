//! Recognizes drafts, whose pages a generator does not build by default, by their front matter and
//! their directories.

use super::front_matter::FrontMatter;
use super::profile::Generator;
use super::site::Site;
use sitemaps::site_paths::SitePath;

impl Site<'_> {
    /// Whether the generator's settings build drafts.
    pub fn builds_drafts(&self) -> bool {
        self.generator.is_some_and(|generator| {
            let mut keys = generator.build_drafts.iter();
            keys.any(|key| self.config.is_on(key))
        })
    }
}

impl Generator {
    /// What makes a content file a draft: the key and value in its front matter, as written in YAML,
    /// or the directory of drafts that contains it.
    pub fn draft_mark(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let mut roots = self.roots.iter().filter(|root| root.builds_drafts);
        if roots.any(|root| {
            path.as_bytes()
                .starts_with(root.dir.default_text().as_bytes())
        }) {
            return None;
        }
        let mut marks = self.front_matter.draft.iter();
        let mark = marks.find(|mark| front_matter.has(mark));
        mark.map(|mark| format!("{}: {}", mark.key, mark.value))
            .or_else(|| Some(format!("{}/", self.draft_dir_of(path)?)))
    }

    fn draft_dir_of(&self, path: &SitePath) -> Option<&str> {
        let dir = self.draft_dir.as_deref()?;
        let mut parts = path.dir().split(|&byte| byte == b'/');
        parts.any(|part| part == dir.as_bytes()).then_some(dir)
    }
}

//! Recognizes content files whose pages a generator does not build by default, by their front matter
//! and their paths.

use super::calendar::CalendarDate;
use super::front_matter::FrontMatter;
use super::profile::Generator;
use site_paths::SitePath;

impl Generator {
    /// The key and value that mark the page of a content file as a draft, as written in YAML.
    pub fn draft_mark(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let mut roots = self.roots.iter().filter(|root| root.builds_drafts);
        if roots.any(|root| {
            path.as_bytes()
                .starts_with(root.dir.default_text().as_bytes())
        }) {
            return None;
        }
        let mut marks = self.front_matter.draft.iter();
        let mark = marks.find(|mark| front_matter.has(mark))?;
        Some(format!("{}: {}", mark.key, mark.value))
    }

    /// The directory of drafts that contains a content file.
    pub fn draft_dir(&self, path: &SitePath) -> Option<&str> {
        let dir = self.unpublished.draft_dir.as_deref()?;
        let mut parts = path.dir().split(|&byte| byte == b'/');
        parts.any(|part| part == dir.as_bytes()).then_some(dir)
    }

    /// The date before which the page of a content file is not built.
    pub fn start_date(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let keys = &self.unpublished;
        if !self.has_collections() {
            return front_matter.date(&keys.starts);
        }
        let mut parts = path.dir().split(|&byte| byte == b'/');
        if !parts.any(|part| part.starts_with(b"_")) {
            return None;
        }
        let of_name = || {
            let name = std::str::from_utf8(path.file_name()).ok()?;
            let (date, _) = CalendarDate::split_post_name(name)?;
            Some(date.format("%Y-%m-%d"))
        };
        front_matter.date(&keys.starts).or_else(of_name)
    }
}

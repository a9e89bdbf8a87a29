//! Removes the directories of this machine from texts that are shared, such as a report.

use std::borrow::Cow;
use std::path::Path;

use aho_corasick::{AhoCorasick, MatchKind};

use super::loaded_site::LoadedSite;
use git_last_modified::enclosing_repository;
use site_paths::containment::absolute;
use site_paths::display_path;

/// The absolute paths of the directories of a run: those of the site become relative to its root.
#[derive(Debug, Default)]
pub struct LocalPaths {
    dirs: Vec<String>,
    search: Option<AhoCorasick>,
}

impl LocalPaths {
    /// Collects the directories of a site and of `given`, files and directories that the user named.
    pub fn of<'p>(loaded: &LoadedSite<'_>, given: impl IntoIterator<Item = &'p Path>) -> Self {
        let failures = &loaded.site.failures;
        let root = absolute(&loaded.site.root);
        let repository = failures.note(&root, enclosing_repository(&root)).ok();
        let mut dirs = vec![root, absolute(loaded.output_dir())];
        dirs.extend(repository.flatten());
        dirs.push(absolute(Path::new(".")));
        let parents = given.into_iter().filter_map(Path::parent);
        dirs.extend(parents.filter(|dir| dir.is_absolute()).map(Path::to_owned));
        let resolved: Vec<_> = dirs
            .iter()
            .filter_map(|dir| failures.resolved(dir))
            .collect();
        dirs.extend(resolved);
        Self::new(dirs.iter().map(|dir| display_path(dir)).collect())
    }

    fn new(mut dirs: Vec<String>) -> Self {
        for dir in &mut dirs {
            dir.truncate(dir.trim_end_matches('/').len());
        }
        dirs.retain(|dir| dir.len() > 1);
        // Patterns are literal, and few.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&dirs)
            .ok()
            .filter(|_| !dirs.is_empty());
        Self { dirs, search }
    }

    /// Makes paths below these directories relative, and replaces the directories themselves by `.`.
    /// Parts of URLs and of longer names stay.
    pub fn relative<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(search) = &self.search else {
            return text.into();
        };
        let mut out = String::new();
        let mut from = 0;
        for found in search.find_iter(text) {
            let dir = &self.dirs[found.pattern().as_usize()];
            let (before, after) = (&text[..found.start()], &text[found.end()..]);
            let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "/.-_~:%".contains(c));
            let continues = after.starts_with(|c: char| c.is_alphanumeric() || "._-~%".contains(c));
            if !begins || continues || dir.is_empty() {
                continue;
            }
            out.push_str(&text[from..found.start()]);
            from = found.end();
            match after.strip_prefix('/') {
                Some(rest) if rest.starts_with(|c: char| !c.is_whitespace() && c != '`') => {
                    from += 1;
                }
                _ => out.push('.'),
            }
        }
        if from == 0 {
            return text.into();
        }
        out.push_str(&text[from..]);
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_the_machine_become_relative_and_urls_stay() {
        let paths = LocalPaths::new(vec!["/srv/site".into(), "/srv/site/public/".into()]);
        let check = |text: &str, expected: &str| assert_eq!(paths.relative(text), expected);
        check("/srv/site/a.toml:3", "a.toml:3");
        check("`/srv/site/public/a.html` is empty", "`a.html` is empty");
        check(
            "in `/srv/site/public`, not in `/srv/site/`",
            "in `.`, not in `./`",
        );
        check("/srv/site", ".");
        check(
            "/srv/site2/a and /srv/site.md",
            "/srv/site2/a and /srv/site.md",
        );
        check(
            "https://example.com/srv/site/a",
            "https://example.com/srv/site/a",
        );
        check("file:///srv/site/a", "file:///srv/site/a");
        assert_eq!(LocalPaths::new(vec!["/".into()]).relative("/a"), "/a");
    }
}

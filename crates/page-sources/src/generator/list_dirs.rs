//! The content directories whose files list pages show.

use std::collections::HashSet;

use super::content::ContentIndex;
use super::content_root::{ContentRoot, below};
use super::languages::Languages;
use super::profile::Generator;
use super::site::Site;
use sitemaps::site_paths::SitePath;

/// The content directories of a site, by the list pages that show their files.
pub struct ListDirs<'s> {
    content: &'s ContentIndex,
    roots: Vec<ContentRoot<'s>>,
    languages: Languages<'s>,
    /// Every directory with content files in it or below, relative to the site root, without a `/`
    /// at the end.
    with_content: HashSet<&'s [u8]>,
}

impl<'s> ListDirs<'s> {
    /// The directories of a site with this generator.
    pub fn new(site: &'s Site<'_>, generator: &'s Generator, content: &'s ContentIndex) -> Self {
        let languages = Languages::new(generator, &site.config);
        let files = content.files.iter().map(|file| file.path.as_bytes());
        let above = files.flat_map(|path| {
            memchr::memrchr_iter(b'/', path)
                .chain([0])
                .map(|end| &path[..end])
        });
        Self {
            roots: ContentRoot::all(site, generator, &languages),
            with_content: above.collect(),
            languages,
            content,
        }
    }

    /// The directories of a list page, relative to the site root: that of its own content file, else
    /// those with its path in the content. `dir` is the output directory of the page, empty or ending
    /// in `/`.
    pub fn of_list(&self, dir: &[u8], source: Option<&SitePath>) -> Vec<SitePath> {
        let is_mounted = |source: &&SitePath| {
            let mut roots = self.roots.iter();
            roots.any(|root| root.path.as_bytes() == source.as_bytes())
        };
        if let Some(source) = source.filter(|source| !is_mounted(source)) {
            let dir = source.dir();
            return vec![SitePath::new(dir.strip_suffix(b"/").unwrap_or(dir))];
        }
        let path = [&*self.content.output_prefix, dir].concat();
        let codes = self.languages.codes().iter();
        let prefixes = codes.map(|code| (*code, self.languages.prefix(code)));
        let in_dir = |(_, prefix): &(&str, String)| {
            !prefix.is_empty() && path.starts_with(prefix.as_bytes())
        };
        let found = prefixes.clone().find(in_dir);
        let (language, prefix) =
            found.unwrap_or_else(|| (self.languages.or_default(None), String::new()));
        let below = &path[prefix.len()..];
        let below = below.strip_suffix(b"/").unwrap_or(below);
        let in_roots = |of_root: Option<&str>| {
            let roots = self.roots.iter().filter(|root| root.language == of_root);
            let dirs = roots.filter_map(|root| dir_in(root, below));
            let dirs = dirs.filter(|dir| self.with_content.contains(&**dir));
            dirs.map(SitePath::new).collect::<Vec<_>>()
        };
        // A directory for all languages contains those of each.
        let own = in_roots(Some(language));
        if own.is_empty() { in_roots(None) } else { own }
    }
}

/// The directory with a path in the content, in the directory of a root.
fn dir_in(root: &ContentRoot<'_>, path: &[u8]) -> Option<Vec<u8>> {
    let below = below(path, root.mounted_at.as_bytes())?;
    let parts = [root.path.as_bytes(), below];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join(&b'/'))
}

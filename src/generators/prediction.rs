//! Predicts which output files a generator writes for a content file, from its table of the manifest
//! and the directories around the file that have an index file.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::content_root::NameStyle;
use super::url_path::files_of;
use super::{
    ContentName, ContentRoot, ContentUrlStyle, FrontMatter, Generator, Languages, OwnConfig,
    SlugSubject, UrlPath, filled, without_empty_parts,
};
use sitemaps::site_paths::SitePath;

/// A content file, and what else determines its URL.
pub(super) struct PredictionInput<'c> {
    pub(super) generator: &'c Generator,
    pub(super) config: &'c OwnConfig,
    pub(super) languages: &'c Languages<'c>,
    pub(super) dirs: &'c ContentDirs<'c>,
    /// Its path below the site root.
    pub(super) path: &'c SitePath,
    pub(super) name: &'c ContentName<'c>,
    pub(super) root: &'c ContentRoot<'c>,
    pub(super) front_matter: &'c FrontMatter,
}

impl PredictionInput<'_> {
    /// A path below the directory of the language of a page.
    pub(super) fn prefixed(&self, path: &str) -> String {
        self.languages.prefix(self.name.language) + &without_empty_parts(path)
    }

    /// The output files of paths. If there are several, exactly one of them is written.
    pub(super) fn files_of(&self, paths: Vec<UrlPath>) -> Vec<SitePath> {
        let mut files = Vec::new();
        for path in paths {
            files.extend(files_of(path, self.is_list(), self.style()));
        }
        if let Some(key) = &self.generator.page_ending_key
            && let Some(ending) = self.config.text(key)
        {
            for file in &mut files {
                if let Some(stem) = file.as_bytes().strip_suffix(b".html") {
                    *file = SitePath::new([stem, ending.as_bytes()].concat());
                }
            }
        }
        files
    }

    /// Whether the page is the list page of its directory.
    pub(super) fn is_list(&self) -> bool {
        self.generator.is_branch_index(self.name.stem)
    }

    /// Whether front matter, or another index file, keeps the file from being a page.
    pub(super) fn is_not_a_page(&self) -> bool {
        let marks = &self.generator.front_matter.no_page;
        marks.iter().any(|mark| self.front_matter.meets(mark))
            || self
                .dirs
                .have_better(self.name, self.generator.leaf_rank(self.name.stem))
    }

    /// Whether front matter may set the URL.
    fn may_be_set(&self) -> bool {
        let is_fixed = self.generator.lists_have_no_url && self.is_list();
        self.root.spec.names == NameStyle::Slug && !is_fixed
    }

    /// The URL in front matter: a whole path, or a URL with tokens. `None` if it has none, and empty
    /// if it depends on something unknown here, such as a token without a value.
    pub(super) fn stated_paths(
        &self,
        value_of: impl Fn(&str) -> Option<String>,
    ) -> Option<Vec<UrlPath>> {
        if !self.may_be_set() {
            return None;
        }
        let keys = &self.generator.front_matter;
        if let Some(key) = &keys.path
            && let Some(path) = self.front_matter.text(key)
        {
            return Some(vec![UrlPath::Folder(path.to_owned())]);
        }
        let url = self.front_matter.text(keys.url.as_deref()?)?;
        if url.is_empty() {
            return None;
        }
        let path = filled(url, value_of)
            .filter(|known| !known.contains("://") && !url.contains(['{', '<']))
            .map(|url| self.stated_path(&url));
        Some(Vec::from_iter(path))
    }

    fn stated_path(&self, url: &str) -> UrlPath {
        // With a leading slash the URL starts at the site root, without one at the language's root.
        let path = if url.starts_with('/') && !self.languages.have_hosts {
            without_empty_parts(url)
        } else {
            self.prefixed(url)
        };
        if path.contains('.') && !url.ends_with('/') {
            UrlPath::File(path)
        } else {
            UrlPath::Folder(path)
        }
    }

    /// The paths of a page by its file and directories, or with this name without its date. A slug of a
    /// list page is not used by all versions of the generator that reads it.
    pub(super) fn paths_by_name(
        &self,
        undated: Option<&str>,
        slug: &dyn Fn(&str, SlugSubject) -> Option<String>,
    ) -> Vec<UrlPath> {
        if self.root.spec.names == NameStyle::Routes {
            return Vec::from_iter(route_of(self.name));
        }
        let reads_slug = self.generator.front_matter.reads_slug && self.may_be_set();
        let own = self.front_matter.scalar("slug").filter(|_| reads_slug);
        let mut paths = vec![self.path_by_name(own.as_deref(), undated, slug)];
        if own.is_some() && self.is_list() {
            paths.push(self.path_by_name(None, undated, slug));
        }
        paths
    }

    fn path_by_name(
        &self,
        own_slug: Option<&str>,
        undated: Option<&str>,
        slug: &dyn Fn(&str, SlugSubject) -> Option<String>,
    ) -> UrlPath {
        let (name, is_list) = (self.name, self.is_list());
        let is_index = self.generator.is_leaf_index(name.stem)
            || self.generator.index_has_name_of_dir && name.dirs.last() == Some(&name.stem);
        let mut parts: Vec<String> = name.dirs.iter().map(|dir| (*dir).to_owned()).collect();
        if !is_list && !is_index {
            parts.push(name.stem.to_owned());
        }
        if let (Some(last), Some(undated)) = (parts.last_mut(), undated)
            && !is_list
            && own_slug.is_none()
        {
            undated.clone_into(last);
        }
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter_mut().enumerate() {
            let (name, subject) = match own_slug {
                _ if self.root.spec.names != NameStyle::Slug => break,
                Some(own) if at == last => (own, SlugSubject::FrontMatter),
                _ if at == last && !is_list => (part.as_str(), SlugSubject::Page),
                _ => (part.as_str(), SlugSubject::Dir),
            };
            *part = slug(name, subject).unwrap_or_else(|| name.to_owned());
        }
        let path = self.languages.prefix(name.language) + &parts.join("/");
        // The index file of a bundle is an ordinary page; any other is that of its directory.
        if is_list || is_index && !self.generator.has_bundles {
            UrlPath::Folder(path)
        } else {
            UrlPath::Page(path)
        }
    }

    /// The URL style of pages. Hugo's `uglyURLs` may be a table by section, which is not read.
    fn style(&self) -> ContentUrlStyle {
        match self.generator.file_style_if.as_ref() {
            Some(ugly) if self.config.meets(ugly) => ContentUrlStyle::File,
            Some(ugly) if self.config.get(&ugly.key).is_some_and(Value::is_object) => {
                ContentUrlStyle::Either
            }
            _ => self.generator.url_style,
        }
    }
}

/// The URL path of a file among routes, as in SvelteKit and Next.js; `None` if it is not a page.
fn route_of(name: &ContentName<'_>) -> Option<UrlPath> {
    // A directory in parentheses is a group of routes.
    let mut dirs = name.dirs.clone();
    dirs.retain(|dir| !(dir.starts_with('(') && dir.ends_with(')')));
    matches!(name.stem, "page" | "+page").then(|| UrlPath::Folder(dirs.join("/")))
}

/// Content directories that have an index file.
#[derive(Debug, Default)]
pub(super) struct ContentDirs<'c> {
    pub(super) list_pages: HashSet<(String, &'c str)>,
    /// The languages of the index files in each bundle.
    pub(super) bundles: HashMap<String, Vec<&'c str>>,
    /// Rank of the best index file in each directory, where only one of them is built.
    pub(super) indexes: HashMap<String, usize>,
}

impl<'c> ContentDirs<'c> {
    /// Records the directory of an index file.
    pub(super) fn insert(&mut self, generator: &Generator, name: &ContentName<'c>) {
        if generator.is_branch_index(name.stem) {
            self.list_pages.insert((name.dirs.join("/"), name.language));
        }
        let Some(rank) = generator.leaf_rank(name.stem) else {
            return;
        };
        if generator.has_bundles {
            self.bundles
                .entry(name.dirs.join("/"))
                .or_default()
                .push(name.language);
        }
        if generator.builds_one_index {
            let best = self.indexes.entry(name.dirs.join("/")).or_insert(rank);
            *best = rank.min(*best);
        }
    }

    /// Whether an index file in the same directory takes precedence over one of this rank.
    pub(super) fn have_better(&self, name: &ContentName<'_>, rank: Option<usize>) -> bool {
        let best = rank.and_then(|_| self.indexes.get(&name.dirs.join("/")));
        rank.zip(best).is_some_and(|(rank, best)| rank > *best)
    }

    /// The innermost section that contains a page. Top-level directories are always sections; others
    /// only if they have a list page.
    pub(super) fn innermost_section<'n>(
        &self,
        dirs: &'n [&'n str],
        language: &'c str,
    ) -> &'n [&'n str] {
        (1..=dirs.len())
            .rev()
            .map(|depth| &dirs[..depth])
            .find(|dir| dir.len() == 1 || self.list_pages.contains(&(dir.join("/"), language)))
            .unwrap_or_default()
    }
}

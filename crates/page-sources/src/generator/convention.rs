//! Predicts which output files a generator writes for a content file, from the conventions in the
//! manifest and its own rules.

use serde_json::Value;

use super::content_dirs::ContentDirs;
use super::content_layout::ContentLayout;
use super::content_root::NameStyle;
use super::convention_input::ConventionInput;
use super::listed_content::ContentName;
use super::profile::Generator;
use super::slug::SlugSubject;
use super::url_path::{ContentUrlStyle, UrlPath, files_of, filled, without_empty_parts};
use sitemaps::site_paths::SitePath;

impl ContentLayout<'_> {
    /// The output files that a content file may become. Empty if they cannot be predicted. If there
    /// are several, exactly one of them is written.
    pub(super) fn outputs_of(&self, content: &ConventionInput<'_>) -> Vec<SitePath> {
        if self.is_not_a_page(content) {
            return Vec::new();
        }
        let own = || (self.generator.own.paths?)(self.config, content);
        let paths = self.stated_paths(content).or_else(own);
        let paths = paths.unwrap_or_else(|| self.paths_by_name(content));
        let (is_list, style) = (self.is_list(content), self.style());
        let files = paths.into_iter().map(|path| files_of(path, is_list, style));
        let mut files: Vec<SitePath> = files.flatten().collect();
        let ending = self.generator.own.page_ending_key;
        if let Some(ending) = ending.and_then(|key| self.config.text(key)) {
            for file in &mut files {
                if let Some(stem) = file.as_bytes().strip_suffix(b".html") {
                    *file = SitePath::new([stem, ending.as_bytes()].concat());
                }
            }
        }
        files
    }

    fn is_list(&self, content: &ConventionInput<'_>) -> bool {
        self.generator.is_branch_index(content.name.stem)
    }

    fn is_not_a_page(&self, content: &ConventionInput<'_>) -> bool {
        let mut marks = self.generator.front_matter.no_page.iter();
        marks.any(|mark| content.front_matter.meets(mark))
            || content
                .dirs
                .hide(content.name, self.generator.leaf_rank(content.name.stem))
    }

    /// Whether front matter may set the URL.
    fn may_be_set(&self, content: &ConventionInput<'_>) -> bool {
        let is_fixed = self.generator.own.lists_have_no_url && self.is_list(content);
        content.root.spec.names == NameStyle::Slug && !is_fixed
    }

    /// The URL in front matter: a whole path, or a URL with tokens. `None` if it has none, and empty
    /// if it depends on something unknown here.
    fn stated_paths(&self, content: &ConventionInput<'_>) -> Option<Vec<UrlPath>> {
        if !self.may_be_set(content) {
            return None;
        }
        let own = &self.generator.own;
        let text = |key: Option<&str>| content.front_matter.text(key?);
        if let Some(path) = text(own.path_key) {
            return Some(vec![UrlPath::Folder(path.to_owned())]);
        }
        let url = text(self.generator.front_matter.url.as_deref());
        let url = url.filter(|url| !url.is_empty())?;
        let known = filled(url, |token| (own.url_token?)(self.config, content, token));
        let known = known.filter(|known| !known.contains("://") && !url.contains(['{', '<']));
        let paths = known.iter().map(|url| self.stated_path(content, url));
        Some(paths.collect())
    }

    fn stated_path(&self, content: &ConventionInput<'_>, url: &str) -> UrlPath {
        // With a leading slash the URL starts at the site root, without one at the language's root.
        let path = if url.starts_with('/') && !self.languages.have_hosts {
            without_empty_parts(url)
        } else {
            content.prefixed(url)
        };
        if path.contains('.') && !url.ends_with('/') {
            UrlPath::File(path)
        } else {
            UrlPath::Folder(path)
        }
    }

    /// The paths of a page by its file and directories. Only some versions of Hugo use the slug of a
    /// list page.
    fn paths_by_name(&self, content: &ConventionInput<'_>) -> Vec<UrlPath> {
        if content.root.spec.names == NameStyle::Routes {
            return route_of(content.name).into_iter().collect();
        }
        let reads_slug = self.generator.own.reads_slug && self.may_be_set(content);
        let own = content.front_matter.scalar("slug").filter(|_| reads_slug);
        let mut paths = vec![self.path_by_name(content, own.as_deref())];
        if own.is_some() && self.is_list(content) {
            paths.push(self.path_by_name(content, None));
        }
        paths
    }

    fn path_by_name(&self, content: &ConventionInput<'_>, own_slug: Option<&str>) -> UrlPath {
        let (name, is_list) = (content.name, self.is_list(content));
        let own = &self.generator.own;
        let is_index = self.generator.is_leaf_index(name.stem)
            || own.index_has_name_of_dir && name.dirs.last() == Some(&name.stem);
        let mut parts: Vec<String> = name.dirs.iter().map(|dir| (*dir).to_owned()).collect();
        if !is_list && !is_index {
            parts.push(name.stem.to_owned());
        }
        if let Some(last) = parts.last_mut().filter(|_| !is_list && own_slug.is_none()) {
            let undated = own.undated;
            if let Some(undated) = undated.and_then(|undated| undated(self.config, content)) {
                *last = undated;
            }
        }
        if content.root.spec.names == NameStyle::Slug {
            self.slugify(&mut parts, own_slug, is_list);
        }
        let path = self.languages.prefix(name.language) + &parts.join("/");
        // The index file of a bundle is an ordinary page; any other is that of its directory.
        if is_list || is_index && !own.has_bundles {
            UrlPath::Folder(path)
        } else {
            UrlPath::Page(path)
        }
    }

    fn slugify(&self, parts: &mut [String], own_slug: Option<&str>, is_list: bool) {
        let Some(slug_of) = self.generator.own.slug else {
            return;
        };
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter_mut().enumerate() {
            let (name, subject) = match own_slug {
                Some(own) if at == last => (own, SlugSubject::FrontMatter),
                _ if at == last && !is_list => (part.as_str(), SlugSubject::Page),
                _ => (part.as_str(), SlugSubject::Dir),
            };
            *part = slug_of(self.config, name, subject);
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

impl<'c> ContentDirs<'c> {
    /// Records the directory of an index file.
    pub(super) fn insert(&mut self, generator: &Generator, name: &ContentName<'c>) {
        let dir = || name.dirs.join("/");
        if generator.is_branch_index(name.stem) {
            self.list_pages.insert((dir(), name.language));
        }
        let Some(rank) = generator.leaf_rank(name.stem) else {
            return;
        };
        if generator.own.has_bundles {
            self.bundles.entry(dir()).or_default().push(name.language);
        }
        if generator.own.builds_one_index {
            let best = self.indexes.entry(dir()).or_insert(rank);
            *best = rank.min(*best);
        }
    }
}

/// The URL path of a file among routes, as in SvelteKit and Next.js; `None` if it is not a page.
fn route_of(name: &ContentName<'_>) -> Option<UrlPath> {
    let is_group = |dir: &&str| dir.starts_with('(') && dir.ends_with(')');
    let dirs = name.dirs.iter().copied().filter(|dir| !is_group(dir));
    let path = || UrlPath::Folder(dirs.collect::<Vec<_>>().join("/"));
    matches!(name.stem, "page" | "+page").then(path)
}

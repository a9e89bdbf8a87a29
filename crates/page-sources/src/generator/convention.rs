//! Predicts which output files a generator writes for a content file, from the conventions in the
//! manifest.

use serde_json::Value;

use super::content_keys::{ContentUrlStyle, NameStyle, SlugFunction};
use super::content_name::ContentName;
use super::convention_input::ConventionInput;
use super::hexo;
use super::hugo::HugoDate;
use super::hugo_permalinks::HugoPermalinks;
use super::jekyll;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::pelican::PelicanFile;
use super::profile::Generator;
use super::slug::{self, SlugSubject};
use super::taxonomy;
use super::url_path::{UrlPath, files_of};
use super::url_pattern::filled;
use super::vitepress::VitePressUrls;
use super::zola;
use sitemaps::site_paths::SitePath;

/// The URL conventions of one site.
#[derive(Debug)]
pub(super) struct Convention<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    languages: &'a Languages<'a>,
    hugo: Option<HugoPermalinks<'a>>,
    vitepress: Option<VitePressUrls<'a>>,
}

impl<'a> Convention<'a> {
    pub(super) fn new(
        generator: &'a Generator,
        config: &'a OwnConfig,
        languages: &'a Languages<'a>,
    ) -> Self {
        let hugo = || HugoPermalinks::new(config, taxonomy::names_of(generator, config));
        Self {
            generator,
            config,
            languages,
            hugo: (generator.name == "hugo").then(hugo),
            vitepress: (generator.name == "vitepress").then(|| VitePressUrls::new(config)),
        }
    }

    /// The output files that a content file may become. Empty if they cannot be predicted. If there
    /// are several, exactly one of them is written.
    pub(super) fn outputs_of(&self, content: &ConventionInput<'_>) -> Vec<SitePath> {
        if self.is_not_a_page(content) {
            return Vec::new();
        }
        let paths = self
            .stated_paths(content)
            .or_else(|| self.own_paths(content));
        let paths = paths.unwrap_or_else(|| self.paths_by_name(content));
        let (is_list, style) = (self.is_list(content), self.style());
        let files = paths.into_iter().map(|path| files_of(path, is_list, style));
        files.flatten().collect()
    }

    /// The paths by rules that only this generator has; `None` if none applies.
    fn own_paths(&self, content: &ConventionInput<'_>) -> Option<Vec<UrlPath>> {
        let (config, file) = (self.config, content);
        match &*self.generator.name {
            "hexo" => hexo::paths_of(config, file),
            "hugo" => {
                let paths = self.hugo.as_ref()?.paths_of(file)?.into_iter();
                let prefixed = paths.map(|path| self.prefixed(file, &path));
                Some(prefixed.map(UrlPath::Page).collect())
            }
            "jekyll" => Some(jekyll::paths_of(config, file)),
            "pelican" => Some(PelicanFile { config, file }.path().into_iter().collect()),
            "vitepress" => {
                let path = self.vitepress.as_ref()?.path_of(file.name);
                Some(path.into_iter().collect())
            }
            _ => None,
        }
    }

    fn is_list(&self, content: &ConventionInput<'_>) -> bool {
        self.generator.is_branch_index(content.name.stem)
    }

    /// Whether a file is the index of its directory. Eleventy's may have the name of the directory.
    fn is_index(&self, name: &ContentName<'_>) -> bool {
        let has_name_of_dir =
            || self.generator.name == "eleventy" && name.dirs.last() == Some(&name.stem);
        self.generator.is_leaf_index(name.stem) || has_name_of_dir()
    }

    fn is_not_a_page(&self, content: &ConventionInput<'_>) -> bool {
        let mut marks = self.generator.front_matter.no_page.iter();
        marks.any(|mark| content.front_matter.meets(mark))
            || content.dirs.hide(self.generator, content.name)
    }

    /// Whether front matter may set the URL. Zola's sections have neither `path` nor `slug`.
    fn may_be_set(&self, content: &ConventionInput<'_>) -> bool {
        let is_zola_list = self.generator.name == "zola" && self.is_list(content);
        content.root.spec.names == NameStyle::Slug && !is_zola_list
    }

    /// The URL in front matter: a whole path, or a URL with tokens. `None` if it has none, and empty
    /// if it depends on something unknown here.
    fn stated_paths(&self, content: &ConventionInput<'_>) -> Option<Vec<UrlPath>> {
        let keys = &self.generator.front_matter;
        let text = |key: &Option<String>| {
            let key = key.as_ref().filter(|_| self.may_be_set(content))?;
            content.front_matter.text(key)
        };
        if let Some(path) = text(&keys.path) {
            return Some(vec![UrlPath::Folder(path.trim_matches('/').to_owned())]);
        }
        let url = text(&keys.url).filter(|url| !url.is_empty())?;
        let known = match &self.hugo {
            _ if url.contains(['{', '<']) => None,
            Some(hugo) => hugo.filled(content, url),
            None => filled(url, |_| None),
        };
        let known = known.filter(|url| !url.contains("://"));
        Some(
            known
                .iter()
                .map(|url| self.stated_path(content, url))
                .collect(),
        )
    }

    fn stated_path(&self, content: &ConventionInput<'_>, url: &str) -> UrlPath {
        // With a leading slash the URL starts at the site root, without one at the language's root.
        let path = if url.starts_with('/') && !self.languages.have_hosts() {
            without_empty_parts(url)
        } else {
            self.prefixed(content, url)
        };
        if path.contains('.') && !url.ends_with('/') {
            UrlPath::File(path)
        } else {
            UrlPath::Folder(path.trim_matches('/').to_owned())
        }
    }

    /// A path below the directory of the language of a page.
    fn prefixed(&self, content: &ConventionInput<'_>, path: &str) -> String {
        self.languages.prefix(content.name.language) + &without_empty_parts(path)
    }

    /// The paths of a page by its file and directories. Only some versions of Hugo use the slug of a
    /// list page.
    fn paths_by_name(&self, content: &ConventionInput<'_>) -> Vec<UrlPath> {
        if content.root.spec.names == NameStyle::Routes {
            return route_of(content.name).into_iter().collect();
        }
        let has_slugs = matches!(&*self.generator.name, "hugo" | "zola");
        let own = content.front_matter.scalar("slug");
        let own = own.filter(|_| has_slugs && self.may_be_set(content));
        let mut paths = vec![self.path_by_name(content, own.as_deref())];
        if own.is_some() && self.is_list(content) {
            paths.push(self.path_by_name(content, None));
        }
        paths
    }

    fn path_by_name(&self, content: &ConventionInput<'_>, own_slug: Option<&str>) -> UrlPath {
        let (name, is_list) = (content.name, self.is_list(content));
        let is_index = self.is_index(name);
        let mut parts: Vec<String> = name.dirs.iter().map(|dir| (*dir).to_owned()).collect();
        if !is_list && !is_index {
            parts.push(name.stem.to_owned());
        }
        if let Some(last) = parts.last_mut().filter(|_| !is_list && own_slug.is_none()) {
            let undated = match &*self.generator.name {
                "hugo" => HugoDate::of(self.config, name, content.front_matter).slug,
                "zola" => zola::name_without_date(self.config, last),
                _ => None,
            };
            if let Some(undated) = undated.map(str::to_owned) {
                *last = undated;
            }
        }
        if content.root.spec.names == NameStyle::Slug {
            self.slugify(&mut parts, own_slug, is_list);
        }
        let path = self.languages.prefix(name.language) + &parts.join("/");
        // The index file of Hugo's bundle is an ordinary page; any other is that of its directory.
        if is_list || is_index && self.generator.name != "hugo" {
            UrlPath::Folder(path)
        } else {
            UrlPath::Page(path)
        }
    }

    fn slugify(&self, parts: &mut [String], own_slug: Option<&str>, is_list: bool) {
        // Zola makes slugs of page names only, not of section directories.
        let includes_dirs = self.generator.slug != Some(SlugFunction::Zola);
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter_mut().enumerate() {
            let (name, subject) = match own_slug {
                Some(own) if at == last => (own, SlugSubject::FrontMatter),
                _ if includes_dirs || at == last && !is_list => (part.as_str(), SlugSubject::File),
                _ => continue,
            };
            let name = match self.generator.name.as_str() {
                "nuxt" => slug::without_number(name),
                _ => name,
            };
            *part = slug::slug_of(self.generator, self.config, name, subject);
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
    let is_group = |dir: &&str| dir.starts_with('(') && dir.ends_with(')');
    let dirs = name.dirs.iter().copied().filter(|dir| !is_group(dir));
    let path = || UrlPath::Folder(dirs.collect::<Vec<_>>().join("/"));
    matches!(name.stem, "page" | "+page").then(path)
}

/// Removes empty parts, which a token without a value leaves.
fn without_empty_parts(path: &str) -> String {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("/")
}

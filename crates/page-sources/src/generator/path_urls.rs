//! Makes the URL path of a page from the names of its file and directories, or from a pattern.

use super::content_keys::{NameStyle, SlugFunction};
use super::content_name::ContentName;
use super::convention_input::ConventionInput;
use super::dated_name::DatedName;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::permalinks::{HugoPageKind, PermalinkInput};
use super::profile::Generator;
use super::slug;
use super::slugs::{SlugRules, SlugSubject, ZOLA_PATHS};
use super::taxonomy;
use super::url_path::UrlPath;
use super::url_pattern::UrlPattern;

/// The rules of one site that make URL paths from names.
#[derive(Debug)]
pub(super) struct PathUrls<'a> {
    pub(super) generator: &'a Generator,
    pub(super) config: &'a OwnConfig,
    pub(super) languages: &'a Languages<'a>,
    slugs: SlugRules<'a>,
    taxonomies: Vec<&'a str>,
}

impl<'a> PathUrls<'a> {
    pub(super) fn new(
        generator: &'a Generator,
        config: &'a OwnConfig,
        languages: &'a Languages<'a>,
    ) -> Self {
        Self {
            generator,
            config,
            languages,
            slugs: SlugRules::new(generator, config, ZOLA_PATHS),
            taxonomies: taxonomy::names_of(generator, config),
        }
    }

    pub(super) fn kind_of(&self, name: &ContentName<'_>) -> HugoPageKind {
        taxonomy::kind_of(self.generator, &self.taxonomies, name)
    }

    /// Whether a file is the index of its directory.
    pub(super) fn is_index(&self, name: &ContentName<'_>) -> bool {
        let is_of_folder = || name.dirs.last() == Some(&name.stem);
        self.generator.is_leaf_index(name.stem) || self.generator.same_name_index && is_of_folder()
    }

    /// Whether the front matter of a file may set its URL.
    pub(super) fn may_be_set(&self, content: &ConventionInput<'_>) -> bool {
        let is_list = self.kind_of(content.name).is_list();
        let is_ignored = is_list && self.generator.front_matter.of_pages_only;
        !(matches!(
            content.root.spec.names,
            NameStyle::Verbatim | NameStyle::Routes
        ) || is_ignored)
    }

    /// The path of a page by a pattern of the settings; `None` if a token has no known value.
    pub(super) fn by_pattern(
        &self,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
        pattern: &UrlPattern,
    ) -> Option<UrlPath> {
        let path = self.permalink_input(content, kind).by(pattern)?;
        Some(UrlPath::Page(
            self.languages.prefix(content.name.language) + &without_empty_parts(&path),
        ))
    }

    /// The values of a page for the tokens of a permalink pattern.
    pub(super) fn permalink_input<'p>(
        &self,
        content: &ConventionInput<'p>,
        kind: HugoPageKind,
    ) -> PermalinkInput<'p> {
        let ConventionInput {
            name,
            front_matter,
            dirs,
            ..
        } = *content;
        let dated = DatedName::of(self.generator, self.config, name, front_matter);
        let own_slug = self.own_slug(content);
        PermalinkInput {
            name,
            kind,
            front_matter,
            slug: own_slug.or_else(|| dated.slug.map(str::to_owned)),
            date: dated.date,
            dirs,
            case: self.slugs.case(),
        }
    }

    /// The path of a page by its file and directories.
    pub(super) fn by_path(
        &self,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
    ) -> Vec<UrlPath> {
        if content.root.spec.names == NameStyle::Routes {
            return route_of(content.name).into_iter().collect();
        }
        let own = self.own_slug(content);
        // Only some versions of Hugo use the slug of a list page.
        let slugs = if kind.is_list() && own.is_some() {
            vec![None, own.as_deref()]
        } else {
            vec![own.as_deref()]
        };
        let paths = slugs.into_iter();
        paths
            .map(|slug| self.by_parts(content, slug, kind))
            .collect()
    }

    fn by_parts(
        &self,
        content: &ConventionInput<'_>,
        slug: Option<&str>,
        kind: HugoPageKind,
    ) -> UrlPath {
        let mut parts = self.parts_of(content, slug, kind);
        if content.root.spec.names != NameStyle::Verbatim {
            self.slugify(&mut parts, slug, kind);
        }
        let path = self.languages.prefix(content.name.language) + &parts.join("/");
        // A bundle's index file is an ordinary page; any other index file is the page of its
        // directory.
        let is_dir = kind.is_list() || self.is_index(content.name) && !self.generator.leaf_owns_dir;
        if is_dir {
            UrlPath::Folder(path)
        } else {
            UrlPath::Page(path)
        }
    }

    /// The components of a page's path, before slugs are made. An index file does not add one.
    fn parts_of(
        &self,
        content: &ConventionInput<'_>,
        own_slug: Option<&str>,
        kind: HugoPageKind,
    ) -> Vec<String> {
        let is_list = kind.is_list();
        let name = content.name;
        let mut parts = name.dirs.clone();
        if !is_list && !self.is_index(name) {
            parts.push(name.stem);
        }
        let dated = DatedName::of(self.generator, self.config, name, content.front_matter);
        if let (Some(last), Some(slug)) = (parts.last_mut(), dated.slug)
            && own_slug.is_none()
            && !is_list
        {
            *last = slug;
        }
        match content.root.spec.names {
            NameStyle::Numbered => parts
                .into_iter()
                .map(|part| slug::without_number(part).to_owned())
                .collect(),
            NameStyle::Slug | NameStyle::Verbatim | NameStyle::Routes => {
                parts.into_iter().map(str::to_owned).collect()
            }
        }
    }

    fn own_slug(&self, content: &ConventionInput<'_>) -> Option<String> {
        let mut keys = self.generator.front_matter.slug.iter();
        keys.find_map(|key| content.front_matter.scalar(key))
            .filter(|_| self.may_be_set(content))
    }

    fn slugify(&self, parts: &mut [String], own_slug: Option<&str>, kind: HugoPageKind) {
        let Some((last, dirs)) = parts.split_last_mut() else {
            return;
        };
        if let Some(own) = own_slug {
            *last = self.slugs.of(own, SlugSubject::ByFrontMatter);
        }
        let Some(function) = self.generator.slug else {
            return;
        };
        let includes_dirs = function != SlugFunction::Zola;
        if includes_dirs {
            for dir in dirs {
                *dir = self.slugs.of(dir, SlugSubject::ByFile);
            }
        }
        // Zola makes slugs of page names only, not of section directories.
        if own_slug.is_none() && (includes_dirs || !kind.is_list()) {
            *last = self.slugs.of(last, SlugSubject::ByFile);
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
pub(super) fn without_empty_parts(path: &str) -> String {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("/")
}

//! Predicts which output files a generator writes for a content file, from the conventions in the
//! manifest.

use std::collections::BTreeMap;

use serde_json::Value;

use super::content_dirs::ContentDirs;
use super::content_name::ContentName;
use super::content_root::ContentRoot;
use super::dated_name::DatedName;
use super::front_matter::FrontMatter;
use super::jekyll::JekyllUrls;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::permalinks::{HugoPageKind, Permalink, PermalinkInput, Permalinks};
use super::profile::{BareUrl, ContentUrlStyle, Generator, NoPageValue, SlugScope};
use super::slug::{self, LetterCase};
use super::slugs::{SlugRules, SlugSubject};
use super::taxonomy;
use super::url_path::{UrlPath, files_of};
use super::url_pattern::UrlPattern;
use site_paths::SitePath;

/// The URL conventions of one site.
#[derive(Debug)]
pub(super) struct Convention<'a> {
    generator: &'a Generator,
    config: &'a OwnConfig,
    languages: &'a Languages<'a>,
    slugs: SlugRules<'a>,
    permalinks: Permalinks,
    /// The patterns of languages that have their own: these replace the others.
    permalinks_of_languages: BTreeMap<&'a str, Permalinks>,
    taxonomies: Vec<&'a str>,
    jekyll: Option<JekyllUrls<'a>>,
}

/// The parts of a content file that determine its URL.
pub(super) struct ConventionInput<'c> {
    pub(super) name: &'c ContentName<'c>,
    pub(super) root: &'c ContentRoot<'c>,
    pub(super) front_matter: &'c FrontMatter,
    pub(super) dirs: &'c ContentDirs<'c>,
}

/// The URL of a page as far as its front matter sets one.
enum FrontMatterUrl {
    /// It sets none.
    Unset,
    /// It sets a URL that cannot be resolved statically.
    Unclear,
    /// It sets this URL.
    Set(UrlPath),
}

impl<'a> Convention<'a> {
    pub(super) fn new(
        generator: &'a Generator,
        config: &'a OwnConfig,
        languages: &'a Languages<'a>,
    ) -> Self {
        let permalinks = generator
            .permalinks_key
            .as_ref()
            .map(|key| Permalinks::read(key, config))
            .unwrap_or_default();
        let permalinks_of_languages = of_languages(generator, config, languages);
        let taxonomies = taxonomy::names_of(generator, config);
        let jekyll = generator
            .collections
            .as_ref()
            .map(|keys| JekyllUrls::new(config, keys));
        let slugs = SlugRules::new(
            generator,
            config,
            generator
                .slug
                .as_ref()
                .and_then(|slug| slug.mode_key.as_ref()),
        );
        Self {
            generator,
            config,
            languages,
            slugs,
            permalinks,
            permalinks_of_languages,
            taxonomies,
            jekyll,
        }
    }

    /// Whether a page's URL depends on other files in its directories.
    pub(super) fn needs_dirs(&self) -> bool {
        let generator = self.generator;
        generator.leaf_owns_folder || generator.first_leaf_index_wins || self.has_permalinks()
    }

    fn has_permalinks(&self) -> bool {
        !self.permalinks.is_empty() || !self.permalinks_of_languages.is_empty()
    }

    /// The output files that a content file may become. Empty if they cannot be predicted. If there
    /// are several, exactly one of them is written.
    pub(super) fn outputs_of(&self, content: &ConventionInput<'_>) -> Vec<SitePath> {
        if self.is_not_a_page(content) {
            return Vec::new();
        }
        if let Some(jekyll) = &self.jekyll {
            return jekyll.outputs_of(content.name, content.front_matter);
        }
        let kind = self.kind_of(content.name);
        let addresses = match self.front_matter_url(content, kind) {
            FrontMatterUrl::Set(own) => vec![own],
            FrontMatterUrl::Unclear => Vec::new(),
            FrontMatterUrl::Unset => match &content.root.spec.permalink {
                Some(permalink) => permalink
                    .url_path(self.config, content)
                    .into_iter()
                    .collect(),
                None => self.by_settings(content, kind),
            },
        };
        addresses
            .into_iter()
            .flat_map(|address| files_of(address, kind, self.style_of(content.name)))
            .collect()
    }

    /// The URL path of a page that its own front matter does not set.
    fn by_settings(&self, content: &ConventionInput<'_>, kind: HugoPageKind) -> Vec<UrlPath> {
        let own = self.permalinks_of_languages.get(content.name.language);
        let permalinks = own.unwrap_or(&self.permalinks);
        match permalinks.of(kind, &self.logical_path(content.name)) {
            Permalink::Unclear => Vec::new(),
            Permalink::By(pattern) => {
                let by_pattern = self.by_pattern(content, kind, pattern);
                by_pattern.into_iter().collect()
            }
            Permalink::ByPath => self.by_path(content, kind),
        }
    }

    /// The URL style of a page, which Hugo's `uglyURLs` may set per section.
    fn style_of(&self, name: &ContentName<'_>) -> ContentUrlStyle {
        let Some(ugly) = &self.generator.ugly else {
            return self.generator.url_style;
        };
        let is_ugly = match self.config.get(&ugly.key) {
            Some(Value::Object(sections)) => {
                let section = name.dirs.first().copied().unwrap_or_default();
                let own = sections
                    .iter()
                    .find(|(known, _)| known.eq_ignore_ascii_case(section));
                own.is_some_and(|(_, on)| on.as_bool() == Some(ugly.is))
            }
            on => on.and_then(Value::as_bool) == Some(ugly.is),
        };
        if is_ugly {
            ContentUrlStyle::File
        } else {
            self.generator.url_style
        }
    }

    fn is_not_a_page(&self, content: &ConventionInput<'_>) -> bool {
        let says_so = |(key, values): (&String, &Vec<NoPageValue>)| match content
            .front_matter
            .value(key)
        {
            Some(Value::Bool(on)) => values.contains(&NoPageValue::Switch(*on)),
            Some(Value::String(word)) => values.contains(&NoPageValue::Word(word.to_lowercase())),
            _ => false,
        };
        self.generator.front_matter.no_page.iter().any(says_so)
            || self.generator.needs_front_matter && !content.front_matter.is_present()
            || content.dirs.is_part_of_bundle(self.generator, content.name)
            || content.dirs.has_bundle_of(content.name)
            || content.dirs.has_better_index(self.generator, content.name)
    }

    fn kind_of(&self, name: &ContentName<'_>) -> HugoPageKind {
        taxonomy::kind_of(self.generator, &self.taxonomies, name)
    }

    /// Whether the front matter of a file may set its URL.
    fn may_set_url(&self, content: &ConventionInput<'_>) -> bool {
        let is_list = self.kind_of(content.name).is_list();
        let is_ignored = is_list && self.generator.front_matter.of_pages_only;
        !(content.root.spec.keeps_names || is_ignored)
    }

    /// The URL that the front matter sets.
    fn front_matter_url(
        &self,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
    ) -> FrontMatterUrl {
        let keys = &self.generator.front_matter;
        let front_matter = content.front_matter;
        if !self.may_set_url(content) {
            return FrontMatterUrl::Unset;
        }
        if let Some(path) = keys.path.as_ref().and_then(|key| front_matter.text(key)) {
            return FrontMatterUrl::Set(UrlPath::Folder(path.trim_matches('/').to_owned()));
        }
        if let Some(own) = self.slug_as_path(content) {
            return FrontMatterUrl::Set(own);
        }
        let url = keys
            .url
            .as_ref()
            .and_then(|key| front_matter.text(key))
            .filter(|url| !url.is_empty());
        let Some(url) = url else {
            return FrontMatterUrl::Unset;
        };
        if url.contains(['{', '<']) {
            return FrontMatterUrl::Unclear;
        }
        let filled = self.fill_pattern(content, kind, |filled| {
            filled.as_written(&UrlPattern::parse(url))
        });
        let Some(url) = filled.filter(|url| !url.contains("://")) else {
            return FrontMatterUrl::Unclear;
        };
        // With a leading slash the URL starts at the site root, without one at the language's root.
        let is_absolute = url.starts_with('/') && !self.languages.have_hosts();
        let within = if is_absolute {
            String::new()
        } else {
            self.languages.prefix(content.name.language)
        };
        let path = within + &without_empty_parts(&url);
        FrontMatterUrl::Set(self.url_path(path, &url))
    }

    /// A slug that replaces the whole path, as in Docusaurus: relative to the URL of the content
    /// directory.
    fn slug_as_path(&self, content: &ConventionInput<'_>) -> Option<UrlPath> {
        let keys = &self.generator.front_matter;
        let slug = content
            .front_matter
            .text(keys.slug.as_ref().filter(|_| keys.slug_may_be_path)?)?;
        // In a blog, with directories made from dates, every slug replaces the whole path.
        let below = slug
            .strip_prefix('/')
            .or_else(|| content.root.spec.date_folders.then_some(slug))?;
        Some(UrlPath::Page(joined(
            &content.root.mounted_at,
            below.trim_matches('/'),
        )))
    }

    fn url_path(&self, path: String, url: &str) -> UrlPath {
        let trimmed = || path.trim_matches('/').to_owned();
        match self.generator.front_matter.bare_url {
            _ if url.ends_with('/') => UrlPath::Folder(trimmed()),
            _ if path.contains('.') => UrlPath::File(path),
            BareUrl::Dir => UrlPath::Folder(trimmed()),
            BareUrl::File => UrlPath::File(path + ".html"),
            BareUrl::Exact => UrlPath::File(path),
        }
    }

    fn by_pattern(
        &self,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
        pattern: &UrlPattern,
    ) -> Option<UrlPath> {
        let path = self.fill_pattern(content, kind, |filled| filled.by(pattern))?;
        Some(UrlPath::Page(
            self.languages.prefix(content.name.language) + &without_empty_parts(&path),
        ))
    }

    /// Collects the inputs of a permalink pattern and passes them to `fill`.
    fn fill_pattern(
        &self,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
        fill: impl Fn(&PermalinkInput<'_>) -> Option<String>,
    ) -> Option<String> {
        let dated = DatedName::of(
            self.generator,
            self.config,
            content.name,
            content.front_matter,
        );
        let own_slug = self.own_slug(content);
        let slug = own_slug.as_deref().or(dated.slug);
        let ConventionInput {
            name,
            front_matter,
            dirs,
            ..
        } = *content;
        fill(&PermalinkInput {
            name,
            kind,
            front_matter,
            slug,
            date: dated.date,
            dirs,
            case: self.slugs.case(),
        })
    }

    fn by_path(&self, content: &ConventionInput<'_>, kind: HugoPageKind) -> Vec<UrlPath> {
        let is_list = kind.is_list();
        let own = self.own_slug(content);
        // Only some versions of Hugo use the slug of a list page.
        let slugs = if is_list && own.is_some() {
            vec![None, own.as_deref()]
        } else {
            vec![own.as_deref()]
        };
        let addresses = slugs.into_iter().map(|slug| {
            let mut parts = self.parts_of(content, slug, kind);
            if !content.root.spec.keeps_names {
                self.slugify(&mut parts, slug, kind);
            }
            let path = self.languages.prefix(content.name.language) + &parts.join("/");
            // A bundle's index file is an ordinary page; any other index file is the page of its
            // directory.
            let is_folder =
                is_list || self.is_index(content.name) && !self.generator.leaf_owns_folder;
            if is_folder {
                UrlPath::Folder(path)
            } else {
                UrlPath::Page(path)
            }
        });
        addresses.collect()
    }

    /// The components of a page's path, before slugs are made. An index file does not add one.
    fn parts_of(
        &self,
        content: &ConventionInput<'_>,
        own_slug: Option<&str>,
        kind: HugoPageKind,
    ) -> Vec<String> {
        let is_list = kind.is_list();
        let (name, root) = (content.name, content.root.spec);
        let mut parts = name.dirs.clone();
        let names_file = own_slug.is_some() && self.generator.front_matter.slug_may_be_path;
        if !is_list && (names_file || !self.is_index(name)) {
            parts.push(name.stem);
        }
        let dated = DatedName::of(self.generator, self.config, name, content.front_matter);
        if let (Some(last), Some(slug)) = (parts.last_mut(), dated.slug)
            && own_slug.is_none()
            && !is_list
        {
            *last = slug;
        }
        if root.number_prefixes {
            parts = parts.into_iter().map(slug::without_number).collect();
        }
        if root.date_folders {
            return parts
                .into_iter()
                .flat_map(slug::with_date_folders)
                .collect();
        }
        parts.into_iter().map(str::to_owned).collect()
    }

    fn is_index(&self, name: &ContentName<'_>) -> bool {
        let is_of_folder = || name.dirs.last() == Some(&name.stem);
        self.generator.is_leaf_index(name.stem) || self.generator.same_name_index && is_of_folder()
    }

    fn own_slug(&self, content: &ConventionInput<'_>) -> Option<String> {
        let keys = &self.generator.front_matter;
        let word = |key: &Option<String>| content.front_matter.scalar(key.as_ref()?);
        word(&keys.slug)
            .or_else(|| word(&keys.id))
            .filter(|_| self.may_set_url(content))
    }

    fn slugify(&self, parts: &mut [String], own_slug: Option<&str>, kind: HugoPageKind) {
        let Some((last, dirs)) = parts.split_last_mut() else {
            return;
        };
        if let Some(own) = own_slug {
            *last = self.slugs.of(own, SlugSubject::ByFrontMatter);
        }
        let Some(slug) = &self.generator.slug else {
            return;
        };
        if slug.scope == SlugScope::All {
            for dir in dirs {
                *dir = self.slugs.of(dir, SlugSubject::ByFile);
            }
        }
        // Zola makes slugs of page names only, not of section directories.
        if own_slug.is_none() && (slug.scope == SlugScope::All || !kind.is_list()) {
            *last = self.slugs.of(last, SlugSubject::ByFile);
        }
    }

    /// Hugo's logical path of a page: `blog/first`.
    fn logical_path(&self, name: &ContentName<'_>) -> String {
        if !self.has_permalinks() {
            return String::new();
        }
        let is_index = self.is_index(name) || self.generator.is_branch_index(name.stem);
        let parts = name
            .dirs
            .iter()
            .copied()
            .chain((!is_index).then_some(name.stem));
        parts
            .map(|part| slug::hugo_path(part, LetterCase::Lower))
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// The URL patterns in the tables of languages.
fn of_languages<'a>(
    generator: &Generator,
    config: &OwnConfig,
    languages: &Languages<'a>,
) -> BTreeMap<&'a str, Permalinks> {
    let keys = generator
        .permalinks_key
        .as_ref()
        .zip(generator.languages.as_ref());
    let Some((permalinks, keys)) = keys else {
        return BTreeMap::new();
    };
    let own = languages.codes().iter().filter_map(|&code| {
        let key = format!("{}.{code}.{permalinks}", keys.table_key);
        config.get(&key)?;
        Some((code, Permalinks::read(&key, config)))
    });
    own.collect()
}

/// Removes empty parts, which a token without a value leaves.
fn without_empty_parts(path: &str) -> String {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("/")
}

fn joined(dir: &str, below: &str) -> String {
    let separator = if dir.is_empty() || below.is_empty() {
        ""
    } else {
        "/"
    };
    format!("{dir}{separator}{below}")
}

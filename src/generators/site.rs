//! A site's root, generator and output directory, as its files name them.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::config_files::language_of;
use super::content_root;
use super::error::UnclearSite;
use super::own::conventions_of;
use super::own_config::all_strings;
use super::{BuildEnvironment, Conventions, Generator, GeneratorError, OwnConfig};
use crate::files::glob::literal_glob;
use crate::files::tree::Tree;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// The environment of a search, and the failures of the machine so far. A directory that cannot be read may
/// have contained the site, so a search with a failure has no result.
#[derive(Debug)]
pub(crate) struct SiteSearch {
    /// Remembers the first failure.
    pub(crate) tree: Tree,
    /// The environment of the build.
    pub(crate) environment: Arc<BuildEnvironment>,
}

/// A site as detected from its files.
#[derive(Debug)]
pub struct Site {
    /// The directory with the generator's settings, or else the given directory.
    pub root: PathBuf,
    /// The generator, where one was recognized.
    pub generator: Option<&'static Generator>,
    /// The generator's own settings.
    pub config: OwnConfig,
    /// The output directory according to the generator.
    pub output_dir: PathBuf,
    /// Why the output directory may be the wrong one. The user's own setting overrules it.
    pub unclear: Option<UnclearSite>,
    /// Error in settings found above the given directory, which were ignored. They may belong to a
    /// generator that writes into this directory.
    pub ignored_error: Option<GeneratorError>,
    /// The files of the site root and of its repository.
    pub tree: Tree,
    /// The environment of the build, which settings may refer to.
    pub environment: Arc<BuildEnvironment>,
}

/// The part of a site in one language, if it is served from its own host.
#[derive(Debug)]
pub struct LanguageHost {
    /// Its output directory, which is the root of its host.
    pub dir: PathBuf,
    /// Its output directory relative to that of the whole site, with a trailing `/`.
    pub prefix: String,
    /// The settings key of its base URL.
    pub key: String,
    /// Its base URL.
    pub base_url: BaseUrl,
}

impl Site {
    /// A directory of pages that no known generator made.
    pub(crate) fn plain(root: &Path, output_dir: PathBuf, search: &SiteSearch) -> Self {
        Self {
            root: root.to_owned(),
            generator: None,
            config: OwnConfig::default(),
            output_dir,
            unclear: None,
            ignored_error: None,
            tree: search.tree.at(root),
            environment: Arc::clone(&search.environment),
        }
    }

    /// The same site, with the reason for which it may be the wrong one.
    #[must_use]
    pub(crate) fn unclear(self, unclear: UnclearSite) -> Self {
        Self {
            unclear: Some(unclear),
            ..self
        }
    }

    /// The site with this root.
    pub(crate) fn at_root(
        root: &Path,
        generator: &'static Generator,
        search: &SiteSearch,
    ) -> Result<Self, GeneratorError> {
        let tree = &search.tree;
        let site = Self::plain(root, PathBuf::new(), search);
        let config = OwnConfig::read(&site.tree, generator, &search.environment)?;
        let mut output_dir = below(root, &output_of(generator, &config), tree);
        let is_set = config.set_text_of(&generator.output).is_some();
        for dir in generator.output.literals().skip(1) {
            if is_set || tree.is_dir(&output_dir) {
                break;
            }
            let other = below(root, Path::new(dir), tree);
            if tree.is_dir(&other) {
                output_dir = other;
            }
        }
        Ok(Self {
            generator: Some(generator),
            config,
            output_dir,
            ..site
        })
    }

    /// The list of sources that the generator has written at the site root, unless it is named anyway.
    pub fn own_source_list(&self, named: &[PathBuf]) -> Option<PathBuf> {
        let list = self.generator?.source_list.as_ref()?;
        let file = self.root.join(&list.file);
        let is_named = named.iter().any(|named| self.root.join(named) == file);
        (!is_named && self.tree.exists(&file)).then_some(file)
    }

    /// The base URL in the generator's settings for an output directory, and its key.
    pub fn own_base_url(&self, output_dir: &Path) -> Option<(String, BaseUrl)> {
        let generator = self.generator?;
        for language in self.languages_with_hosts() {
            if self.tree.is_same(&language.dir, output_dir) {
                return Some((language.key, language.base_url));
            }
        }
        let key = generator.base_url.first()?;
        let url = self.config.text(key)?;
        let base = match generator.base_url.get(1) {
            None => BaseUrl::parse(url),
            Some(path) => {
                let host = url.trim_end_matches('/');
                let scheme = if host.contains("://") { "" } else { "https://" };
                let path = self.config.text(path).unwrap_or_default().trim_matches('/');
                // A common mistake: the URL already has the path.
                let bare = host
                    .strip_suffix(path)
                    .and_then(|rest| rest.strip_suffix('/'));
                let host = bare.filter(|bare| !bare.ends_with('/')).unwrap_or(host);
                BaseUrl::parse(&format!("{scheme}{host}/{path}"))
            }
        };
        Some((key.clone(), base.ok()?))
    }

    /// The key of the base URL in the generator's settings and its value, also one that is not a URL.
    pub fn stated_base_url(&self) -> Option<(&'static str, &str)> {
        let key = self.generator?.base_url.first()?;
        Some((key, self.config.text(key)?))
    }

    /// The key of the base URL in the generator's settings if these are a program that computes it.
    pub fn computed_base_url(&self) -> Option<&'static str> {
        let key = self.generator?.base_url.first()?;
        language_of(self.config_file()?)?;
        self.config.get(key)?.is_null().then_some(key)
    }

    /// The path of the base URL in the generator's settings, if it has a key of its own.
    pub fn own_base_path(&self) -> Option<&str> {
        self.config.text(self.generator?.base_url.get(1)?)
    }

    /// The key of that path, or another one of a path alone, if its value cannot be read: it is computed.
    pub fn computed_base_path(&self) -> Option<&'static str> {
        language_of(self.config_file()?)?;
        self.base_path_keys()
            .find(|key| self.config.get(key).is_some_and(Value::is_null))
    }

    /// Whether the generator's settings name the host of a URL somewhere, as that of one language.
    pub fn names_host_of(&self, url: &BaseUrl) -> bool {
        all_strings(&self.config.value)
            .into_iter()
            .any(|text| BaseUrl::parse(text).is_ok_and(|own| own.origin() == url.origin()))
    }

    /// The paths that the generator's settings give the site, each with its key. The generator writes
    /// them into the links of all pages.
    pub fn base_paths(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.base_path_keys()
            .filter_map(|key| Some((key, self.config.text(key)?)))
    }

    /// The settings keys of paths of the base URL alone.
    fn base_path_keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.generator
            .into_iter()
            .flat_map(|known| known.base_url.get(1).into_iter().chain(&known.base_paths))
            .map(String::as_str)
    }

    /// Languages that are served from their own hosts, as in Hugo with a `baseURL` per language.
    pub fn languages_with_hosts(&self) -> Vec<LanguageHost> {
        let Some(generator) = self.generator else {
            return Vec::new();
        };
        let languages = generator.languages_in(&self.config);
        let mut hosts = Vec::new();
        for code in &languages.codes {
            if let Some((key, base_url)) = languages.base_url(&self.config, code)
                && let Ok(base_url) = BaseUrl::parse(base_url)
            {
                let prefix = languages.prefix(code);
                hosts.push(LanguageHost {
                    dir: self.output_dir.join(&prefix),
                    prefix,
                    key,
                    base_url,
                });
            }
        }
        hosts
    }

    /// The order of the dates of last change that the settings state, in lower case: keys of front matter,
    /// and `:git`, `:filename` and `:filemodtime`. Empty if they state none.
    pub fn date_order(&self) -> Vec<String> {
        self.conventions().date_order(&self.config)
    }

    /// The computations of the generator.
    pub(super) fn conventions(&self) -> &'static dyn Conventions {
        conventions_of(self.generator.map_or("", |generator| &generator.name))
    }

    /// The codes of the languages that the settings have a table of.
    pub fn language_codes(&self) -> Vec<&str> {
        let keys = self.generator.and_then(|known| known.languages.as_ref());
        keys.map_or_else(Vec::new, |keys| self.config.keys(&keys.list))
    }

    /// Whether the generator's settings build drafts.
    pub fn builds_drafts(&self) -> bool {
        self.generator.is_some_and(|known| {
            let keys = &known.builds_drafts;
            keys.iter().any(|key| self.config.is_on(key))
        })
    }

    /// Globs for the templates that the generator copies to the output: a directory of them is in the
    /// content directory.
    pub fn copied_templates(&self) -> Vec<String> {
        let mut globs = Vec::new();
        if let (Some(generator), Some(content)) = (self.generator, self.content_dir()) {
            let content = SitePath::joined("", content);
            for dir in self.config.texts_of(&generator.template_dirs) {
                let dir = SitePath::joined("", dir);
                match content_root::below(dir.as_bytes(), content.as_bytes()) {
                    Some(below) if !below.is_empty() => {
                        let dir = String::from_utf8_lossy(below);
                        globs.push(format!("{}/**", literal_glob(&dir)));
                    }
                    _ => {}
                }
            }
        }
        globs
    }

    /// A glob for the file that hosts serve for URLs without one, unless it is the home page.
    pub fn fallback_page(&self) -> Option<String> {
        let file = self.config.text(self.generator?.fallback_key.as_deref()?)?;
        (file != "index.html").then(|| literal_glob(file))
    }

    /// The file that the generator also writes as the home page.
    pub fn front_page(&self, tree: &Tree) -> Option<SitePath> {
        self.conventions()
            .front_page(&self.root, self.content_dir()?, tree)
    }

    /// The first of the content directories, according to the generator's settings.
    fn content_dir(&self) -> Option<&str> {
        Some(self.generator?.roots.first()?.dir_in(&self.config))
    }

    /// The first of the generator's settings files, if there is one.
    pub fn config_file(&self) -> Option<&Path> {
        self.config.files.first().map(PathBuf::as_path)
    }
}

/// Joins an output directory to a site root. `../build` is next to the root, and shown like that,
/// unless a link makes it another directory.
fn below(root: &Path, output: &Path, tree: &Tree) -> PathBuf {
    let joined = root.join(output);
    if let Some(parent) = root.parent()
        && let Ok(rest) = output.strip_prefix("..")
        && tree.resolved(&parent.join(rest)) == tree.resolved(&joined)
    {
        return parent.join(rest);
    }
    joined
}

/// The output directory in a generator's settings. It may be outside the site root, as generators
/// allow; the caller restricts it to the repository (`LoadedSite` in waypost's `site`).
fn output_of(generator: &Generator, config: &OwnConfig) -> PathBuf {
    let mut output = PathBuf::from(config.text_of(&generator.output));
    output.extend(conventions_of(&generator.name).output_below(config));
    // Show `./public/` and `public` alike.
    output
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

//! Finds the site, its settings and its environment, before any page is read.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::base_url::{self, FoundBaseUrl};
use super::url_form;
use crate::config::{
    self, Flags, KeyCase, LayerInputs, LoadedSettings, Mistakes, SettingOrigin, SettingsTable,
};
use crate::decide::reason_names;
use crate::discover::DiscoverError;
use crate::settings::{PreviewMode, Settings, UrlStyle};
use git_last_modified::{HistoryError, RepositoryState};
use located_values::Syntax;
use page_sources::generator::{Manifest, OwnConfigError, Pipeline, Pipelines, Site, SiteError};
use page_sources::source_map::{MdbookBook, SourceMapEntry, SourceMapError};
use site_paths::containment::{
    Containment, MAKE_READABLE, SitemapDir, absolute, strip_canonical_prefix,
};
use site_paths::glob::PatternError;
use site_paths::{BaseUrl, escaped};
use sitemaps::Now;

/// Input of a run, as given on the command line.
#[derive(Debug)]
pub struct RunRequest {
    /// The given site, or the working directory.
    pub site: PathBuf,
    /// `--config`.
    pub config: Option<PathBuf>,
    /// The flags that set settings.
    pub flags: Flags,
    /// The whole environment, sorted by name.
    pub environment: BTreeMap<String, String>,
    /// The book that mdBook built, if it started this run.
    pub book: Option<MdbookBook>,
    /// The current time.
    pub now: Now,
}

/// Error that prevents a run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The site cannot be identified.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The site's own files name an output directory elsewhere on the machine.
    #[error("the output directory `{0}` is outside the site and its repository")]
    OutputOutsideSite(PathBuf),
    /// The settings contain errors.
    #[error("the settings contain errors")]
    Mistakes(#[from] Mistakes),
    /// The output directory cannot be listed.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The output directory contains no page.
    #[error("no page found in `{0}`")]
    NoPages(PathBuf),
    /// The base URL is unknown.
    #[error("no base URL found for `{0}`")]
    NoBaseUrl(PathBuf, String),
    /// The output directory contains several sites, each in its own directory.
    #[error("each language of this site has its own base URL, so `{0}` contains several sites")]
    SeveralHosts(PathBuf, Vec<String>),
    /// The base URL belongs to a single deploy, which the next one replaces.
    #[error(
        "`{base}`, from {origin}, is the URL of a single deploy on {host} and must not appear in a \
         sitemap"
    )]
    DeployUrl {
        /// The URL.
        base: BaseUrl,
        /// Where the URL comes from.
        origin: String,
        /// The pipeline whose deploys have such URLs.
        host: String,
        /// The setting to change: the flag or variable that set the URL, or the key in the
        /// generator's settings.
        key: String,
    },
    /// The base URL is a localhost URL, written by a development server.
    #[error("`{base}`, from {origin}, is a localhost URL and must not appear in a sitemap")]
    LocalhostUrl {
        /// The URL.
        base: BaseUrl,
        /// Where the URL comes from.
        origin: String,
    },
    /// The history settings are invalid.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A source map cannot be read.
    #[error(transparent)]
    SourceMap(#[from] SourceMapError),
    /// A glob cannot be compiled.
    #[error(transparent)]
    Patterns(#[from] PatternError),
}

impl RunError {
    /// Returns the hint on how to fix the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Discover(DiscoverError::OutputDir(_, error))
            | Self::Site(SiteError::Config(OwnConfigError::Read(_, error)))
                if error.kind() == ErrorKind::PermissionDenied =>
            {
                Some(MAKE_READABLE.to_owned())
            }
            Self::Discover(DiscoverError::NoPageSeen(..)) => {
                Some("build the site first, or make the directory listable".to_owned())
            }
            Self::NoPages(_) | Self::Discover(_) => {
                Some("build the site first, or pass the output directory: `waypost DIR`".to_owned())
            }
            Self::NoBaseUrl(_, key) => Some(format!(
                "set {key}, or pass `--base-url https://example.com/`"
            )),
            Self::SeveralHosts(_, dirs) => {
                let commands: Vec<String> = dirs
                    .iter()
                    .map(|folder| format!("`waypost -o {folder}`"))
                    .collect();
                Some(format!("run waypost on each: {}", commands.join(", ")))
            }
            Self::LocalhostUrl { .. } => Some(
                "build the site (a development server writes its own URL), or pass \
                 `--base-url https://example.com/`"
                    .to_owned(),
            ),
            Self::DeployUrl { key, .. } => Some(format!(
                "set {key} to the production URL and rebuild; `waypost explain --settings` shows \
                 the value in use"
            )),
            Self::OutputOutsideSite(folder) => Some(format!(
                "if this is intended, pass `--output-dir {}`",
                escaped(&folder.to_string_lossy())
            )),
            Self::Site(SiteError::NotADir(_)) => Some(
                "pass the site root or a directory of HTML before any page: \
                 `waypost explain . index.html`"
                    .to_owned(),
            ),
            Self::Site(SiteError::Config(OwnConfigError::Parse { .. })) => Some(
                "fix the settings; if they belong to another program, pass the output directory: \
                 `waypost DIR`"
                    .to_owned(),
            ),
            Self::Site(_) => Some("pass the site root or a directory of HTML".to_owned()),
            Self::History(error) => Some(error.remedy().to_owned()),
            Self::SourceMap(error) => Some(error.remedy().to_owned()),
            Self::Mistakes(_) | Self::Patterns(_) => None,
        }
    }
}

/// A site with its settings and the environment of the run.
#[derive(Debug)]
pub struct Survey<'m> {
    /// The known generators and pipelines.
    pub manifest: &'m Manifest,
    /// The site.
    pub site: Site<'m>,
    /// Its settings and the origin of each.
    pub loaded: LoadedSettings,
    /// The path of the settings file as given by the user, if any.
    pub config: Option<PathBuf>,
    /// The directory of the rendered site.
    pub output_dir: PathBuf,
    /// The environment of the run.
    pub environment: BTreeMap<String, String>,
    /// Pages and sources reported by the generator that started this run.
    pub reported_sources: Vec<SourceMapEntry>,
    /// The current time.
    pub now: Now,
    /// The directories in which files may be read.
    pub(super) containment: Containment,
}

/// Expresses a directory below `root` as a path that starts with `root`, even if it was given
/// through `..` or symbolic links. Pages below the root may be their own sources.
fn named_from(root: &Path, dir: PathBuf) -> PathBuf {
    let goes_down = |below: &Path| {
        below
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
    };
    if dir.strip_prefix(root).is_ok_and(goes_down) {
        return dir;
    }
    strip_canonical_prefix(root, &dir)
        .map(|below| root.join(below))
        .unwrap_or(dir)
}

impl<'m> Survey<'m> {
    /// Finds the site and reads its settings.
    pub fn new(request: RunRequest, manifest: &'m Manifest) -> Result<Self, RunError> {
        let site = Site::find(&request.site, manifest)?;
        let environment: Vec<(String, String)> = request
            .environment
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let mut homes = settings_tables(&site);
        let config = request
            .config
            .map(|typed| disambiguated(typed, &site.root, &homes));
        homes.extend(request.book.as_ref().map(|book| home_in_book(&site, book)));
        let mut loaded = config::load(&LayerInputs {
            site_root: &site.root,
            generator_tables: &homes,
            config: config.as_deref(),
            environment: &environment,
            flags: request.flags,
            reasons: &reason_names(),
        })
        .map_err(|mistakes| {
            mistakes.with_paths(|file| settings_path(&site.root, config.as_deref(), file))
        })?;
        if loaded.settings.url_style == UrlStyle::Host {
            let pipelines = Pipelines::new(manifest, &request.environment);
            loaded.settings.url_style = pipelines
                .host()
                .map_or(UrlStyle::Keep, |host| url_form::form_at(host, &site.root));
        }
        let named = loaded.settings.output_dir.as_ref();
        let output_dir = named.map_or_else(
            || site.output_dir.clone(),
            |dir| named_from(&site.root, site.root.join(dir)),
        );
        let is_named_by_user = loaded
            .origin_of("output_dir")
            .is_some_and(SettingOrigin::is_set_by_user);
        let reach = Containment::of_site(&site.root);
        if !is_named_by_user && reach.clone().and(&request.site).is_escaped_by(&output_dir) {
            return Err(RunError::OutputOutsideSite(output_dir));
        }
        let reach = reach.and(&output_dir);
        let reported = request.book.map(|book| book.chapters).unwrap_or_default();
        let (environment, now) = (request.environment, request.now);
        Ok(Self {
            manifest,
            site,
            loaded,
            config,
            output_dir,
            environment,
            reported_sources: reported,
            now,
            containment: reach,
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// Returns the build pipelines of the manifest, evaluated in this run's environment.
    pub fn pipelines(&self) -> Pipelines<'_> {
        Pipelines::new(self.manifest, &self.environment)
    }

    /// Returns the state of the repository that contains the site.
    pub fn repository(&self) -> Option<RepositoryState> {
        RepositoryState::containing(&absolute(&self.site.root))
    }

    /// Returns the output directory, confined to the site.
    pub(crate) fn output(&self) -> SitemapDir {
        SitemapDir::of_site(&self.output_dir, self.containment.clone())
    }

    /// Returns the pipeline if this build is a preview that must write nothing.
    pub fn skipped_preview(&self) -> Option<&Pipeline> {
        self.pipelines()
            .preview()
            .filter(|_| self.settings().preview == PreviewMode::Skip)
    }

    /// Returns the base URL of the output directory.
    ///
    /// The first of these that is set: the settings, the root page's canonical link, the
    /// generator's settings, a `CNAME` file, the pipeline's environment.
    pub fn base_url(&self) -> Result<FoundBaseUrl, RunError> {
        base_url::find(self)
    }

    /// Formats the path of a settings file or any other file for display.
    pub fn path_shown(&self, path: &Path) -> String {
        match self.loaded.texts.of(path) {
            Some(_) => Self::display_path(&settings_path(
                &self.site.root,
                self.config.as_deref(),
                path,
            )),
            None => Self::display_path(path),
        }
    }

    /// Formats a path for display: without a leading `./`, and with control characters escaped.
    pub fn display_path(path: &Path) -> String {
        let below = path.strip_prefix("./").unwrap_or(path);
        if below.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            escaped(&below.to_string_lossy()).into_owned()
        }
    }
}

/// Rewrites the given settings path if it could be confused with a file of the generator: those are
/// identified by their path from the site root, and both the site root and the working directory
/// may contain a `config.toml`.
fn disambiguated(typed: PathBuf, root: &Path, homes: &[SettingsTable]) -> PathBuf {
    let is_another = absolute(root) != absolute(Path::new(""));
    if is_another && homes.iter().any(|home| home.file == typed) {
        Path::new(".").join(typed)
    } else {
        typed
    }
}

/// Returns the display path of a settings file. Only the file given by the user is not relative to
/// the site root.
fn settings_path(root: &Path, typed: Option<&Path>, file: &Path) -> PathBuf {
    let path = if typed == Some(file) {
        file.to_owned()
    } else {
        root.join(file)
    };
    Survey::display_path(&path).into()
}

/// Returns the places for waypost's table in the generator's own settings.
fn settings_tables(site: &Site<'_>) -> Vec<SettingsTable> {
    let Some(generator) = site.generator else {
        return Vec::new();
    };
    let Some(table) = &generator.rules_table else {
        return Vec::new();
    };
    let of_file = |file: &PathBuf| {
        let syntax = match file.extension().and_then(|ending| ending.to_str()) {
            Some("yaml" | "yml") => Syntax::Yaml,
            Some("json") => Syntax::Json,
            _ => Syntax::Toml,
        };
        let stem = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        // `params.toml` contains the table `params` itself.
        let table = table
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(table);
        let file = file.strip_prefix(&site.root).unwrap_or(file).to_owned();
        SettingsTable::new(file, table.to_owned(), syntax)
    };
    site.config.files().iter().map(of_file).collect()
}

/// Returns the renderer's table in `book.toml`, or mdBook's resolved settings if the environment
/// overrides the table.
fn home_in_book(site: &Site<'_>, book: &MdbookBook) -> SettingsTable {
    let table = format!("output.{}", book.renderer());
    let file = PathBuf::from("book.toml");
    let settings = book.settings();
    let home = if site.config.get(&table) == Some(settings) {
        SettingsTable::new(file, table, Syntax::Toml)
    } else {
        // This text has no line numbers in common with the file.
        let (file, text) = (
            "book.toml, with changes from the environment".into(),
            Some(format!("{settings:#}")),
        );
        SettingsTable {
            text,
            ..SettingsTable::new(file, String::new(), Syntax::Json)
        }
    };
    // Keys that mdBook reads itself.
    let foreign_keys = ["command", "optional"].map(str::to_owned).to_vec();
    SettingsTable {
        foreign_keys,
        key_case: KeyCase::Hyphens,
        ..home
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_for_a_missing_permission_does_not_suggest_a_build() {
        let hint = |kind: ErrorKind| {
            RunError::Discover(DiscoverError::OutputDir("public".into(), kind.into())).hint()
        };
        let readable = "make it readable for the user who runs waypost";
        assert_eq!(hint(ErrorKind::PermissionDenied).as_deref(), Some(readable));
        assert!(
            hint(ErrorKind::NotFound).is_some_and(|hint| hint.contains("build the site first"))
        );
        let own = OwnConfigError::Read("config.toml".into(), ErrorKind::PermissionDenied.into());
        assert_eq!(
            RunError::Site(SiteError::Config(own)).hint().as_deref(),
            Some(readable)
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_directory_is_named_from_the_root_even_through_links() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |path: &str| dir.path().join(path);
        std::fs::create_dir_all(at("real/site/public/en")).expect("a directory");
        std::fs::create_dir_all(at("real/else")).expect("a directory");
        std::os::unix::fs::symlink("real", at("link")).expect("a link");
        std::os::unix::fs::symlink("public", at("real/site/other")).expect("a link");
        let check = |root: &str, typed: &str, expected: &str| {
            assert_eq!(
                named_from(&at(root), at(typed)),
                at(expected),
                "{typed} from {root}"
            );
        };
        check("real/site", "real/site/public", "real/site/public");
        check("real/site", "link/site/public/en", "real/site/public/en");
        check("link/site", "real/site/public", "link/site/public");
        check("link/site", "link/site/../site/public", "link/site/public");
        check(
            "link/site/public/..",
            "link/site/public",
            "link/site/public/../public",
        );
        check("real/site", "real/site/other", "real/site/other");
        check("real/site", "real/else", "real/else");
        check("real/site", "real/none", "real/none");
    }
}

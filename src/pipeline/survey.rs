//! Which site this is and how it is to be treated: before any page is read.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::base_url::{self, FoundBaseUrl};
use super::url_form;
use crate::bounds::{Containment, MAKE_READABLE, SitemapDir, absolute, really_below};
use crate::config::{
    self, Flags, KeyCase, LayerInputs, LoadedSettings, Mistakes, PreviewMode, SettingOrigin,
    Settings, SettingsTable, Syntax, UrlStyle,
};
use crate::dates::Now;
use crate::decide::reason_names;
use crate::discover::DiscoverError;
use crate::generator::{Manifest, OwnConfigError, Pipeline, Pipelines, Site, SiteError};
use crate::history::{HistoryError, RepositoryState};
use crate::rules::PatternError;
use crate::site_paths::{BaseUrl, escaped};
use crate::source_map::{MdbookBook, SourceMapEntry, SourceMapError};

/// What the command line knows.
#[derive(Debug)]
pub struct RunRequest {
    /// The site that was named, or the working folder.
    pub site: PathBuf,
    /// `--config`.
    pub config: Option<PathBuf>,
    /// The flags that are settings too.
    pub flags: Flags,
    /// The whole environment, sorted by name.
    pub environment: BTreeMap<String, String>,
    /// The book that mdBook has built, where it started this run.
    pub book: Option<MdbookBook>,
    /// The present moment.
    pub now: Now,
}

/// Why a run is not possible.
#[derive(Debug, Error)]
pub enum RunError {
    /// The site cannot be made out.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// What the site's own files name as the output folder lies elsewhere on the machine.
    #[error("the output folder `{0}` lies outside the site and its repository")]
    OutputLeavesSite(PathBuf),
    /// The settings hold mistakes.
    #[error("the settings hold mistakes")]
    Mistakes(#[from] Mistakes),
    /// The output folder cannot be walked.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// There is no page in it.
    #[error("no page found in `{0}`")]
    NoPages(PathBuf),
    /// Nothing names the address of the site.
    #[error("no base URL: nothing says at which address `{0}` is served")]
    NoBaseUrl(PathBuf, String),
    /// The output folder is not one site but several, each in a folder of its own.
    #[error("each language of this site has a base URL of its own, so `{0}` holds several sites")]
    SeveralHosts(PathBuf, Vec<String>),
    /// The site's address is that of one deploy, which the next one replaces.
    #[error(
        "`{base}`, from {origin}, is the address of a single deploy on {host}, which no sitemap may name"
    )]
    DeployAddress {
        /// The address.
        base: BaseUrl,
        /// What named it.
        origin: String,
        /// The pipeline whose deploys have such addresses.
        host: String,
        /// What is to be set in its place: the flag or variable that named it, or the key of this generator's settings.
        key: String,
    },
    /// The site's address is what a server of drafts wrote into it.
    #[error(
        "`{base}`, from {origin}, is an address of this very machine, which no sitemap may name"
    )]
    LocalAddress {
        /// The address.
        base: BaseUrl,
        /// What named it.
        origin: String,
    },
    /// What the history was told makes no sense.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A list of pages and sources cannot be read.
    #[error(transparent)]
    SourceMap(#[from] SourceMapError),
    /// A glob cannot be compiled.
    #[error(transparent)]
    Patterns(#[from] PatternError),
}

impl RunError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Discover(DiscoverError::OutputFolder(_, error))
            | Self::Site(SiteError::Config(OwnConfigError::Read(_, error)))
                if error.kind() == ErrorKind::PermissionDenied =>
            {
                Some(MAKE_READABLE.to_owned())
            }
            Self::Discover(DiscoverError::NoPageSeen(..)) => Some(
                "build the site first, if it is not built; else see to it that the folder can be listed".to_owned(),
            ),
            Self::NoPages(_) | Self::Discover(_) => {
                Some("build the site first, or name the folder it was built into: `waypost DIR`".to_owned())
            }
            Self::NoBaseUrl(_, key) => Some(format!("set {key}, or give `--base-url https://example.com/`")),
            Self::SeveralHosts(_, folders) => {
                let commands: Vec<String> = folders.iter().map(|folder| format!("`waypost -o {folder}`")).collect();
                Some(format!("run it for each of them: {}", commands.join(", ")))
            }
            Self::LocalAddress { .. } => Some(
                "build the site (a server of drafts writes its own address), or give `--base-url https://example.com/`"
                    .to_owned(),
            ),
            Self::DeployAddress { key, .. } => Some(format!(
                "set {key} to the production address, and build with it; `waypost explain --settings` shows what is found"
            )),
            Self::OutputLeavesSite(folder) => {
                Some(format!("if that is meant, say so: `--output-dir {}`", escaped(&folder.to_string_lossy())))
            }
            Self::Site(SiteError::NotAFolder(_)) => Some(
                "name the root of a site, or a folder of HTML, before any page: `waypost explain . index.html`"
                    .to_owned(),
            ),
            Self::Site(SiteError::Config(OwnConfigError::Parse { .. })) => Some(
                "mend the settings; if they are not those of this site's generator, name the folder of its pages: \
                 `waypost DIR`"
                    .to_owned(),
            ),
            Self::Site(_) => Some("name the root of a site, or a folder of HTML".to_owned()),
            Self::History(error) => Some(error.remedy().to_owned()),
            Self::SourceMap(error) => Some(error.remedy().to_owned()),
            Self::Mistakes(_) | Self::Patterns(_) => None,
        }
    }
}

/// A site, its settings and its address.
#[derive(Debug)]
pub struct Survey<'m> {
    /// What is known of generators and pipelines.
    pub manifest: &'m Manifest,
    /// The site.
    pub site: Site<'m>,
    /// Its settings, and where each came from.
    pub loaded: LoadedSettings,
    /// The settings file that was named, as it was typed.
    pub config: Option<PathBuf>,
    /// The folder that holds the rendered site.
    pub output_dir: PathBuf,
    /// The environment of the run.
    pub environment: BTreeMap<String, String>,
    /// What the generator itself said of its pages when it started this run.
    pub told: Vec<SourceMapEntry>,
    /// The present moment.
    pub now: Now,
    /// How far the site's own files may lead.
    pub(super) reach: Containment,
}

/// A folder below a root, named from there however it was typed, through `..` or links: pages that lie in the site may be
/// their own sources.
fn named_from(root: &Path, folder: PathBuf) -> PathBuf {
    let goes_down = |below: &Path| {
        below
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
    };
    if folder.strip_prefix(root).is_ok_and(goes_down) {
        return folder;
    }
    really_below(root, &folder)
        .map(|below| root.join(below))
        .unwrap_or(folder)
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
        let mut homes = homes(&site);
        let config = request
            .config
            .map(|typed| told_apart(typed, &site.root, &homes));
        homes.extend(request.book.as_ref().map(|book| home_in_book(&site, book)));
        let mut loaded = config::load(&LayerInputs {
            site_root: &site.root,
            homes: &homes,
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
            .is_some_and(SettingOrigin::is_of_user);
        let reach = Containment::of_site(&site.root);
        if !is_named_by_user && reach.clone().and(&request.site).is_left_by(&output_dir) {
            return Err(RunError::OutputLeavesSite(output_dir));
        }
        let reach = reach.and(&output_dir);
        let told = request.book.map(|book| book.chapters).unwrap_or_default();
        let (environment, now) = (request.environment, request.now);
        Ok(Self {
            manifest,
            site,
            loaded,
            config,
            output_dir,
            environment,
            told,
            now,
            reach,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// The build pipelines of the manifest, against this run's environment.
    pub fn pipelines(&self) -> Pipelines<'_> {
        Pipelines::new(self.manifest, &self.environment)
    }

    /// The repository round the site.
    pub fn repository(&self) -> Option<RepositoryState> {
        RepositoryState::round(&absolute(&self.site.root))
    }

    /// The output folder, within the site's bounds.
    pub(crate) fn output(&self) -> SitemapDir {
        SitemapDir::of_site(&self.output_dir, self.reach.clone())
    }

    /// The pipeline whose preview this build is, where a preview writes nothing.
    pub fn skipped_preview(&self) -> Option<&Pipeline> {
        self.pipelines()
            .preview()
            .filter(|_| self.settings().preview == PreviewMode::Skip)
    }

    /// The address of the output folder; the first that answers of the settings, the root page's canonical link, the
    /// generator's settings, a `CNAME` file and the pipeline.
    pub fn base_url(&self) -> Result<FoundBaseUrl, RunError> {
        base_url::find(self)
    }

    /// A file of the settings, or any other, as people know it.
    pub fn path_shown(&self, path: &Path) -> String {
        match self.loaded.texts.of(path) {
            Some(_) => Self::shown(&settings_path(
                &self.site.root,
                self.config.as_deref(),
                path,
            )),
            None => Self::shown(path),
        }
    }

    /// A path as people know it: below the working folder where it lies there, and without what steers a terminal.
    pub fn shown(path: &Path) -> String {
        let below = path.strip_prefix("./").unwrap_or(path);
        if below.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            escaped(&below.to_string_lossy()).into_owned()
        }
    }
}

/// The settings file that was typed, spelt so that it is not taken for one of the generator's: those are known by their
/// path from the site's root, and `config.toml` may stand there and in the working folder.
fn told_apart(typed: PathBuf, root: &Path, homes: &[SettingsTable]) -> PathBuf {
    let is_another = absolute(root) != absolute(Path::new(""));
    if is_another && homes.iter().any(|home| home.file == typed) {
        Path::new(".").join(typed)
    } else {
        typed
    }
}

/// A file of settings as people find it: they are known by their path from the site's root, but for the one that was typed.
fn settings_path(root: &Path, typed: Option<&Path>, file: &Path) -> PathBuf {
    let path = if typed == Some(file) {
        file.to_owned()
    } else {
        root.join(file)
    };
    Survey::shown(&path).into()
}

/// Where waypost's table may stand in the generator's own settings.
fn homes(site: &Site<'_>) -> Vec<SettingsTable> {
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
        // `params.toml` holds the contents of the table `params`.
        let table = table
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(table);
        let file = file.strip_prefix(&site.root).unwrap_or(file).to_owned();
        SettingsTable::of_table(file, table.to_owned(), syntax)
    };
    site.config.files().iter().map(of_file).collect()
}

/// The table of a renderer in `book.toml`, or what mdBook made of it where the environment changed it.
fn home_in_book(site: &Site<'_>, book: &MdbookBook) -> SettingsTable {
    let table = format!("output.{}", book.renderer());
    let file = PathBuf::from("book.toml");
    let settings = book.settings();
    let home = if site.config.get(&table) == Some(settings) {
        SettingsTable::of_table(file, table, Syntax::Toml)
    } else {
        // No line of the file is one of this text.
        let (file, text) = (
            "book.toml, as the environment changes it".into(),
            Some(format!("{settings:#}")),
        );
        SettingsTable {
            text,
            ..SettingsTable::of_table(file, String::new(), Syntax::Json)
        }
    };
    // What mdBook reads there itself.
    let foreign_keys = ["command", "optional"].map(str::to_owned).to_vec();
    SettingsTable {
        foreign_keys,
        spelling: KeyCase::Hyphens,
        ..home
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_may_not_be_listed_need_not_be_built() {
        let hint = |kind: ErrorKind| {
            RunError::Discover(DiscoverError::OutputFolder("public".into(), kind.into())).hint()
        };
        let readable = "it has to be readable for the user who runs waypost";
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
    fn a_folder_is_named_from_the_root_whichever_way_leads_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("real/site/public/en")).expect("a folder");
        std::fs::create_dir_all(at("real/else")).expect("a folder");
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

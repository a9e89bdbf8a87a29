//! The library: waypost inside another program.
//!
//! A directory and a few settings come in, a [`Sitemap`] goes out. It runs the pipeline of the
//! command line and implements no step itself. It never prints, ends the process or reads an
//! environment variable.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::clock;
use crate::config::Flags;
use crate::findings::{Hint, HintedError};
use crate::pages::Page;
use crate::publish::WriteMode;
use crate::run::{PublishedSite, build_inventory, plan_of, publish_inventory};
use crate::site::{LoadedSite, RunRequest, stop_run};
use sitemaps::{DateFormat, EntryExtent};

/// A built site, and how to make its sitemap.
///
/// Settings are read as by the command line: from the site's own files, then from the methods of
/// this type, which take precedence.
#[derive(Debug, Clone)]
pub struct Site {
    dir: PathBuf,
    flags: Flags,
    environment: BTreeMap<String, String>,
}

/// The sitemap of a site: every page, the problems of the site, and the files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sitemap {
    /// Every page, listed or excluded, sorted by file.
    pub pages: Vec<SitePage>,
    /// The problems of the site.
    pub findings: Vec<SiteFinding>,
    /// The names of the files in the output directory that differ from those on disk, or did before
    /// [`Site::write`], robots.txt last.
    pub changed_files: Vec<String>,
    /// Whether a finding keeps this sitemap from being written. [`Site::accept`] accepts it.
    pub is_refused: bool,
}

/// A page of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitePage {
    /// Its path in the output directory: `blog/a/index.html`.
    pub file: String,
    /// The URL under which it is or would be listed.
    pub url: String,
    /// Its date as W3C Datetime, if it is listed and dated.
    pub lastmod: Option<String>,
    /// The code of the reason for which it is not listed, such as `noindex`.
    pub excluded: Option<&'static str>,
}

/// A problem of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteFinding {
    /// Its code, such as `canonical-not-listed`. The documentation has a section on each code.
    pub code: &'static str,
    /// Its level: `allow`, `note`, `warn` or `deny`.
    pub level: &'static str,
    /// Its text. It starts in lower case and has no full stop.
    pub message: String,
    /// The remedy, if the text does not name it.
    pub hint: Option<String>,
}

/// The reason that a site cannot be read or its sitemap cannot be written.
///
/// Its text contains the causes; it starts in lower case and has no full stop.
#[derive(Debug)]
pub struct Error(HintedError);

impl Site {
    /// Names a site: the root of a generator's site, or the directory of rendered pages.
    pub fn open(dir: impl AsRef<Path>) -> Self {
        Self {
            dir: dir.as_ref().to_owned(),
            flags: Flags::default(),
            environment: BTreeMap::new(),
        }
    }

    /// Sets the URL at which the output directory is served. Without it, the site's settings and
    /// pages name it.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.flags.base_url = Some(url.into());
        self
    }

    /// Sets the directory of rendered pages, absolute or relative to the site. Without it, the
    /// generator's settings name it, or it is found by its name.
    #[must_use]
    pub fn output_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.flags.output_dir = Some(dir.into());
        self
    }

    /// Accepts findings with this code, such as `set-shrunk`, that otherwise refuse the sitemap.
    #[must_use]
    pub fn accept(mut self, code: impl Into<String>) -> Self {
        self.flags.accept.push(code.into());
        self
    }

    /// Passes environment variables. They name the pipeline and the host of this build, and
    /// `WAYPOST_*` variables are settings. Use `std::env::vars()` to build as the command line does.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.environment = variables.into_iter().collect();
        self
    }

    /// Reads, judges and dates all pages, and lays out the sitemap. Writes nothing.
    ///
    /// # Errors
    ///
    /// The site cannot be found or read, its settings are wrong, or its base URL is unknown.
    /// Problems with single pages are [findings](Sitemap::findings).
    pub fn sitemap(&self) -> Result<Sitemap, Error> {
        self.run(WriteMode::DryRun).map_err(Error)
    }

    /// Makes the sitemap and writes the files that differ from those on disk, adds them to
    /// robots.txt, and removes files of an earlier sitemap. Readers never see an incomplete file.
    ///
    /// In a preview build, known by its [`environment`](Self::environment), nothing is written.
    ///
    /// # Errors
    ///
    /// Those of [`sitemap`](Self::sitemap); a finding refuses the sitemap; a file cannot be written.
    pub fn write(&self) -> Result<Sitemap, Error> {
        let sitemap = self.run(WriteMode::Write).map_err(Error)?;
        let refusal = sitemap
            .findings
            .iter()
            .find(|finding| sitemap.is_refused && finding.level == "deny");
        match refusal {
            Some(SiteFinding { message, hint, .. }) => Err(Error(HintedError::new(
                format!("the sitemap is not written: {message}"),
                hint.clone()
                    .unwrap_or_else(|| "accept the finding".to_owned()),
            ))),
            None => Ok(sitemap),
        }
    }

    fn run(&self, mode: WriteMode) -> Result<Sitemap, HintedError> {
        let request = RunRequest {
            site: self.dir.clone(),
            flags: self.flags.clone(),
            environment: self.environment.clone(),
            book: None,
            now: clock::now(&self.environment)?,
        };
        let mut loaded = LoadedSite::load(request, EntryExtent::All)?;
        let site = build_inventory(&mut loaded)?;
        let (inventory, findings) = (&site.inventory, site.findings);
        let plan = plan_of(&loaded, inventory);
        let published = publish_inventory(&loaded, inventory, plan, findings, mode, None)?;
        Ok(Sitemap::new(&loaded, &inventory.pages, published))
    }
}

impl Sitemap {
    fn new(loaded: &LoadedSite, pages: &[Page], published: PublishedSite) -> Self {
        let settings = loaded.settings();
        let is_refused = stop_run(&published.findings, &settings.levels);
        let placed = published.placed;
        let files = placed.files.into_iter().chain(placed.robots_txt);
        Self {
            pages: pages
                .iter()
                .map(|page| SitePage::new(page, settings.lastmod.format))
                .collect(),
            findings: published
                .findings
                .into_iter()
                .map(|finding| SiteFinding {
                    code: finding.code.name,
                    level: settings.levels.level_of(finding.code).as_str(),
                    message: finding.message,
                    hint: finding.hint,
                })
                .collect(),
            changed_files: files
                .filter(|file| file.changed)
                .map(|file| file.path)
                .collect(),
            is_refused,
        }
    }
}

impl SitePage {
    fn new(page: &Page, format: DateFormat) -> Self {
        Self {
            file: page.file.to_text().into_owned(),
            url: page.url.to_string(),
            lastmod: page.lastmod.map(|lastmod| lastmod.to_text(format)),
            excluded: page
                .verdict
                .exclusion()
                .map(|exclusion| exclusion.reason.code.name),
        }
    }
}

impl Error {
    /// The remedy, if there is one that the text does not name. It is that of the command line,
    /// whose flag `--base-url` is [`Site::base_url`].
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        self.0.hint()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl std::error::Error for Error {}

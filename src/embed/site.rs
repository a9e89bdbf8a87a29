//! A built site and the options of a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::{Error, Failure};
use super::sitemap::Sitemap;
use crate::clock;
use crate::config::Flags;
use crate::site::{LoadedSite, RunError, RunRequest};
use page_sources::PageSourcesError;

/// A built site, and how to make its sitemap.
///
/// Settings are read as by the command line: from the site's own files, then from the methods of
/// this type, which take precedence. Environment variables are read only if
/// [`environment`](Self::environment) passes them. The system clock decides whether a date is in the
/// future, unless [`at_time`](Self::at_time) gives the time.
///
/// ```
/// # fn main() -> Result<(), waypost::Error> {
/// let sitemap = waypost::Site::open("sample-site")?
///     .base_url("https://docs.example.com/")
///     .accept("base-url-placeholder")
///     .sitemap()?;
/// assert_eq!(sitemap.base_url(), "https://docs.example.com/");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Site {
    dir: PathBuf,
    settings_file: Option<PathBuf>,
    base_url: Option<String>,
    output_dir: Option<PathBuf>,
    accepted: Vec<String>,
    environment: BTreeMap<String, String>,
    time: Option<SystemTime>,
}

impl Site {
    /// Opens a site: the root of a generator's site, or the directory of rendered pages.
    ///
    /// # Errors
    ///
    /// The directory does not exist. Everything else is read by [`sitemap`](Self::sitemap).
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, Error> {
        let dir = dir.as_ref().to_owned();
        let error = match dir.metadata() {
            Ok(found) if found.is_dir() => None,
            Ok(_) => Some(PageSourcesError::NotADir(dir.clone())),
            Err(_) => Some(PageSourcesError::NoSuchDir(dir.clone())),
        };
        match error {
            Some(error) => Err(Failure::from(RunError::from(error)).into()),
            None => Ok(Self {
                dir,
                settings_file: None,
                base_url: None,
                output_dir: None,
                accepted: Vec::new(),
                environment: BTreeMap::new(),
                time: None,
            }),
        }
    }

    /// Sets the URL at which the output directory is served. Without it, the site's settings and
    /// pages name it.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the directory of rendered pages, relative to the working directory. Without it, the
    /// generator's settings name it, or it is found by its name.
    #[must_use]
    pub fn output_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.output_dir = Some(dir.into());
        self
    }

    /// Sets the settings file, relative to the working directory, to be read instead of the site's
    /// `waypost.toml`.
    #[must_use]
    pub fn settings_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.settings_file = Some(file.into());
        self
    }

    /// Accepts findings with this code, such as `set-shrunk`, that otherwise refuse the sitemap.
    #[must_use]
    pub fn accept(mut self, code: impl Into<String>) -> Self {
        self.accepted.push(code.into());
        self
    }

    /// Passes environment variables. They name the pipeline and the host of this build, and
    /// `WAYPOST_*` variables are settings. Use `std::env::vars()` to build as the command line does.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.environment = variables.into_iter().collect();
        self
    }

    /// Sets the current time. Later dates are not written.
    #[must_use]
    pub fn at_time(mut self, time: SystemTime) -> Self {
        self.time = Some(time);
        self
    }

    /// Reads, judges and dates all pages, and lays out the sitemap. Writes nothing.
    ///
    /// Pages are read on all threads of rayon's global pool.
    ///
    /// # Errors
    ///
    /// The site cannot be found or read, its settings are wrong, or its base URL is unknown.
    /// Problems with single pages are [findings](Sitemap::findings).
    pub fn sitemap(&self) -> Result<Sitemap, Error> {
        let output_dir = self.output_dir.as_ref().map(std::path::absolute);
        let now = match self.time {
            Some(time) => clock::moment(time),
            None => clock::now(&self.environment),
        }
        .map_err(Failure::from)?;
        let request = RunRequest {
            site: self.dir.clone(),
            config: self.settings_file.clone(),
            flags: Flags {
                base_url: self.base_url.clone(),
                output_dir: output_dir.transpose().map_err(Failure::WorkingDir)?,
                accept: self.accepted.clone(),
                ..Flags::default()
            },
            environment: self.environment.clone(),
            book: None,
            now,
        };
        let loaded = LoadedSite::load(request).map_err(Failure::from)?;
        Sitemap::of(loaded)
    }
}

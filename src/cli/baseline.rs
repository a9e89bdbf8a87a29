//! The sitemap that was published or submitted last, as the user names it, and the changes since.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::submit::{LiveSitemapError, Network, NetworkError, SetWriter};
use site_paths::containment::SitemapDir;
use site_paths::io_failure::{FailureLog, MachineFailure};
use site_paths::{BaseUrl, Hint, display_path, without_scheme};
use sitemaps::{Plan, SitemapChanges};

/// What `waypost submit` compares with, and `waypost build` if the user names it.
#[derive(Debug)]
pub(super) enum Baseline {
    /// Nothing: all pages count as new.
    Nothing,
    /// The URL of the live sitemap.
    Live(String),
    /// A sitemap file, or an index with its children in the same directory.
    File(PathBuf),
    /// A directory of sitemaps.
    Dir(PathBuf),
}

impl Baseline {
    /// The baseline that `--since` or else `--record` names; `None` if neither is given, or for a
    /// record that does not exist yet.
    pub(super) fn named(
        since: Option<&str>,
        record: Option<&Path>,
    ) -> Result<Option<Self>, BaselineError> {
        let Some(since) = since else {
            return record.map_or(Ok(None), Self::of_record);
        };
        if since.contains("://") {
            return Ok(Some(Self::Live(since.to_owned())));
        }
        let path = PathBuf::from(since);
        let failures = FailureLog::default();
        let (is_dir, is_file) = (failures.is_dir(&path), failures.is_file(&path));
        failures.check()?;
        match (is_dir, is_file) {
            (true, _) => Ok(Some(Self::Dir(path))),
            (_, true) => Ok(Some(Self::File(path))),
            _ => Err(BaselineError::NotFound(path)),
        }
    }

    /// The baseline in the directory of `--record`. It does not exist before the first submission,
    /// or is the empty directory that a pipeline created for it.
    fn of_record(dir: &Path) -> Result<Option<Self>, BaselineError> {
        let failures = FailureLog::default();
        if failures.is_file(dir) {
            return Err(BaselineError::RecordIsFile(dir.to_owned()));
        }
        let entries = failures.note(dir, fs::read_dir(dir));
        let is_empty = entries.is_ok_and(|mut entries| entries.next().is_none());
        let has_record = failures.is_dir(dir) && !is_empty;
        failures.check()?;
        Ok(has_record.then(|| Self::Dir(dir.into())))
    }

    /// Whether reading it needs the network.
    pub(super) fn is_live(&self) -> bool {
        matches!(self, Self::Live(_))
    }

    /// Formats the baseline for display; `None` for [`Baseline::Nothing`].
    pub(super) fn display(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Live(url) => Some(url.escape_debug().to_string()),
            Self::File(path) | Self::Dir(path) => Some(display_path(path)),
        }
    }

    /// Compares a plan with the baseline.
    ///
    /// A baseline that is incomplete or belongs to another site is an error: it would make old
    /// pages look new.
    pub(super) fn changes(
        &self,
        plan: &Plan,
        base: &BaseUrl,
        network: Option<&Network>,
    ) -> Result<SitemapChanges, BaselineError> {
        let changes = match self {
            Self::Nothing => return Ok(SitemapChanges::all_new(plan)),
            Self::Live(url) => {
                let network = network.ok_or(NetworkError::NotBuiltIn)?;
                let mut writer = SetWriter::Other;
                let changes = SitemapChanges::from_pages(plan, |visit| {
                    writer = network.list_live_pages(url, visit)?;
                    Ok::<_, LiveSitemapError>(())
                })?;
                SitemapChanges {
                    is_by_waypost: writer == SetWriter::Waypost,
                    ..changes
                }
            }
            Self::File(path) => {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy())
                    .unwrap_or_default();
                SitemapChanges::since(&SitemapDir::containing(path), &name, plan)
            }
            Self::Dir(path) => {
                SitemapChanges::since(&SitemapDir::named_by_user(path), plan.root(), plan)
            }
        };
        match (self, changes.notes.first()) {
            (_, Some(note)) => Err(BaselineError::Incomplete(note.escape_debug().to_string())),
            (Self::File(path) | Self::Dir(path), None) if !changes.had_sitemap => {
                Err(BaselineError::NoSitemap(path.clone()))
            }
            _ if is_of_another_site(&changes, plan, base) => {
                let what = self
                    .display()
                    .map(|what| format!("`{what}`"))
                    .unwrap_or_default();
                Err(BaselineError::OtherSite {
                    what,
                    base: base.clone(),
                })
            }
            _ => Ok(changes),
        }
    }
}

/// Reason that a baseline cannot be compared.
#[derive(Debug, Error)]
pub(super) enum BaselineError {
    /// It does not exist.
    #[error("`{0}` is not a file or a directory")]
    NotFound(PathBuf),
    /// The record is a file.
    #[error("`{0}` is a file, but `--record` takes a directory")]
    RecordIsFile(PathBuf),
    /// It contains no sitemap.
    #[error("no sitemap found in `{0}`")]
    NoSitemap(PathBuf),
    /// It is incomplete: the unread part would count as new.
    #[error("{0}, so the changes cannot be determined")]
    Incomplete(String),
    /// It belongs to another site.
    #[error("{what} lists no page of `{base}`: it belongs to another site")]
    OtherSite {
        /// The baseline, for display.
        what: String,
        /// The base URL of the site.
        base: BaseUrl,
    },
    /// The machine failed while it was looked up.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The live sitemap cannot be read.
    #[error(transparent)]
    Live(#[from] LiveSitemapError),
}

impl Hint for BaselineError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NotFound(_) => {
                "name the URL of a sitemap, a sitemap file, or a directory with sitemaps"
            }
            Self::RecordIsFile(_) => "compare with a sitemap file with `--since FILE`",
            Self::NoSitemap(_) | Self::OtherSite { .. } | Self::Incomplete(_) => {
                "name the published sitemap of this site, or compare with none"
            }
            Self::Machine(failure) => return failure.hint(),
            Self::Network(error) => return error.hint(),
            Self::Live(LiveSitemapError::Fetch(error)) => return error.hint(),
            Self::Live(_) => "name another sitemap, or compare with none",
        };
        Some(hint.into())
    }
}

/// Whether every page is new and no removed URL is on this site's host.
fn is_of_another_site(changes: &SitemapChanges, plan: &Plan, base: &BaseUrl) -> bool {
    let is_own = |url: &str| {
        without_scheme(url)
            .split('/')
            .next()
            .is_some_and(|host| host.eq_ignore_ascii_case(base.host()))
    };
    changes.added.len() == plan.entries().len() && !changes.removed.iter().any(|url| is_own(url))
}

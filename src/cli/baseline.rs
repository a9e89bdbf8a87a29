//! The sitemap that was published or submitted last, as the user names it, and the changes since.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command_error::CommandError;
use super::network::network;
use crate::submit::{Network, SetWriter};
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::io_failure::FailureLog;
use sitemaps::site_paths::{BaseUrl, HintedError, display_path, without_scheme};
use sitemaps::{Plan, SitemapChanges};

/// What `waypost submit` compares with, and `waypost build` if the user names it.
#[derive(Debug)]
pub(super) enum Baseline {
    /// Nothing: all pages count as new.
    Nothing,
    /// The URL of the live sitemap, and the network to read it.
    Live(String, Network),
    /// A sitemap file, or an index with its children in the same directory.
    File(PathBuf),
    /// A directory of sitemaps.
    Dir(PathBuf),
}

impl Baseline {
    /// The baseline that `--since` or else `--record` names; `None` if neither is given, or for a
    /// record that does not exist yet. A live sitemap is read with this time limit for each request.
    pub(super) fn named(
        since: Option<&str>,
        record: Option<&Path>,
        timeout: Duration,
    ) -> Result<Option<Self>, CommandError> {
        let Some(since) = since else {
            return record.map_or(Ok(None), Self::of_record);
        };
        if since.contains("://") {
            return Ok(Some(Self::Live(since.to_owned(), network(timeout)?)));
        }
        let path = PathBuf::from(since);
        let failures = FailureLog::default();
        let (is_dir, is_file) = (failures.is_dir(&path), failures.is_file(&path));
        failures.check()?;
        match (is_dir, is_file) {
            (true, _) => Ok(Some(Self::Dir(path))),
            (_, true) => Ok(Some(Self::File(path))),
            _ => Err(CommandError::new(
                format!("`{}` is not a file or a directory", display_path(&path)),
                "name the URL of a sitemap, a sitemap file, or a directory with sitemaps",
            )),
        }
    }

    /// The baseline in the directory of `--record`. It does not exist before the first submission,
    /// or is the empty directory that a pipeline created for it.
    fn of_record(dir: &Path) -> Result<Option<Self>, CommandError> {
        let failures = FailureLog::default();
        if failures.is_file(dir) {
            return Err(CommandError::new(
                format!(
                    "`{}` is a file, but `--record` takes a directory",
                    display_path(dir)
                ),
                "compare with a sitemap file with `--since FILE`",
            ));
        }
        let entries = failures.note(dir, fs::read_dir(dir));
        let is_empty = entries.is_ok_and(|mut entries| entries.next().is_none());
        let has_record = failures.is_dir(dir) && !is_empty;
        failures.check()?;
        Ok(has_record.then(|| Self::Dir(dir.into())))
    }

    /// Formats the baseline for display; `None` for [`Baseline::Nothing`].
    pub(super) fn display(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Live(url, _) => Some(url.escape_debug().to_string()),
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
    ) -> Result<SitemapChanges, CommandError> {
        let changes = match self {
            Self::Nothing => return Ok(SitemapChanges::all_new(plan)),
            Self::Live(url, network) => {
                let mut writer = SetWriter::Other;
                let changes = SitemapChanges::from_pages(plan, |visit| {
                    writer = network.list_live_pages(url, visit)?;
                    Ok::<_, HintedError>(())
                })?;
                SitemapChanges {
                    is_by_waypost: writer == SetWriter::Waypost,
                    ..changes
                }
            }
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                SitemapChanges::since(&SitemapDir::containing(path), &name, plan)
            }
            Self::Dir(path) => {
                SitemapChanges::since(&SitemapDir::named_by_user(path), plan.root(), plan)
            }
        };
        let problem = match (self, changes.notes.first()) {
            (_, Some(note)) => {
                let note = note.escape_debug();
                format!("{note}, so the changes cannot be determined")
            }
            (Self::File(path) | Self::Dir(path), None) if !changes.had_sitemap => {
                format!("no sitemap found in `{}`", display_path(path))
            }
            _ if is_of_another_site(&changes, plan, base) => {
                let name = self.display().unwrap_or_default();
                format!("`{name}` lists no page of `{base}`: it belongs to another site")
            }
            _ => return Ok(changes),
        };
        let hint = "name the published sitemap of this site, or compare with none: \
                    `waypost submit --all` sends every URL, once";
        Err(CommandError::new(problem, hint))
    }
}

/// Whether every page is new and no removed URL is on this site's host.
fn is_of_another_site(changes: &SitemapChanges, plan: &Plan, base: &BaseUrl) -> bool {
    let is_own = |url: &str| {
        let host = without_scheme(url).split('/').next();
        host.is_some_and(|host| host.eq_ignore_ascii_case(base.host()))
    };
    changes.added.len() == plan.entries().len() && !changes.removed.iter().any(|url| is_own(url))
}

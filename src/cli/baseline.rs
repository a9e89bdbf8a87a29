//! The sitemap that was submitted last, and the changes since.

use std::path::PathBuf;

use super::opts::SubmitArgs;
use super::submit_error::SubmitError;
use crate::submit::{Network, NetworkError};
use site_paths::containment::SitemapDir;
use site_paths::{BaseUrl, display_path, without_scheme};
use sitemaps::{Plan, SitemapChanges};

/// What `waypost submit` compares with.
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
    /// Selects the baseline from the arguments; `None` if they name none, or a record that does not
    /// exist yet.
    pub(super) fn from_args(args: &SubmitArgs) -> Result<Option<Self>, SubmitError> {
        if args.all {
            return Ok(Some(Self::Nothing));
        }
        let Some(since) = &args.since else {
            return Ok(args
                .record
                .as_deref()
                .filter(|dir| dir.is_dir())
                .map(|dir| Self::Dir(dir.into())));
        };
        if since.contains("://") {
            return Ok(Some(Self::Live(since.clone())));
        }
        let path = PathBuf::from(since);
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Ok(Some(Self::Dir(path))),
            Ok(metadata) if metadata.is_file() => Ok(Some(Self::File(path))),
            _ => Err(SubmitError::NotFound(path)),
        }
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
    ) -> Result<SitemapChanges, SubmitError> {
        let changes = match self {
            Self::Nothing => return Ok(SitemapChanges::all_new(plan)),
            Self::Live(url) => {
                let network = network.ok_or(NetworkError::NotBuiltIn)?;
                SitemapChanges::from_pages(plan, |visit| network.list_live_pages(url, visit))?
            }
            Self::File(path) => {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy())
                    .unwrap_or_default();
                SitemapChanges::since(&SitemapDir::containing(path), &name, plan)
            }
            Self::Dir(path) => SitemapChanges::between(&SitemapDir::named_by_user(path), plan),
        };
        match (self, changes.notes.first()) {
            (_, Some(note)) => Err(SubmitError::Incomplete(note.escape_debug().to_string())),
            (Self::File(path) | Self::Dir(path), None) if !changes.had_sitemap => {
                Err(SubmitError::NoSitemap(path.clone()))
            }
            _ if is_of_another_site(&changes, plan, base) => {
                let what = self
                    .display()
                    .map(|what| format!("`{what}`"))
                    .unwrap_or_default();
                Err(SubmitError::OtherSite {
                    what,
                    base: base.clone(),
                })
            }
            _ => Ok(changes),
        }
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

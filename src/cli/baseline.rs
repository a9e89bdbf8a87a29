//! The sitemap that was published or submitted last, as the user names it, and the changes since.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command_error::CommandError;
use crate::files::tree::Tree;
use crate::findings::HintedError;
use crate::survey::SitemapChanges;
use crate::web::Network;
use sitemaps::site_paths::{BaseUrl, display_path, without_scheme};
use sitemaps::{Plan, quoted};

/// How long to wait for each response.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

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
    /// record that does not exist yet, or only as the empty directory that a pipeline created for it.
    pub(super) fn named(
        since: Option<&str>,
        record: Option<&Path>,
    ) -> Result<Option<Self>, CommandError> {
        let tree = Tree::new(Path::new("."));
        let found = match (since, record) {
            (Some(url), _) if url.contains("://") => Some(Self::Live(url.to_owned())),
            (Some(path), _) if tree.is_dir(Path::new(path)) => Some(Self::Dir(path.into())),
            (Some(path), _) if tree.is_file(Path::new(path)) => Some(Self::File(path.into())),
            (Some(path), _) => {
                tree.check()?;
                return Err(CommandError::new(
                    format!(
                        "`{}` is not a file or a directory",
                        display_path(Path::new(path))
                    ),
                    "name the URL of a sitemap, a sitemap file, or a directory with sitemaps",
                ));
            }
            (None, Some(file)) if tree.is_file(file) => {
                return Err(CommandError::new(
                    format!("`{}` is not a directory", display_path(file)),
                    "compare with a sitemap file with `--since FILE`",
                ));
            }
            (None, Some(dir)) => {
                let has_record = !tree.entries(dir).is_empty();
                has_record.then(|| Self::Dir(dir.into()))
            }
            (None, None) => None,
        };
        tree.check()?;
        Ok(found)
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
    ) -> Result<SitemapChanges, CommandError> {
        let changes = match self {
            Self::Nothing => return Ok(SitemapChanges::all_new(plan)),
            Self::Live(url) => {
                let network = Network::new(PATIENCE)?;
                let mut is_by_waypost = false;
                let changes = SitemapChanges::from_pages(plan, |visit| {
                    is_by_waypost = network.list_live_pages(url, visit)?;
                    Ok::<_, HintedError>(())
                })?;
                SitemapChanges {
                    is_by_waypost,
                    ..changes
                }
            }
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                SitemapChanges::since(&Tree::containing(path), &name, plan)
            }
            Self::Dir(path) => SitemapChanges::since(&Tree::new(path), plan.root(), plan),
        };
        let name = self.display().unwrap_or_default();
        let problem = if let Some(note) = changes.notes.first() {
            format!(
                "{}, so the changes cannot be determined",
                note.escape_debug()
            )
        } else if !changes.had_sitemap {
            format!("no sitemap found in `{name}`")
        } else if is_of_another_site(&changes, plan, base) {
            let listed = changes.removed.first().map_or_else(String::new, |url| {
                format!(", but such as `{}`", quoted(url))
            });
            format!("`{name}` lists no page of `{base}`{listed}: it belongs to another site")
        } else {
            return Ok(changes);
        };
        let hint = "name the published sitemap of this site; without one, omit `--since`, or use \
                    `waypost submit --all`, once";
        Err(CommandError::new(problem, hint))
    }
}

/// Whether every page is new and no removed URL is on this site's host.
fn is_of_another_site(changes: &SitemapChanges, plan: &Plan, base: &BaseUrl) -> bool {
    changes.added.len() == plan.entries().len()
        && !changes.removed.iter().any(|url| {
            let host = without_scheme(url).split('/').next();
            host.is_some_and(|host| host.eq_ignore_ascii_case(base.host()))
        })
}

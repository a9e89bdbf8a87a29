//! What `waypost init` finds of a site: its repository and its pipelines.

use std::path::{Path, PathBuf};

use super::printer::{FAINT, row, styled};
use crate::site::{FoundBaseUrl, RunError};
use page_sources::generator::{Manifest, PipelineSetup, Pipelines, Site};
use site_paths::{Hint, display_path};

/// The repository and the pipelines of a site.
pub(super) struct SiteContext<'m> {
    /// The root of the site, after links are resolved.
    pub(super) root: PathBuf,
    /// The root of its repository.
    pub(super) repository: Option<PathBuf>,
    /// The pipelines that the repository, the site or the environment names.
    pub(super) setups: Vec<&'m PipelineSetup>,
}

impl<'m> SiteContext<'m> {
    pub(super) fn of(site: &Site<'_>, pipelines: Pipelines<'_>, manifest: &'m Manifest) -> Self {
        let failures = &site.failures;
        let root = failures.resolved(&site.root);
        let root = root.unwrap_or_else(|| site.root.clone());
        let repository = root
            .ancestors()
            .find(|dir| failures.exists(&dir.join(".git")))
            .map(Path::to_path_buf);
        let has = |file: &String| {
            failures.exists(&root.join(file))
                || repository
                    .as_ref()
                    .is_some_and(|repository| failures.exists(&repository.join(file)))
        };
        let is_current = |setup: &PipelineSetup| {
            let current = pipelines.current();
            current.is_some_and(|pipeline| setup.is_for(&pipeline.title))
        };
        let of_this = |setup: &&PipelineSetup| is_current(setup) || setup.files.iter().any(has);
        let setups = manifest.setup.values().filter(of_this).collect();
        Self {
            root,
            repository,
            setups,
        }
    }

    /// Summarizes what was found, one line each.
    pub(super) fn summary(
        &self,
        site: &Site<'_>,
        output_dir: &Path,
        base: &Result<FoundBaseUrl, RunError>,
    ) -> String {
        let mut out = String::new();
        let mut row = |label: &str, text: &str| row(&mut out, label, text);
        row(
            "generator",
            site.generator
                .map_or("none: a directory of HTML files", |known| &known.title),
        );
        row("output", &display_path(output_dir));
        match base {
            Ok(base) => row(
                "base URL",
                &format!(
                    "{} {}",
                    base.url,
                    styled(FAINT, format!("from {}", base.origin))
                ),
            ),
            Err(fault @ RunError::Discover(_)) => row("base URL", &fault.to_string()),
            Err(fault) => row(
                "base URL",
                &fault.hint().unwrap_or_else(|| fault.to_string().into()),
            ),
        }
        let repository = self.repository.as_deref().map(display_path);
        row(
            "history",
            repository
                .as_deref()
                .unwrap_or("no git repository, so no dates from Git"),
        );
        let titles: Vec<&str> = self
            .setups
            .iter()
            .map(|setup| setup.title.as_str())
            .collect();
        row(
            "pipeline",
            &if titles.is_empty() {
                "none found".to_owned()
            } else {
                titles.join(", ")
            },
        );
        out.truncate(out.trim_end().len());
        out
    }
}

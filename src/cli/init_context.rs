//! What `waypost init` finds of a site: its repository, and the pipelines that build it.

use std::path::{Path, PathBuf};

use super::printer::{FAINT, row, styled};
use crate::site::{FoundBaseUrl, RunError};
use page_sources::generator::{Manifest, Pipeline, PipelineStep, Pipelines, Site};
use sitemaps::site_paths::{Hint, display_path};

/// The repository and the pipelines of a site.
pub(super) struct SiteContext<'m> {
    /// The root of the site, after links are resolved.
    root: PathBuf,
    /// The root of its repository.
    pub(super) repository: Option<PathBuf>,
    /// The pipelines that the repository, the site or the environment names, each with its step.
    steps: Vec<(&'m Pipeline, &'m PipelineStep)>,
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
        let current = pipelines.current().map(|pipeline| &pipeline.title);
        let steps = manifest.step.iter();
        let steps = steps.map(|(name, step)| (&manifest.pipeline[name], step));
        let of_this = |(pipeline, step): &(&Pipeline, &PipelineStep)| {
            current == Some(&pipeline.title) || step.files.iter().any(has)
        };
        let steps = steps.filter(of_this).collect();
        Self {
            root,
            repository,
            steps,
        }
    }

    /// Summarizes what was found, one line each.
    pub(super) fn summary(
        &self,
        site: &Site<'_>,
        output_dir: &Path,
        base: &Result<FoundBaseUrl, RunError>,
    ) -> String {
        let generator = site.generator.map(|known| known.title.clone());
        let base_url = match base {
            Ok(base) => {
                let origin = styled(FAINT, format!("from {}", base.origin));
                format!("{} {origin}", base.url)
            }
            Err(fault @ RunError::Discover(_)) => fault.to_string(),
            Err(fault) => fault.hint().map_or_else(|| fault.to_string(), Into::into),
        };
        let history = self.repository.as_deref().map(display_path);
        let steps = self.steps.iter();
        let titles: Vec<&str> = steps.map(|(pipeline, _)| &*pipeline.title).collect();
        let pipelines = (!titles.is_empty()).then(|| titles.join(", "));
        let found = [
            ("generator", generator, "none: a directory of HTML files"),
            ("output", Some(display_path(output_dir)), ""),
            ("base URL", Some(base_url), ""),
            (
                "history",
                history,
                "no git repository, so no dates from Git",
            ),
            ("pipeline", pipelines, "none found"),
        ];
        let mut out = String::new();
        for (label, text, none) in found {
            row(&mut out, label, text.as_deref().unwrap_or(none));
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// The steps to add to the pipelines, with comments on where each belongs.
    pub(super) fn step_texts(&self) -> String {
        if self.steps.is_empty() {
            return "# after the build, before the site is published:\nwaypost\n".to_owned();
        }
        let top = self.repository.as_deref().unwrap_or(&self.root);
        let dir = self.root.strip_prefix(top).unwrap_or(&self.root);
        let names = dir
            .components()
            .map(|name| name.as_os_str().to_string_lossy());
        let dir = names.collect::<Vec<_>>().join("/");
        let steps = self.steps.iter().map(|(pipeline, step)| {
            let title = &pipeline.title;
            let text = step.text(env!("CARGO_PKG_VERSION"), &dir);
            let clone = pipeline.clone_depth.map_or(String::new(), |_| {
                format!("# for dates from Git, {}\n", pipeline.deepen)
            });
            format!("# {title}: {}:\n{text}\n{clone}", step.place)
        });
        steps.collect::<Vec<_>>().join("\n")
    }
}

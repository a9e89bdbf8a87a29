//! What `waypost init` finds of a site: its repository, and the pipelines that build it.

use std::path::{Path, PathBuf};

use super::init_workflow::{ConfiguredPages, StepPlace, places_in};
use super::printer::{FAINT, row, styled};
use crate::site::{FoundBaseUrl, RunError};
use page_sources::generator::{Manifest, Pipeline, PipelineStep, Pipelines, Site};
use page_sources::located_values::{SettingData, Syntax};
use sitemaps::site_paths::containment::{Containment, absolute};
use sitemaps::site_paths::io_failure::FailureLog;
use sitemaps::site_paths::{Hint, display_path, escaped};

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
    pub(super) fn step_texts(
        &self,
        site: &Site<'_>,
        output_dir: &Path,
        base: Option<&FoundBaseUrl>,
    ) -> String {
        if self.steps.is_empty() {
            return "# after the build, before the site is published:\nwaypost\n".to_owned();
        }
        let top = self.repository.as_deref().unwrap_or(&self.root);
        let output = site.failures.resolved(output_dir);
        let output = output.unwrap_or_else(|| absolute(output_dir));
        let step = StepTexts {
            site: from_top(top, &self.root),
            output: from_top(top, &output),
            needs_base: base.is_none_or(|base| !base.origin.is_statement()),
        };
        let texts = self.steps.iter().flat_map(|(pipeline, known)| {
            let workflows = known
                .files
                .iter()
                .flat_map(|dir| workflows(top, dir, &site.failures));
            let scripts = scripts(top, &self.root, &site.failures);
            let found = workflows.flat_map(|(file, text)| {
                let places = places_in(&text, &scripts).into_iter();
                places
                    .map(move |place| (file.clone(), place))
                    .collect::<Vec<_>>()
            });
            let (mut found, perhaps): (Vec<_>, Vec<_>) =
                found.partition(|(_, place)| !matches!(place, StepPlace::Perhaps(_)));
            if found.is_empty() {
                found = perhaps;
            }
            let mut texts: Vec<String> = found
                .iter()
                .map(|(file, place)| step.at(pipeline, known, file, place))
                .collect();
            if texts.is_empty() {
                texts.push(step.anywhere(pipeline, known));
            }
            texts
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Facts that the steps of a site share. Paths are from the top of the repository.
struct StepTexts {
    site: String,
    output: String,
    /// Whether the URL that `actions/configure-pages` finds is better than the known one.
    needs_base: bool,
}

impl StepTexts {
    fn lines(&self, step: &PipelineStep) -> String {
        step.text(env!("CARGO_PKG_VERSION"), &self.site)
    }

    /// The step where no place is known.
    fn anywhere(&self, pipeline: &Pipeline, step: &PipelineStep) -> String {
        let is_of_workflows = step.files.iter().any(|dir| dir.ends_with("workflows"));
        let reason = if is_of_workflows {
            "; none is known by its action or command"
        } else {
            ""
        };
        let place = format!("{}{reason}", step.place);
        text_at(pipeline, &place, &self.lines(step), "")
    }

    /// The step at a place in a workflow.
    fn at(
        &self,
        pipeline: &Pipeline,
        step: &PipelineStep,
        file: &str,
        place: &StepPlace,
    ) -> String {
        let lines = self.lines(step);
        let before = match place {
            StepPlace::OneStep { step, command } => {
                let place = format!(
                    "nowhere in {file}: in {step}, `{command}` builds and publishes the site at once. \
                     Build it in a step before, then run this, then publish it"
                );
                return text_at(pipeline, &place, &lines, "");
            }
            StepPlace::Before(before) | StepPlace::Perhaps(before) => before,
        };
        let (mut arguments, mut more) = (vec![lines], String::new());
        let dir = before.dir.as_ref();
        arguments.extend(
            dir.filter(|dir| **dir != self.output)
                .map(|dir| format!("-o {dir}")),
        );
        let base = |id: &str| format!("--base-url ${{{{ steps.{id}.outputs.base_url }}}}");
        match &before.configured {
            Some(ConfiguredPages::Named(id)) => arguments.push(base(id)),
            Some(ConfiguredPages::Unnamed) if self.needs_base => {
                arguments.push(base("pages"));
                more += "# give the step of `actions/configure-pages` the key `id: pages`\n";
            }
            _ => {}
        }
        let mut lines = arguments.join(" ");
        if before.is_of_root {
            let dir = dir.map_or("_site", String::as_str);
            let owned = format!("- run: sudo chown -R \"$USER\" {dir} && ");
            lines = lines.replacen("- run: ", &owned, 1);
            more += "# `actions/jekyll-build-pages` leaves files of root, which `chown` changes\n";
        }
        let condition = match place {
            StepPlace::Perhaps(_) => ", if the site is built by then",
            _ => "",
        };
        let place = format!("in {file}, before {}{condition}", before.step);
        text_at(pipeline, &place, &lines, &more)
    }
}

/// Lines for a pipeline, after a comment with their place.
fn text_at(pipeline: &Pipeline, place: &str, lines: &str, more: &str) -> String {
    let clone = pipeline.clone_depth.map_or(String::new(), |_| {
        format!("# for dates from Git, {}\n", pipeline.deepen)
    });
    let place = escaped(place);
    format!("# {}: {place}:\n{lines}\n{more}{clone}", pipeline.title)
}

/// A path below the top of the repository, with `/` between its parts.
fn from_top(top: &Path, path: &Path) -> String {
    let below = path.strip_prefix(top).unwrap_or(path);
    let names = below
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    names.collect::<Vec<_>>().join("/")
}

/// The workflows in a directory of the repository, with their texts.
fn workflows(top: &Path, dir: &str, failures: &FailureLog) -> Vec<(String, String)> {
    let reach = Containment::of_logged_site(top, failures);
    let mut names: Vec<String> = failures
        .entries(&top.join(dir))
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| {
            [".yml", ".yaml"]
                .iter()
                .any(|ending| name.ends_with(ending))
        })
        .collect();
    names.sort_unstable();
    let read = |name: String| {
        let file = format!("{dir}/{name}");
        let text = reach.read_text(&top.join(&file)).ok()?;
        Some((file, text))
    };
    names.into_iter().filter_map(read).collect()
}

/// The scripts in package.json of the site and of its repository.
fn scripts(top: &Path, root: &Path, failures: &FailureLog) -> Vec<(String, String)> {
    let reach = Containment::of_logged_site(top, failures);
    let mut scripts = Vec::new();
    for dir in [root, top] {
        let text = reach
            .read_text(&dir.join("package.json"))
            .unwrap_or_default();
        let package = Syntax::Json.parse(&text).ok();
        let table = package.as_ref().and_then(|package| package.get("scripts"));
        let Some(SettingData::Table(entries)) = table.map(|table| &table.data) else {
            continue;
        };
        let texts = entries
            .iter()
            .filter_map(|entry| Some((entry.key.clone(), entry.value.as_text()?.to_owned())));
        scripts.extend(texts);
    }
    scripts
}

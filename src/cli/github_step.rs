//! `build --github`: the annotations, outputs and summary of a GitHub Actions step.
//!
//! Annotations are placed on source files, because a pull request shows those. Outputs and summary
//! go to the files that the runner names.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use super::build_result::BuildResult;
use super::diagnose::Diagnostic;
use super::findings::RunFindings;
use super::github::{SHOWN_PER_LEVEL, annotation};
use crate::inventory::Inventory;
use crate::publish::WriteMode;
use sitemaps::site_paths::containment::strip_canonical_prefix;
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::{Finding, Level, Subject};

/// How many findings the summary lists; GitHub limits a step's summary to 1 MiB.
const FINDINGS_IN_SUMMARY: usize = 200;

/// The environment variables of the job.
type Environment = BTreeMap<String, String>;

impl<'a> RunFindings<'a> {
    /// The workflow commands for the findings, one per line: of each level, as many as GitHub shows.
    /// Without a site, there is no inventory.
    pub(super) fn annotations(
        &mut self,
        environment: &Environment,
        inventory: Option<&Inventory>,
    ) -> String {
        let mut out = String::new();
        let mut shown = BTreeMap::new();
        for (level, finding) in self.visible() {
            let count = shown.entry(Reverse(level)).or_insert(0_usize);
            *count += 1;
            if *count > SHOWN_PER_LEVEL {
                continue;
            }
            let place = self.place_to_annotate(finding, environment, inventory);
            let diagnostic = Diagnostic {
                message: self.in_published_file(finding),
                path: place.file.map(Cow::Owned),
                ..Diagnostic::of_finding(level, finding)
            };
            out.push_str(&annotation(&diagnostic, place.line, place.column));
        }
        for (Reverse(level), count) in shown {
            let more = count.saturating_sub(SHOWN_PER_LEVEL);
            if more > 0 {
                let message = format!("{more} more findings of level {}", Diagnostic::word(level));
                let notice = Diagnostic::new(Level::Note, message, None);
                out.push_str(&annotation(&notice, None, None));
            }
        }
        out
    }

    /// The step's summary, in Markdown: what the program prints, below a heading.
    pub(super) fn step_summary(
        &mut self,
        heading: &str,
        printed: &str,
        environment: &Environment,
        inventory: &Inventory,
    ) -> String {
        let visible = self.visible();
        let mut texts = vec![printed.to_owned()];
        for &(level, finding) in visible.iter().take(FINDINGS_IN_SUMMARY) {
            let place = self.place_to_annotate(finding, environment, Some(inventory));
            let file = place.file.or_else(|| self.places.resolve(finding).0);
            let diagnostic = Diagnostic {
                path: file.map(Cow::Owned),
                ..Diagnostic::of_finding(level, finding)
            };
            texts.push(diagnostic.render(usize::MAX));
        }
        let more = visible.len().saturating_sub(FINDINGS_IN_SUMMARY);
        if more > 0 {
            texts.push(format!("{more} more findings"));
        }
        let text = anstream::adapter::strip_str(&texts.join("\n")).to_string();
        // Nothing in a text of a site ends the block.
        let text = text.replace('`', "'");
        format!(
            "### {heading}\n\n```text\n{}\n```\n",
            text.trim_matches('\n')
        )
    }

    /// The findings that are not allowed, errors first.
    fn visible(&self) -> Vec<(Level, &'a Finding)> {
        let findings = self.findings.iter();
        let with_level = findings.map(|finding| (self.level_of(finding), finding));
        let mut visible: Vec<_> = with_level
            .filter(|(level, _)| *level > Level::Allow)
            .collect();
        visible.sort_by_key(|&(level, _)| Reverse(level));
        visible
    }

    /// The place to annotate. A page with a source file is annotated on line 1 of that file, because
    /// the lines differ; a page without a known source has no place.
    fn place_to_annotate(
        &mut self,
        finding: &Finding,
        environment: &Environment,
        inventory: Option<&Inventory>,
    ) -> AnnotatedPlace {
        if let (Some(inventory), Subject::Page(file, _)) = (inventory, &finding.subject)
            && let Some(page) = inventory.page_of(file)
            && page
                .source
                .as_ref()
                .is_none_or(|source| source.file().is_some())
        {
            let source = self.places.source_of(page);
            return AnnotatedPlace {
                line: source.as_ref().map(|_| 1),
                column: None,
                file: source.map(|path| workspace_path(environment, &path)),
            };
        }
        let (path, line_column) = self.places.resolve(finding);
        // A directory cannot be annotated.
        let Some(path) = path.filter(|path| Path::new(path).is_file()) else {
            return AnnotatedPlace::default();
        };
        AnnotatedPlace {
            file: Some(workspace_path(environment, Path::new(&path))),
            line: Some(line_column.map_or(1, |(line, _)| line)),
            column: line_column.map(|(_, column)| column),
        }
    }

    /// The message of a finding. One about a file that a server publishes begins with its URL, line
    /// and column, because only files of the repository can be annotated.
    fn in_published_file<'f>(&mut self, finding: &'f Finding) -> Cow<'f, str> {
        let Subject::Url(url, _) = &finding.subject else {
            return Cow::Borrowed(&finding.message);
        };
        let place = match self.places.resolve(finding).1 {
            Some((line, column)) => format!(":{line}:{column}"),
            None => String::new(),
        };
        Cow::Owned(format!("{url}{place}: {}", finding.message))
    }
}

/// A place in a file, which is relative to the workspace.
#[derive(Default)]
struct AnnotatedPlace {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

/// Formats the path of a file relative to the workspace of the job if it is inside, otherwise for
/// display. GitHub supports neither `..` nor symbolic links.
fn workspace_path(environment: &Environment, path: &Path) -> String {
    let workspace = environment.get("GITHUB_WORKSPACE");
    let below = workspace.and_then(|dir| strip_canonical_prefix(Path::new(dir), path));
    below.map_or_else(
        || display_path(path),
        |below| below.to_string_lossy().replace('\\', "/"),
    )
}

/// The workflow command for an error that ends the run.
pub(super) fn error_annotation(error: &Diagnostic<'_>, environment: &Environment) -> String {
    let path = error.path.as_deref();
    let file = path.map(|path| workspace_path(environment, Path::new(path)));
    let line = error.excerpt.map(|excerpt| excerpt.line_and_column().0);
    let diagnostic = Diagnostic {
        path: file.map(Cow::Owned),
        ..error.clone()
    };
    annotation(&diagnostic, line, None)
}

/// The step's outputs, one per line.
pub(super) fn outputs(result: &BuildResult<'_>) -> String {
    let (pages, files) = (&result.site.pages, &result.files);
    let loaded = result.site.loaded;
    let sitemap = files.published.plan.main_file().map(str::to_owned);
    let sitemap = sitemap.unwrap_or_else(|| loaded.settings().sitemap.of_set().main_file());
    let sitemap = loaded.output_dir().join(sitemap);
    let is_there = files.effect == WriteMode::Write && sitemap.is_file();
    // A raw line break in a path would begin another output; `display_path` escapes it.
    let sitemap = if is_there {
        display_path(&sitemap)
    } else {
        String::new()
    };
    let outputs = [
        ("sitemap-path", sitemap),
        ("url-count", pages.listed.to_string()),
        ("excluded-count", (pages.found - pages.listed).to_string()),
        ("changed-count", result.changes.count().to_string()),
    ];
    outputs
        .map(|(name, value)| format!("{name}={value}\n"))
        .concat()
}

//! `build --github`: the annotations, outputs and summary of a GitHub Actions step.
//!
//! Annotations are placed on source files, because a pull request shows those. Outputs and summary
//! go to the files that the runner names.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::build_result::BuildResult;
use super::command_error::CommandError;
use super::diagnose::Diagnostic;
use super::findings::RunFindings;
use super::github::{SHOWN_PER_LEVEL, annotation};
use super::printer::Printer;
use crate::files::tree::strip_canonical_prefix;
use crate::findings::{Finding, Level, Subject};
use crate::pages::Inventory;
use crate::publish::{WriteMode, append};
use sitemaps::site_paths::display_path;

/// How many findings the summary lists; GitHub limits a step's summary to 1 MiB.
const FINDINGS_IN_SUMMARY: usize = 200;

/// Prints a workflow command for each finding, of each level as many as GitHub shows, and writes outputs
/// and summary to the files that the runner names. The summary has what the program prints.
pub(super) fn write_results(
    result: &BuildResult<'_>,
    printed: &str,
    findings: &mut RunFindings<'_>,
) -> Result<(), CommandError> {
    let environment = &result.site.loaded.site.environment;
    let mut visible: Vec<_> = findings
        .findings
        .iter()
        .map(|finding| (findings.level_of(finding), finding))
        .filter(|(level, _)| *level > Level::Allow)
        .collect();
    visible.sort_by_key(|&(level, _)| Reverse(level));
    let (mut annotations, mut texts) = (String::new(), vec![printed.to_owned()]);
    let mut annotated = BTreeMap::new();
    for &(level, finding) in visible.iter().take(FINDINGS_IN_SUMMARY) {
        let place = place_to_annotate(findings, finding, result.site.inventory);
        let line = place.as_ref().map(|(_, line)| *line);
        let mut diagnostic = Diagnostic {
            path: place.map(|(file, _)| workspace_path(environment, &file).into()),
            ..Diagnostic::from_finding(level, finding)
        };
        let count = annotated.entry(level).or_insert(0_usize);
        if *count < SHOWN_PER_LEVEL {
            *count += 1;
            annotations.push_str(&annotation(&diagnostic, line));
        }
        diagnostic.path = diagnostic
            .path
            .or_else(|| findings.places.resolve(finding).0.map(Cow::Owned));
        texts.push(diagnostic.render(usize::MAX));
    }
    let more = visible.len() - annotated.values().sum::<usize>();
    if more > 0 {
        let message = format!("{more} more findings; `waypost -v` shows all");
        annotations.push_str(&annotation(
            &Diagnostic::new(Level::Note, &*message, None),
            None,
        ));
        texts.push(message);
    }
    Printer::data(annotations.as_bytes())?;
    let texts = [
        ("GITHUB_OUTPUT", outputs(result)),
        ("GITHUB_STEP_SUMMARY", summary(result, &texts.join("\n"))),
    ];
    for (variable, text) in texts {
        if let Some(file) = environment.get(variable).filter(|file| !file.is_empty()) {
            append(Path::new(file), &text)?;
        }
    }
    Ok(())
}

/// The summary of a step, in Markdown, with what the program prints.
fn summary(result: &BuildResult<'_>, printed: &str) -> String {
    // Nothing in a text of a site ends the block.
    let text = anstream::adapter::strip_str(printed)
        .to_string()
        .replace('`', "'");
    let pages = &result.site.pages;
    format!(
        "### {} of {} pages in the sitemap\n\n```text\n{}\n```\n",
        pages.listed,
        pages.found,
        text.trim_matches('\n')
    )
}

/// The file and the line to annotate. A page with a source file is annotated on line 1 of that file,
/// because the lines differ; a page without a known source has no place, nor has a directory.
fn place_to_annotate(
    findings: &mut RunFindings<'_>,
    finding: &Finding,
    inventory: &Inventory,
) -> Option<(PathBuf, usize)> {
    if let Subject::Page(file, _) = &finding.subject
        && let Some(page) = inventory.pages.by_file(file)
        && let sourced = page.source.as_ref()
        && sourced.is_none_or(|source| source.file().is_some())
    {
        return Some((findings.places.source_of(page)?, 1));
    }
    let (path, line_column) = findings.places.resolve(finding);
    let path = path.map(PathBuf::from).filter(|path| path.is_file())?;
    Some((path, line_column.map_or(1, |(line, _)| line)))
}

/// Formats the path of a file relative to the workspace of the job if it is inside, otherwise for
/// display. GitHub supports neither `..` nor symbolic links.
fn workspace_path(environment: &BTreeMap<String, String>, path: &Path) -> String {
    let workspace = environment.get("GITHUB_WORKSPACE");
    let below = workspace.and_then(|dir| strip_canonical_prefix(Path::new(dir), path));
    below.map_or_else(
        || display_path(path),
        |below| below.to_string_lossy().replace('\\', "/"),
    )
}

/// The workflow command for an error that ends the run.
pub(super) fn error_annotation(
    error: &Diagnostic<'_>,
    environment: &BTreeMap<String, String>,
) -> String {
    let path = error.path.as_deref();
    let file = path.map(|path| workspace_path(environment, Path::new(path)));
    let line = error.excerpt.map(|excerpt| excerpt.line_and_column().0);
    let diagnostic = Diagnostic {
        path: file.map(Cow::Owned),
        ..error.clone()
    };
    annotation(&diagnostic, line)
}

/// The step's outputs, one per line.
fn outputs(result: &BuildResult<'_>) -> String {
    let (pages, files) = (&result.site.pages, &result.files);
    let loaded = result.site.loaded;
    let sitemap = files.published.plan.main_file().map(str::to_owned);
    let sitemap = sitemap.unwrap_or_else(|| loaded.settings().sitemap.for_set().main_file());
    let sitemap = loaded.output_dir().join(sitemap);
    let is_there = files.published.mode == WriteMode::Write && sitemap.is_file();
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

//! `build --github`: the annotations, outputs and summary of a GitHub Actions step.
//!
//! Annotations are placed on source files, because a pull request shows those. Outputs and summary
//! go to the files that the runner names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::completed_run::BuildRun;
use super::diagnose::Diagnostic;
use super::findings::PlaceResolver;
use super::github::{Annotation, AnnotationLevel, SHOWN_PER_LEVEL};
use super::workspace_paths::workspace_path;
use crate::config::SettingsError;
use crate::inventory::Inventory;
use crate::pipeline::ComparedSet;
use crate::publish::WriteMode;
use crate::settings::{LevelOverrides, SitemapTable};
use crate::site::PreviewBuild;
use site_paths::display_path;
use site_paths::finding::{Finding, Level, Subject};

/// How many findings the summary lists; GitHub limits a step's summary to 1 MiB.
const FINDINGS_IN_SUMMARY: usize = 200;

/// How many characters of a message the summary shows.
const SHOWN_OF_A_MESSAGE: usize = 500;

/// The findings of a step.
pub(super) struct StepFindings<'a> {
    pub(super) environment: &'a BTreeMap<String, String>,
    pub(super) levels: &'a LevelOverrides,
    /// The pages of the site; `None` for a file without one.
    pub(super) inventory: Option<&'a Inventory>,
    pub(super) findings: &'a [Finding],
}

impl<'a> StepFindings<'a> {
    /// The workflow commands for the findings, one per line: of each level, as many as GitHub shows.
    pub(super) fn annotations(&self, pointers: &mut PlaceResolver<'_>) -> String {
        let mut out = String::new();
        let mut shown = BTreeMap::new();
        for (level, finding) in self.visible() {
            let count = shown.entry(level).or_insert(0_usize);
            *count += 1;
            if *count > SHOWN_PER_LEVEL {
                continue;
            }
            let (file, position) = self.place_to_annotate(finding, pointers);
            let (title, hint) = (finding.code.name, finding.hint.as_deref());
            let message = &in_published_file(finding, pointers);
            let annotation = Annotation {
                level,
                file: file.as_deref(),
                line: position.map(|(line, _)| line),
                column: position.and_then(|(_, column)| column),
                title,
                message,
                hint,
            };
            writeln!(out, "{annotation}").expect("writing to a string cannot fail");
        }
        for (level, count) in shown {
            let more = count.saturating_sub(SHOWN_PER_LEVEL);
            if more > 0 {
                out.push_str(&notice(&format!("{more} more findings of level {level}")));
            }
        }
        out
    }

    /// The table of findings in the summary; empty if there are none.
    pub(super) fn table(&self, pointers: &mut PlaceResolver<'_>) -> String {
        let all = self.visible();
        if all.is_empty() {
            return String::new();
        }
        let mut out = String::from("\n| finding | where | what |\n| --- | --- | --- |\n");
        for (_, finding) in all.iter().take(FINDINGS_IN_SUMMARY) {
            let (source, _) = self.place_to_annotate(finding, pointers);
            let place = source
                .or_else(|| pointers.resolve(finding).0)
                .map_or_else(String::new, |path| code_span(&path));
            writeln!(
                out,
                "| `{}` | {place} | {} |",
                finding.code.name,
                code_span(&finding.message)
            )
            .expect("writing to a string cannot fail");
        }
        if all.len() > FINDINGS_IN_SUMMARY {
            writeln!(out, "\n{} more findings.", all.len() - FINDINGS_IN_SUMMARY)
                .expect("writing to a string cannot fail");
        }
        out
    }

    /// The findings that are not allowed, errors first.
    fn visible(&self) -> Vec<(AnnotationLevel, &'a Finding)> {
        let level_of = |finding: &Finding| match self.levels.level_of(finding.code) {
            Level::Allow => None,
            Level::Note => Some(AnnotationLevel::Notice),
            Level::Warn => Some(AnnotationLevel::Warning),
            Level::Deny => Some(AnnotationLevel::Error),
        };
        let with_level = self
            .findings
            .iter()
            .filter_map(|finding| Some((level_of(finding)?, finding)));
        let mut visible: Vec<_> = with_level.collect();
        visible.sort_by_key(|&(level, _)| level);
        visible
    }

    /// The file to annotate, relative to the workspace, and the line and column.
    ///
    /// A page with a source file is annotated on line 1 of that file, because the lines differ. For a
    /// page without a known source there is no file.
    fn place_to_annotate(
        &self,
        finding: &Finding,
        pointers: &mut PlaceResolver<'_>,
    ) -> (Option<String>, Option<(usize, Option<usize>)>) {
        let in_workspace = |path: &str| workspace_path(self.environment, Path::new(path));
        let source = |inventory| pointers.source_of(inventory, finding);
        if let Some(source) = self.inventory.and_then(source) {
            return (Some(in_workspace(&source)), Some((1, None)));
        }
        if let (Some(inventory), Subject::Page(file, _)) = (self.inventory, &finding.subject)
            && inventory
                .page_of(file)
                .is_some_and(|page| pointers.is_without_source(page))
        {
            return (None, None);
        }
        let (path, line_column) = pointers.resolve(finding);
        let position = line_column.map_or((1, None), |(line, column)| (line, Some(column)));
        // A directory cannot be annotated.
        let file = path.filter(|path| Path::new(path).is_file());
        (file.as_deref().map(in_workspace), file.map(|_| position))
    }
}

/// The message of a finding. One about a file that a server publishes begins with its URL, line and
/// column, because only files of the repository can be annotated.
fn in_published_file<'f>(finding: &'f Finding, pointers: &mut PlaceResolver<'_>) -> Cow<'f, str> {
    let Subject::Url(url, _) = &finding.subject else {
        return Cow::Borrowed(&finding.message);
    };
    let place = match pointers.resolve(finding).1 {
        Some((line, column)) => format!(":{line}:{column}"),
        None => String::new(),
    };
    Cow::Owned(format!("{url}{place}: {}", finding.message))
}

/// The workflow command for a mistake in the settings, at its line.
pub(super) fn mistake_annotation(
    error: &SettingsError,
    environment: &BTreeMap<String, String>,
) -> String {
    let Diagnostic {
        message,
        source,
        hint,
        ..
    } = Diagnostic::from_mistake(error);
    let file = source
        .as_ref()
        .map(|source| workspace_path(environment, Path::new(&*source.path)));
    let line = source
        .and_then(|source| source.excerpt)
        .map(|excerpt| excerpt.line_and_column().0);
    let annotation = Annotation {
        level: AnnotationLevel::Error,
        file: file.as_deref(),
        line,
        column: None,
        title: "waypost",
        message,
        hint,
    };
    format!("{annotation}\n")
}

fn notice(message: &str) -> String {
    let level = AnnotationLevel::Notice;
    format!(
        "{}\n",
        Annotation {
            level,
            file: None,
            line: None,
            column: None,
            title: "waypost",
            message,
            hint: None
        }
    )
}

/// The step's outputs, one per line.
pub(super) fn outputs(
    output_dir: &Path,
    settings: &SitemapTable,
    run: &BuildRun,
    effect: WriteMode,
) -> String {
    let changes = &run.published.changes;
    let (found, listed) = (run.inventory.pages.len(), run.inventory.listed());
    let sitemap = run.published.plan.main_file().map(str::to_owned);
    let sitemap = output_dir.join(sitemap.unwrap_or_else(|| settings.of_set().main_file()));
    let is_there = effect == WriteMode::Write && sitemap.is_file();
    let outputs = [
        // A raw line break in a path would begin another output; `shown` escapes it.
        (
            "sitemap-path",
            if is_there {
                display_path(&sitemap)
            } else {
                String::new()
            },
        ),
        ("url-count", listed.to_string()),
        ("excluded-count", (found - listed).to_string()),
        (
            "changed-count",
            (changes.added.len() + changes.removed.len() + changes.redated.len()).to_string(),
        ),
    ];
    outputs
        .map(|(name, value)| format!("{name}={value}\n"))
        .concat()
}

/// The step's summary, in Markdown.
pub(super) fn summary(
    output_dir: &Path,
    preview: Option<&PreviewBuild>,
    run: &BuildRun,
    findings_table: &str,
) -> String {
    let (found, listed) = (run.inventory.pages.len(), run.inventory.listed());
    let changes = &run.published.changes;
    let mut out = format!("### {listed} of {found} pages in the sitemap\n\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    if let Some(preview) = preview {
        line(format!(
            "This is a preview build on {}, so nothing is written.\n",
            preview.service
        ));
    }
    line("| | |\n| --- | --- |".to_owned());
    line(format!("| site | {} |", code_span(run.base.url.as_str())));
    line(format!(
        "| output | {} |",
        code_span(&display_path(output_dir))
    ));
    for (reason, count) in run.inventory.exclusion_counts() {
        line(format!("| excluded, `{reason}` | {count} |"));
    }
    for (source, count) in run.inventory.dates() {
        line(format!("| dated from {source} | {count} |"));
    }
    let (added, removed, redated) = (
        changes.added.len(),
        changes.removed.len(),
        changes.redated.len(),
    );
    line(match &run.published.compared {
        ComparedSet::Replaced(whose) if changes.had_sitemap => {
            format!("| replaces | {whose}: {added} URLs added, {removed} removed |")
        }
        _ => format!("| changes | {added} added, {removed} removed, {redated} re-dated |"),
    });
    out.push_str(findings_table);
    out
}

/// Formats untrusted text as code in a table cell, where neither Markdown nor HTML applies.
fn code_span(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN_OF_A_MESSAGE).collect();
    let cell = |character: char| match character {
        '`' => '\'',
        character if character.is_control() => ' ',
        character => character,
    };
    format!(
        "`{}`",
        shown
            .chars()
            .map(cell)
            .collect::<String>()
            .replace('|', "\\|")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_a_table_stays_in_its_cell() {
        assert_eq!(code_span("a|b`c\n<img>"), "`a\\|b'c <img>`");
    }
}

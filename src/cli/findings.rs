//! The findings of a run: printed with the lines they are about, or as JSON; and whether they fail
//! the run.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::Serialize;

use super::diagnose::{Diagnostic, Excerpt};
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::places::PlaceResolver;
use super::printer::{Printer, StdoutError, Verbosity};
use crate::check::PublishedTexts;
use crate::settings::LevelOverrides;
use crate::site::{LoadedSite, stop_run};
use sitemaps::findings::{Code, Finding, Level, MAX_PER_CODE, code, grouped};
use sitemaps::site_paths::display_path;

/// The version of all results. It changes if a key is removed or gets another meaning, not if one is
/// added.
pub(super) const RESULT_VERSION: u8 = 1;

/// How many findings of a code are shown without `--verbose`.
const MAX_EXAMPLES: usize = 3;

/// The findings of a run, with their levels and places.
pub(super) struct RunFindings<'a> {
    pub(super) findings: &'a [Finding],
    pub(super) levels: LevelOverrides,
    /// The level from which a finding fails the run.
    strictness: Level,
    pub(super) places: PlaceResolver<'a>,
}

/// A result as `--json` prints it.
#[derive(Serialize)]
struct JsonResult<'a, R> {
    version: u8,
    #[serde(flatten)]
    result: &'a R,
    findings: Vec<FindingResult<'a>>,
}

/// A finding of a result.
#[derive(Serialize)]
struct FindingResult<'a> {
    code: &'static str,
    level: &'static str,
    message: &'a str,
    /// The remedy.
    hint: Option<&'a str>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> RunFindings<'a> {
    /// The findings about a site, with the levels of its settings.
    pub(super) fn of_site(
        findings: &'a [Finding],
        loaded: &'a LoadedSite<'a>,
        strictness: Level,
    ) -> Self {
        Self {
            findings,
            levels: loaded.settings().levels.clone(),
            strictness,
            places: PlaceResolver::new(loaded),
        }
    }

    /// The findings about files without a site, which may have been fetched.
    pub(super) fn of_files(
        findings: &'a [Finding],
        levels: LevelOverrides,
        strictness: Level,
        fetched: Option<&'a PublishedTexts>,
    ) -> Self {
        Self {
            findings,
            levels,
            strictness,
            places: PlaceResolver::of_files(fetched),
        }
    }

    pub(super) fn level_of(&self, finding: &Finding) -> Level {
        self.levels.level_of(finding.code)
    }

    /// Whether the findings fail the run.
    pub(super) fn fail_run(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|finding| self.level_of(finding) >= self.strictness)
    }

    /// The number of findings at a level.
    pub(super) fn count(&self, level: Level) -> usize {
        let findings = self.findings.iter();
        findings
            .filter(|finding| self.level_of(finding) == level)
            .count()
    }

    pub(super) fn first_of(&self, code: &Code) -> Option<&'a Finding> {
        self.findings.iter().find(|finding| finding.code == code)
    }

    /// Whether one of them stops a run before it writes or sends anything.
    pub(super) fn refuse(&self) -> bool {
        stop_run(self.findings, &self.levels)
    }

    pub(super) fn exit_code(&self) -> u8 {
        if self.fail_run() {
            EXIT_FINDINGS
        } else {
            EXIT_SUCCESS
        }
    }

    /// Prints a result and the findings as indented JSON.
    pub(super) fn print_json(&mut self, result: &impl Serialize) -> Result<(), StdoutError> {
        let findings = self.findings.iter().map(|finding| {
            let (file, line_column) = self.places.resolve(finding);
            FindingResult {
                code: finding.code.name,
                level: self.levels.level_of(finding.code).as_str(),
                message: &finding.message,
                hint: finding.hint.as_deref(),
                file,
                line: line_column.map(|(line, _)| line),
                column: line_column.map(|(_, column)| column),
            }
        });
        let result = JsonResult {
            version: RESULT_VERSION,
            result,
            findings: findings.collect(),
        };
        let text = serde_json::to_string_pretty(&result).expect("the keys are strings");
        Printer::json_lines([text].into_iter())
    }

    /// Prints the findings that are not allowed, errors before warnings before notes: with
    /// `--verbose` all of them, else the first of each case and how many more have its code. Those
    /// that fail the run are printed even with `--quiet`.
    pub(super) fn show(&mut self, printer: &Printer) {
        let is_verbose = printer.verbosity == Verbosity::Verbose;
        let least = if printer.verbosity == Verbosity::Quiet {
            self.strictness
        } else {
            Level::Note
        };
        let mut examples: Vec<Example<'_>> = Vec::new();
        for finding in self.findings {
            let level = self.level_of(finding);
            if level < least {
                continue;
            }
            if !is_verbose && let Some(at) = like(&examples, finding) {
                examples[at].more += finding.count;
                continue;
            }
            examples.push(Example {
                level,
                finding,
                more: if is_verbose { 0 } else { finding.count - 1 },
            });
        }
        if !is_verbose {
            examples.sort_by_key(|example| Reverse(example.level));
        }
        for example in examples {
            self.draw(printer, &example);
        }
    }

    /// Prints a finding, and how many more have its code.
    fn draw(&mut self, printer: &Printer, example: &Example<'_>) {
        let finding = example.finding;
        let mut diagnostic = Diagnostic::of_finding(example.level, finding);
        if example.more > 0 {
            diagnostic.message = with_more(&finding.message, example.more).into();
        }
        let (path, place) = self.places.file_of(&finding.subject);
        let shown = path.as_deref().map(display_path);
        diagnostic.path = shown.map(Cow::Owned);
        let text = path.filter(|_| place.is_some());
        let text = text.and_then(|path| self.places.text(&path));
        diagnostic.excerpt = place.zip(text).map(|(place, text)| Excerpt { text, place });
        printer.draw_finding(&diagnostic);
    }
}

/// The last of the examples with the code of a finding, unless the finding is shown too: one of each
/// case, and several false dates, because one may be an exception. Lost URLs are counted already, so each
/// finding of them is shown.
fn like(examples: &[Example<'_>], finding: &Finding) -> Option<usize> {
    if finding.code == code::URLS_LOST {
        return None;
    }
    let mut of_code = examples
        .iter()
        .filter(|example| example.finding.code == finding.code);
    let last = examples
        .iter()
        .rposition(|example| example.finding.code == finding.code)?;
    let is_like = finding.count > 1
        || of_code.clone().count() == MAX_EXAMPLES
        || (finding.code != code::LASTMOD_UNTRUE && {
            let case = case_of(&finding.message);
            of_code.any(|example| case_of(&example.finding.message) == case)
        });
    is_like.then_some(last)
}

/// The message without its names and numbers, which differ between findings of the same case.
fn case_of(message: &str) -> String {
    let parts = message.split('`').step_by(2);
    let words = parts.flat_map(|part| part.chars().filter(|char| !char.is_ascii_digit()));
    words.collect()
}

/// One of the findings that are shown.
struct Example<'f> {
    level: Level,
    finding: &'f Finding,
    /// How many more findings have the code, for the last example.
    more: usize,
}

/// Adds to a message how many more findings have its code.
fn with_more(message: &str, more: usize) -> String {
    let shown = if more < MAX_PER_CODE {
        "all"
    } else {
        "the first 1,000"
    };
    let more = grouped(more);
    format!("{message} (and {more} more; `-v` shows {shown})")
}

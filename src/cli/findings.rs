//! Prints findings with the lines they are about, and decides whether they fail the run.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::diagnose::{Diagnostic, Excerpt, Severity};
use super::numbers::grouped;
pub(super) use super::places::PlaceResolver;
use super::printer::{Printer, Verbosity};
use crate::inventory::MAX_PER_CODE;
use crate::settings::LevelOverrides;
use sitemaps::site_paths::finding::{Finding, Level, code};

/// Prints the findings that are not allowed, errors before warnings before notes: with `--verbose`
/// all of them, else the first of each case and how many more have its code. Findings at level
/// `strictness` or above fail the run and are printed even with `--quiet`.
pub(super) fn show(
    printer: &Printer,
    findings: &[Finding],
    levels: &LevelOverrides,
    strictness: Level,
    pointers: &mut PlaceResolver<'_>,
) {
    let least = if printer.verbosity() == Verbosity::Quiet {
        strictness
    } else {
        Level::Note
    };
    let shown = findings
        .iter()
        .map(|finding| (levels.level_of(finding.code), finding))
        .filter(|(level, _)| *level >= least);
    if printer.verbosity() == Verbosity::Verbose {
        for (level, finding) in shown {
            draw(printer, pointers, level, finding, 0);
        }
        return;
    }
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut shown_of: HashMap<&str, ShownExamples> = HashMap::new();
    for (level, finding) in shown {
        let shown = shown_of.entry(finding.code.name).or_default();
        if !shown.adds(finding) {
            examples[shown.latest].more += finding.count;
            continue;
        }
        shown.latest = examples.len();
        examples.push(Example {
            level,
            finding,
            more: finding.count - 1,
        });
    }
    examples.sort_by_key(|example| Reverse(example.level));
    for Example {
        level,
        finding,
        more,
    } in examples
    {
        draw(printer, pointers, level, finding, more);
    }
}

/// How many findings of a code are shown without `--verbose`.
const MAX_EXAMPLES: usize = 3;

/// The findings of a code that are shown.
#[derive(Default)]
struct ShownExamples {
    cases: Vec<String>,
    /// The index of the last one among all that are shown.
    latest: usize,
}

impl ShownExamples {
    /// Whether a finding is shown too: one of each case, and several false dates, because one may be
    /// an exception.
    fn adds(&mut self, finding: &Finding) -> bool {
        let is_only_counted = finding.count > 1 && !self.cases.is_empty();
        if is_only_counted || self.cases.len() == MAX_EXAMPLES {
            return false;
        }
        let case = case_of(&finding.message);
        let is_new = finding.code == code::LASTMOD_UNTRUE || !self.cases.contains(&case);
        if is_new {
            self.cases.push(case);
        }
        is_new
    }
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

/// Whether the findings fail the run.
pub(super) fn fail_run(findings: &[Finding], levels: &LevelOverrides, strictness: Level) -> bool {
    findings
        .iter()
        .any(|finding| levels.level_of(finding.code) >= strictness)
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

/// Prints a finding, and how many more have its code.
fn draw(
    printer: &Printer,
    pointers: &mut PlaceResolver<'_>,
    level: Level,
    finding: &Finding,
    more: usize,
) {
    let severity = Severity::of(level).unwrap_or_default();
    let mut diagnostic = Diagnostic::of_finding(severity, finding);
    if more > 0 {
        diagnostic.message = with_more(&finding.message, more).into();
    }
    let (path, place) = pointers.file_of(&finding.subject);
    let shown = path.as_deref().map(|path| pointers.display_path(path));
    diagnostic.path = shown.map(Cow::Owned);
    let text = path.filter(|_| place.is_some());
    let text = text.and_then(|path| pointers.text(&path));
    diagnostic.excerpt = place.zip(text).map(|(place, text)| Excerpt { text, place });
    printer.draw_finding(&diagnostic);
}

//! Prints findings with the lines they are about, and decides whether they fail the run.

use std::collections::HashMap;

use super::diagnose::{Diagnostic, Excerpt, Severity, SourceText};
pub(super) use super::places::PlaceResolver;
use super::printer::{Printer, Verbosity};
use crate::config::Mistakes;
use crate::settings::LevelOverrides;
use site_paths::finding::{Finding, Level};

/// How many findings of each code to print without `--verbose`.
const SHOWN_PER_CODE: usize = 5;

/// Prints all mistakes in the settings.
pub(super) fn show_mistakes(printer: &Printer, mistakes: &Mistakes) {
    for mistake in &mistakes.list {
        printer.draw(&Diagnostic::from_mistake(mistake, &mistakes.texts));
    }
    if mistakes.more > 0 {
        printer.error(
            &format!("{} more mistakes in the settings", mistakes.more),
            None,
        );
    }
}

/// Prints the findings that are not allowed: the first few of each code, then how many more there
/// are. Findings at level `strictness` or above fail the run and are printed even with `--quiet`.
pub(super) fn show(
    printer: &Printer,
    findings: &[Finding],
    levels: &LevelOverrides,
    strictness: Level,
    pointers: &mut PlaceResolver<'_>,
) {
    let limit = if printer.verbosity() == Verbosity::Verbose {
        usize::MAX
    } else {
        SHOWN_PER_CODE
    };
    let mut drawn: HashMap<&str, usize> = HashMap::new();
    let mut codes: Vec<&str> = Vec::new();
    let least = if printer.verbosity() == Verbosity::Quiet {
        strictness
    } else {
        Level::Warn
    };
    for finding in findings
        .iter()
        .filter(|finding| levels.level_of(finding.code) >= least)
    {
        let count = drawn.entry(finding.code.name).or_insert_with(|| {
            codes.push(finding.code.name);
            0
        });
        *count += 1;
        if *count <= limit {
            draw(printer, pointers, levels.level_of(finding.code), finding);
        }
    }
    for code in codes {
        let more = drawn[code].saturating_sub(limit);
        if more > 0 {
            let message = format!("{more} more `{code}` findings; `--verbose` shows all");
            printer.draw(&Diagnostic {
                severity: Severity::Note,
                code: None,
                message: &message,
                source: None,
                other: None,
                hint: None,
            });
        }
    }
}

/// Whether the findings fail the run.
pub(super) fn fail_run(findings: &[Finding], levels: &LevelOverrides, strictness: Level) -> bool {
    findings
        .iter()
        .any(|finding| levels.level_of(finding.code) >= strictness)
}

fn draw(printer: &Printer, pointers: &mut PlaceResolver<'_>, level: Level, finding: &Finding) {
    let (path, place) = pointers.file_of(&finding.subject);
    let shown = path.as_deref().map(|path| pointers.display_path(path));
    let text = place
        .zip(path.as_deref())
        .and_then(|(_, path)| pointers.text(path));
    let excerpt = place.zip(text).map(|(place, text)| Excerpt {
        text,
        place,
        label: None,
    });
    printer.draw_always(&Diagnostic {
        severity: if level == Level::Deny {
            Severity::Error
        } else {
            Severity::Warning
        },
        code: Some(finding.code.name),
        message: &finding.message,
        source: shown.map(|path| SourceText {
            path: path.into(),
            excerpt,
        }),
        other: None,
        hint: finding.hint.as_deref(),
    });
}

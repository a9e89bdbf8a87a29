//! Findings on the screen, each at the very tag, and what they make of the exit code.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::diagnose::{Diagnostic, Excerpt, Severity, Source};
use super::screen::{Screen, Volume};
use crate::config::{Levels, Mistakes, Texts};
use crate::finding::{Finding, Level, Place, Subject};
use crate::read::text_of;
use crate::road::{Ledger, Survey};

/// Of each kind this many are drawn, unless all are asked for.
const DRAWN_PER_CODE: usize = 5;

/// Draws all mistakes in the settings.
pub(super) fn show_mistakes(screen: &Screen, mistakes: &Mistakes) {
    for mistake in &mistakes.list {
        screen.draw(&Diagnostic::of_mistake(mistake, &mistakes.texts));
    }
    if mistakes.more > 0 {
        screen.error(&format!("the settings hold {} more mistakes", mistakes.more), None);
    }
}

/// Draws the findings that their levels let through: the first few of each kind, then how many more there are.
pub(super) fn show(screen: &Screen, survey: &Survey<'_>, ledger: &Ledger) {
    let limit = if screen.volume() == Volume::Verbose { usize::MAX } else { DRAWN_PER_CODE };
    let levels = &survey.settings().levels;
    let mut drawn: HashMap<&str, usize> = HashMap::new();
    let mut codes: Vec<&str> = Vec::new();
    for finding in &ledger.findings {
        let Some(severity) = severity_of(finding, levels) else { continue };
        let count = drawn.entry(finding.code.name).or_insert_with(|| {
            codes.push(finding.code.name);
            0
        });
        *count += 1;
        if *count <= limit {
            draw(screen, survey, finding, severity);
        }
    }
    for code in codes {
        let more = drawn[code].saturating_sub(limit);
        if more > 0 {
            let message = format!("{more} more of `{code}`; `--verbose` shows all");
            screen.draw(&Diagnostic {
                severity: Severity::Note,
                code: None,
                message: &message,
                source: None,
                hint: None,
            });
        }
    }
}

fn severity_of(finding: &Finding, levels: &Levels) -> Option<Severity> {
    match levels.of(finding.code) {
        Level::Allow => None,
        Level::Warn => Some(Severity::Warning),
        Level::Deny => Some(Severity::Error),
    }
}

/// Whether the findings fail the run.
pub(super) fn fail(ledger: &Ledger, levels: &Levels, strictness: Level) -> bool {
    ledger.findings.iter().any(|finding| levels.of(finding.code) >= strictness)
}

fn draw(screen: &Screen, survey: &Survey<'_>, finding: &Finding, severity: Severity) {
    let (path, place) = file_of(survey, &finding.subject);
    let text = place.zip(path.as_deref()).and_then(|(_, path)| text_at(path, &survey.loaded.texts));
    let shown = path.as_deref().map(|path| shown_path(survey, path));
    let excerpt = place.zip(text.as_deref()).map(|(place, text)| Excerpt { text, place, label: None });
    screen.draw(&Diagnostic {
        severity,
        code: Some(finding.code.name),
        message: &finding.message,
        source: shown.map(|path| Source { path: path.into(), excerpt }),
        hint: finding.hint.as_deref(),
    });
}

fn file_of(survey: &Survey<'_>, subject: &Subject) -> (Option<PathBuf>, Option<Place>) {
    match subject {
        Subject::Site => (None, None),
        Subject::Page(file, place) => (Some(file.below_folder(&survey.output_dir)), *place),
        Subject::File(file, place) => (Some(file.clone()), *place),
    }
}

/// The text in which a place counts: of the settings as they were read, or of the file. A file that cannot be read
/// again is shown by its name alone.
fn text_at(path: &Path, settings: &Texts) -> Option<String> {
    settings.of(path).map(str::to_owned).or_else(|| text_of(path).ok())
}

/// A path relative to the site root, where the settings name it so; else as it is.
fn shown_path(survey: &Survey<'_>, path: &Path) -> String {
    // Files of settings are known by their path from the site root, but for the one that was typed.
    let is_settings = survey.loaded.texts.of(path).is_some() && survey.config.as_deref() != Some(path);
    if is_settings { Survey::shown(&survey.site.root.join(path)) } else { Survey::shown(path) }
}

/// Where a finding points, for machines: the file, and line and column counted from 1.
pub(super) fn pointer(survey: &Survey<'_>, finding: &Finding) -> (Option<String>, Option<(usize, usize)>) {
    let (path, place) = file_of(survey, &finding.subject);
    let text = place.zip(path.as_deref()).and_then(|(_, path)| text_at(path, &survey.loaded.texts));
    let line_column =
        place.zip(text.as_deref()).map(|(place, text)| Excerpt { text, place, label: None }.line_and_column());
    (path.map(|path| shown_path(survey, &path)), line_column)
}

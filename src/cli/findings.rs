//! The findings of a run: printed with the lines they are about, or as JSON; their files, lines and columns;
//! and whether they fail the run.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::command_error::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::diagnose::{Diagnostic, Excerpt};
use super::printer::{Printer, StdoutError, Verbosity};
use crate::check::PublishedTexts;
use crate::files::tree;
use crate::findings::{Finding, Level, MAX_PER_CODE, Subject, code, grouped};
use crate::pages::Page;
use crate::settings::LevelOverrides;
use crate::site::{LoadedSite, stop_run};
use page_signals::text_of;
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
    pub(super) fn for_site(
        findings: &'a [Finding],
        loaded: &'a LoadedSite,
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
    pub(super) fn for_files(
        findings: &'a [Finding],
        levels: LevelOverrides,
        strictness: Level,
        fetched: Option<&'a PublishedTexts>,
    ) -> Self {
        Self {
            findings,
            levels,
            strictness,
            places: PlaceResolver {
                published: fetched,
                ..PlaceResolver::default()
            },
        }
    }

    pub(super) fn level_of(&self, finding: &Finding) -> Level {
        self.levels.level_of(finding.code)
    }

    /// Whether the findings fail the run.
    pub(super) fn fail_run(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| self.level_of(finding) >= self.strictness)
    }

    /// The number of findings at a level.
    pub(super) fn count(&self, level: Level) -> usize {
        self.findings
            .iter()
            .filter(|finding| self.level_of(finding) == level)
            .count()
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
        let mut diagnostic = Diagnostic::from_finding(example.level, finding);
        if example.more > 0 {
            diagnostic.message = with_more(&finding.message, example.more).into();
        }
        let (path, excerpt) = self.places.excerpt(&finding.subject);
        diagnostic.path = path.as_deref().map(|path| display_path(path).into());
        diagnostic.excerpt = excerpt;
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
    let mut same_code = examples
        .iter()
        .filter(|example| example.finding.code == finding.code);
    let last = examples
        .iter()
        .rposition(|example| example.finding.code == finding.code)?;
    let is_like = finding.count > 1
        || same_code.clone().count() == MAX_EXAMPLES
        || (finding.code != code::LASTMOD_UNTRUE && {
            let case = case_of(&finding.message);
            same_code.any(|example| case_of(&example.finding.message) == case)
        });
    is_like.then_some(last)
}

/// The message without its names and numbers, which differ between findings of the same case.
fn case_of(message: &str) -> String {
    let words: String = message.split('`').step_by(2).collect();
    words.replace(|char: char| char.is_ascii_digit(), "")
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

/// Resolves places to lines and columns.
///
/// The text of the last file is cached, because findings are sorted by file.
#[derive(Default)]
pub(super) struct PlaceResolver<'s> {
    site: Option<&'s LoadedSite>,
    /// The texts of files that were fetched.
    published: Option<&'s PublishedTexts>,
    last: Option<(PathBuf, Option<String>)>,
}

impl<'s> PlaceResolver<'s> {
    pub(super) fn new(loaded: &'s LoadedSite) -> Self {
        Self {
            site: Some(loaded),
            ..Self::default()
        }
    }

    /// The path of a page's source; `None` for a page outside the site, for which no file of the
    /// repository can be shown.
    pub(super) fn source_of(&self, page: &Page) -> Option<PathBuf> {
        let loaded = self.site?;
        let source = page.source_path(&loaded.site, loaded.output_dir())?;
        Some(source.below_dir(&loaded.site.root))
    }

    /// The file of a subject, and the faulty bytes in its text.
    fn excerpt(&mut self, subject: &Subject) -> (Option<PathBuf>, Option<Excerpt<'_>>) {
        let (path, place) = match subject {
            Subject::Site => (None, None),
            Subject::Page(file, place) => {
                let dir = self.site.map(LoadedSite::output_dir);
                (dir.map(|dir| file.below_dir(dir)), *place)
            }
            Subject::File(file, place) => (Some(file.clone()), *place),
            Subject::Url(url, place) => (Some(PathBuf::from(url)), *place),
        };
        let excerpt = path.as_deref().zip(place).and_then(|(path, place)| {
            let text = self.text(path)?;
            Some(Excerpt { text, place })
        });
        (path, excerpt)
    }

    /// The file of a finding for display, and its line and column counted from 1.
    pub(super) fn resolve(
        &mut self,
        finding: &Finding,
    ) -> (Option<String>, Option<(usize, usize)>) {
        let (path, excerpt) = self.excerpt(&finding.subject);
        let line_column = excerpt.map(|excerpt| excerpt.line_and_column());
        (path.as_deref().map(display_path), line_column)
    }

    /// The text that places in a file refer to: the settings as they were loaded, what was fetched,
    /// or the file. `None` if the file can no longer be read.
    fn text(&mut self, path: &Path) -> Option<&str> {
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            let url = path.to_str();
            let text = url
                .and_then(|url| self.published?.of(url))
                .or_else(|| self.site?.loaded.texts.of(path))
                .map(str::to_owned)
                .or_else(|| text_of(&tree::open(path).ok()?).ok());
            self.last = Some((path.to_owned(), text));
        }
        self.last.as_ref()?.1.as_deref()
    }
}

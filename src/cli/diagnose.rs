//! Renders diagnostics in the style of rustc. No other file uses annotate-snippets.
//!
//! The input may be hostile (pages, file names, settings on an untrusted branch). Control
//! characters never reach the terminal, and long lines are cut before rendering.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstyle::{AnsiColor, Style};

use crate::config::{self, SettingsError};
use site_paths::finding::{self, Place, floor_char_boundary};
use site_paths::is_control_or_bidi;

/// A problem to display.
#[derive(Debug, Clone)]
pub struct Diagnostic<'a> {
    /// Its severity.
    pub severity: Severity,
    /// Its stable code, shown in brackets: `warning[setting-unused]`.
    pub code: Option<&'a str>,
    /// The problem in one sentence.
    pub message: &'a str,
    /// The file and place it is in.
    pub source: Option<SourceText<'a>>,
    /// The remedy.
    pub hint: Option<&'a str>,
}

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Fails the run.
    Error,
    /// Does not fail the run by itself.
    Warning,
    /// Information only.
    Note,
}

/// The file that contains a problem.
#[derive(Debug, Clone)]
pub struct SourceText<'a> {
    /// The path to display.
    pub path: Cow<'a, str>,
    /// The faulty bytes, if known.
    pub excerpt: Option<Excerpt<'a>>,
}

/// A range of a file's text.
#[derive(Debug, Clone, Copy)]
pub struct Excerpt<'a> {
    /// The whole text of the file.
    pub text: &'a str,
    /// The bytes to underline. A bound outside the text or inside a character moves to the nearest
    /// character boundary before it.
    pub place: Place,
}

/// Whether to write escape sequences for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Text only.
    Plain,
    /// The colours of rustc.
    Coloured,
}

/// The columns of the margin beside an excerpt, with the number of a long file's line.
const MARGIN: usize = 8;

/// The maximum length of a message or hint in characters: they may quote long values.
const MAX_TEXT_CHARS: usize = 2_000;

/// Wider than any line after cutting, so that the renderer does not cut lines again.
const UNLIMITED_WIDTH: usize = 1_000;

impl<'a> Diagnostic<'a> {
    /// Creates the diagnostic for a mistake in the settings.
    pub fn from_mistake(SettingsError { mistake, texts }: &'a SettingsError) -> Self {
        let source_of = |origin: &'a config::SettingOrigin| match origin {
            config::SettingOrigin::File(path, place) => {
                let excerpt =
                    place.and_then(|place| texts.of(path).map(|text| Excerpt { text, place }));
                Some(SourceText {
                    path: path.to_string_lossy(),
                    excerpt,
                })
            }
            _ => None,
        };
        let source = source_of(&mistake.origin);
        let (message, hint) = (mistake.message.as_str(), mistake.hint.as_deref());
        Self {
            severity: Severity::Error,
            code: None,
            message,
            source,
            hint,
        }
    }

    /// Renders the diagnostic, without a final line break. An excerpt is cut to the given columns.
    pub fn render(&self, paint: Paint, width: usize) -> String {
        let mut title = self.severity.level().primary_title(printable(self.message));
        if let Some(code) = self.code {
            title = title.id(printable(code));
        }
        let mut group = Group::with_title(title);
        let mut place_line = None;
        match &self.source {
            Some(SourceText {
                path,
                excerpt: Some(excerpt),
            }) => {
                let cut = ShownLine::of(excerpt, width.saturating_sub(MARGIN));
                place_line = Some(cut.place_line(path, paint));
                group = group.element(cut.snippet());
            }
            Some(SourceText {
                path,
                excerpt: None,
            }) => group = group.element(Origin::path(printable(path))),
            None => {}
        }
        if let Some(hint) = self.hint {
            group = group.element(Level::HELP.with_name("hint").message(printable(hint)));
        }
        let renderer = match paint {
            Paint::Plain => Renderer::plain(),
            Paint::Coloured => Renderer::styled(),
        };
        let drawn = renderer.term_width(UNLIMITED_WIDTH).render(&[group]);
        match (place_line, drawn.split_once('\n')) {
            (Some(place_line), Some((title, below))) => format!("{title}\n{place_line}\n{below}"),
            _ => drawn,
        }
    }
}

impl Severity {
    /// The severity of a finding; `None` if it is allowed.
    pub fn of(level: finding::Level) -> Option<Self> {
        match level {
            finding::Level::Deny => Some(Self::Error),
            finding::Level::Warn => Some(Self::Warning),
            finding::Level::Note => Some(Self::Note),
            finding::Level::Allow => None,
        }
    }

    /// Its word in texts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    fn level(self) -> Level<'static> {
        match self {
            Self::Error => Level::ERROR,
            Self::Warning => Level::WARNING,
            Self::Note => Level::NOTE,
        }
    }
}

impl Excerpt<'_> {
    /// The line and the column in characters of the first byte, both counted from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        let start = self.bytes().start;
        let line_start = start_of_line(self.text, start);
        let line = memchr::memchr_iter(b'\n', &self.text.as_bytes()[..line_start]).count() + 1;
        (line, self.text[line_start..start].chars().count() + 1)
    }

    /// The first byte to underline, moved to a character boundary in the text.
    pub fn start(&self) -> usize {
        self.bytes().start
    }

    /// The bytes to underline, moved to character boundaries in the text.
    fn bytes(&self) -> Range<usize> {
        let start = floor_char_boundary(self.text, self.place.start as usize);
        let end = floor_char_boundary(self.text, self.place.end as usize);
        start..end.max(start)
    }
}

/// The part of a line to show.
struct ShownLine {
    line: String,
    marked: Range<usize>,
    line_number: usize,
    column: usize,
}

impl ShownLine {
    /// The line around the place: at most a third of the columns before it.
    fn of(excerpt: &Excerpt<'_>, columns: usize) -> Self {
        let text = excerpt.text;
        let Range { start, end } = excerpt.bytes();
        let line_start = start_of_line(text, start);
        let line_end = text[start..]
            .find(['\n', '\r'])
            .map_or(text.len(), |at| start + at);

        let before = last_characters(&text[line_start..start], columns / 3);
        let shown = first_characters(&text[start..line_end], columns - columns / 3);
        let (marked, after) = shown.split_at(end.min(start + shown.len()) - start);
        let cut_before = if before.len() < start - line_start {
            "…"
        } else {
            ""
        };
        let cut_after = if shown.len() < line_end - start {
            "…"
        } else {
            ""
        };

        let before = format!("{cut_before}{}", printable(before));
        let marked = printable(marked);
        let (line_number, column) = excerpt.line_and_column();
        Self {
            marked: before.len()..before.len() + marked.len(),
            line: format!("{before}{marked}{}{cut_after}", printable(after)),
            line_number,
            column,
        }
    }

    fn snippet<'s>(self) -> Snippet<'s, Annotation<'s>> {
        let annotation = AnnotationKind::Primary.span(self.marked);
        Snippet::source(self.line)
            .line_start(self.line_number)
            .annotation(annotation)
    }

    /// Formats the line `--> file:line:column`. The renderer would count columns in the cut line.
    fn place_line(&self, path: &str, paint: Paint) -> String {
        let style = match paint {
            Paint::Plain => Style::new(),
            Paint::Coloured => AnsiColor::BrightBlue.on_default().bold(),
        };
        let indent = self.line_number.to_string().len();
        let (path, line, column) = (printable(path), self.line_number, self.column);
        format!("{:indent$}{style}-->{style:#} {path}:{line}:{column}", "")
    }
}

/// Replaces each character that could manipulate a terminal or a CI log with a visible one.
pub(super) fn printable(text: &str) -> String {
    let mut before = None;
    let shown = |character: char| {
        let shown = match character {
            '\t' => ' ',
            '\0'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
            '#' if before == Some('#') => '\u{266f}',
            character if is_control_or_bidi(character) => '\u{fffd}',
            character => character,
        };
        before = Some(shown);
        shown
    };
    let mut out: String = text.chars().take(MAX_TEXT_CHARS).map(shown).collect();
    if text.char_indices().nth(MAX_TEXT_CHARS).is_some() {
        out.push('…');
    }
    out
}

fn start_of_line(text: &str, at: usize) -> usize {
    text[..at]
        .rfind('\n')
        .map_or(0, |line_break| line_break + 1)
}

fn first_characters(text: &str, count: usize) -> &str {
    text.char_indices()
        .nth(count)
        .map_or(text, |(at, _)| &text[..at])
}

fn last_characters(text: &str, count: usize) -> &str {
    text.char_indices()
        .rev()
        .nth(count.saturating_sub(1))
        .map_or(text, |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests;

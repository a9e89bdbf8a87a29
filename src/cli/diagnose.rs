//! Renders diagnostics in the style of rustc. No other file uses annotate-snippets.
//!
//! The input may be hostile (pages, file names, settings on an untrusted branch). Control
//! characters never reach the terminal.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::documentation::Section;
use crate::config::{self, SettingsError};
use crate::findings::{self, floor_char_boundary};
use sitemaps::Place;
use sitemaps::site_paths::{display_path, escaped, is_control_or_bidi};

/// Enough columns for the margin, and for some text before and after what is underlined.
const COLUMNS_BESIDE: usize = 20;

/// A problem to display.
#[derive(Debug, Clone)]
pub struct Diagnostic<'a> {
    /// Its level.
    pub level: findings::Level,
    /// Its stable code, shown in brackets: `warning[setting-unused]`.
    pub code: Option<&'a str>,
    /// The problem in one sentence.
    pub message: Cow<'a, str>,
    /// The path of the file that it is in.
    pub path: Option<Cow<'a, str>>,
    /// The faulty bytes of that file, if known.
    pub excerpt: Option<Excerpt<'a>>,
    /// The remedy.
    pub hint: Option<&'a str>,
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

impl<'a> Diagnostic<'a> {
    /// A problem without a file.
    pub fn new(
        level: findings::Level,
        message: impl Into<Cow<'a, str>>,
        hint: Option<&'a str>,
    ) -> Self {
        Self {
            level,
            code: None,
            message: message.into(),
            path: None,
            excerpt: None,
            hint,
        }
    }

    /// Creates the diagnostic for a mistake in the settings.
    pub fn from_mistake(SettingsError { mistake, texts }: &'a SettingsError) -> Self {
        let (path, excerpt) = match &mistake.origin {
            config::SettingOrigin::File(path, place) => {
                let text = place.zip(texts.of(path));
                let excerpt = text.map(|(place, text)| Excerpt { text, place });
                (Some(display_path(path).into()), excerpt)
            }
            _ => (None, None),
        };
        let (message, hint) = (mistake.message.as_str(), mistake.hint.as_deref());
        Self {
            path,
            excerpt,
            ..Self::new(findings::Level::Deny, message, hint)
        }
    }

    /// The diagnostic for a finding, without its file.
    pub fn from_finding(level: findings::Level, finding: &'a findings::Finding) -> Self {
        Self {
            code: Some(finding.code.name),
            ..Self::new(level, finding.message.as_str(), finding.hint.as_deref())
        }
    }

    /// Renders the diagnostic with colours, without a final line break. Lines of the file are cut to a
    /// number of columns.
    pub fn render(&self, columns: usize) -> String {
        let level = match self.level {
            findings::Level::Deny => Level::ERROR,
            findings::Level::Warn => Level::WARNING,
            findings::Level::Note | findings::Level::Allow => Level::NOTE,
        };
        let mut title = level.primary_title(escaped(&self.message));
        if let Some(code) = self.code {
            title = title.id(code);
            if let Some(url) = Section::of(code).and_then(|section| section.url()) {
                // A terminal that does not know links shows the code alone.
                title = title.id_url(String::from(url));
            }
        }
        let mut group = Group::with_title(title);
        if let Some(path) = &self.path {
            let path = escaped(path);
            group = match &self.excerpt {
                Some(excerpt) => group.element(excerpt.snippet(columns).path(path)),
                None => group.element(Origin::path(path)),
            };
        }
        if let Some(hint) = self.hint {
            group = group.element(Level::HELP.with_name("hint").message(escaped(hint)));
        }
        let drawn = Renderer::styled().term_width(columns).render(&[group]);
        // Those that the renderer keeps in lines of the file; its own colours begin with an escape.
        drawn.replace(
            |character| is_control_or_bidi(character) && !"\n\u{1b}".contains(character),
            "\u{fffd}",
        )
    }
}

impl<'a> Excerpt<'a> {
    /// The line and the column in characters of the first byte, both counted from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        let (start, line_start) = (self.bytes().start, self.line_start());
        let line = memchr::memchr_iter(b'\n', &self.text.as_bytes()[..line_start]).count() + 1;
        (line, self.text[line_start..start].chars().count() + 1)
    }

    /// The bytes to underline, moved to character boundaries in the text.
    fn bytes(&self) -> Range<usize> {
        let start = floor_char_boundary(self.text, self.place.start as usize);
        let end = floor_char_boundary(self.text, self.place.end as usize);
        start..end.max(start)
    }

    fn line_start(&self) -> usize {
        let before = &self.text[..self.bytes().start];
        before.rfind('\n').map_or(0, |line_break| line_break + 1)
    }

    /// The line of the first byte; the renderer would read the whole text for each. It would also show
    /// all that is underlined, whatever the number of columns.
    fn snippet(&self, columns: usize) -> Snippet<'a, Annotation<'a>> {
        let Range { start, end } = self.bytes();
        let line_start = self.line_start();
        let line_end = self.text[start..]
            .find(['\n', '\r'])
            .map_or(self.text.len(), |at| start + at);
        let fitting = start + columns.saturating_sub(COLUMNS_BESIDE);
        let end = end
            .min(line_end)
            .min(floor_char_boundary(self.text, fitting));
        let marked = start - line_start..end - line_start;
        Snippet::source(&self.text[line_start..line_end])
            .line_start(self.line_and_column().0)
            .annotation(AnnotationKind::Primary.span(marked))
    }
}

#[cfg(test)]
mod tests;

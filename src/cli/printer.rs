//! The one place that prints: data on stdout, everything else on stderr.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;

use super::diagnose::{Diagnostic, Paint, Severity};
use super::github;
use crate::site_paths::harmless_json;

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verbosity {
    /// What fails the run alone.
    Quiet,
    /// Findings and a summary.
    Normal,
    /// All of them, uncut.
    Verbose,
}

/// stdout and stderr.
#[derive(Debug)]
pub(super) struct Printer {
    volume: Verbosity,
    paint: Paint,
}

impl Printer {
    pub(super) fn new(volume: Verbosity) -> Self {
        let paint = match AutoStream::choice(&io::stderr()) {
            ColorChoice::Never => Paint::Plain,
            _ => Paint::Coloured,
        };
        Self { volume, paint }
    }

    pub(super) fn volume(&self) -> Verbosity {
        self.volume
    }

    /// Whether a person watches stderr.
    pub(super) fn is_watched(&self) -> bool {
        self.volume > Verbosity::Quiet && io::stderr().is_terminal()
    }

    /// Writes data.
    pub(super) fn data(bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    /// Writes JSON as data.
    pub(super) fn json(json: &str) -> io::Result<()> {
        Self::data(harmless_json(json).as_bytes())
    }

    /// Writes text for people as data: its colours go where stdout takes them.
    pub(super) fn text(text: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(github::harmless(text).as_bytes())?;
        out.flush()
    }

    /// Says something that is no error.
    pub(super) fn say(&self, text: &str) {
        if self.volume > Verbosity::Quiet {
            Self::to_stderr(text);
        }
    }

    /// Draws a problem; errors are drawn even when nothing else is said.
    pub(super) fn draw(&self, diagnostic: &Diagnostic<'_>) {
        if self.volume > Verbosity::Quiet || diagnostic.severity == Severity::Error {
            self.draw_always(diagnostic);
        }
    }

    /// Draws a problem that is to be seen even when nothing else is said.
    pub(super) fn draw_always(&self, diagnostic: &Diagnostic<'_>) {
        Self::to_stderr(&diagnostic.draw(self.paint));
    }

    /// Draws what is worth knowing and no problem.
    pub(super) fn note(&self, message: &str, hint: &str) {
        self.draw(&Diagnostic {
            severity: Severity::Note,
            code: None,
            message,
            source: None,
            hint: Some(hint),
        });
    }

    /// Draws an error that has no source.
    pub(super) fn error(&self, message: &str, hint: Option<&str>) {
        self.draw(&Diagnostic {
            severity: Severity::Error,
            code: None,
            message,
            source: None,
            hint,
        });
    }

    /// Says what is wrong with the arguments, before any of them is known.
    pub(super) fn misused(text: &str) {
        Self::to_stderr(text.trim_end());
    }

    fn to_stderr(text: &str) {
        // Where stderr is closed there is nobody left to tell, and the exit code says the rest.
        if writeln!(anstream::stderr().lock(), "{}", github::harmless(text)).is_err() {}
    }
}

/// Labels are this wide.
const LABEL_WIDTH: usize = 11;

/// Adds a line of what a person reads: its label on the left, and the text.
pub(super) fn row(out: &mut String, label: &str, text: &str) {
    out.push_str(&styled(LABEL, format!("{label:>LABEL_WIDTH$}")));
    out.push_str("  ");
    out.push_str(text);
    out.push('\n');
}

/// Text in a style.
pub(super) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// What stands on the left of summaries.
pub(super) const LABEL: Style = Style::new().bold();
/// What is worth a look.
pub(super) const STRONG: Style = anstyle::AnsiColor::Green.on_default().bold();
/// What is of less weight.
pub(super) const FAINT: Style = Style::new().dimmed();

//! All terminal output: data on stdout, everything else on stderr.
#![expect(clippy::disallowed_methods, reason = "the only file that prints")]

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use terminal_size::{terminal_size, terminal_size_of};
use thiserror::Error;

use super::diagnose::Diagnostic;
use super::github;
use super::text_layout::{MIN_WIDTH, break_lines};
use crate::findings::{Hint, Level, grouped};
use crate::progress;
use sitemaps::site_paths::escape_json;

/// Excerpts of source lines are cut to at most this many columns, also without a terminal.
const MAX_WIDTH: usize = 180;

/// How many bytes of many lines to write at once.
const OUTPUT_BLOCK: usize = 64 << 10;

/// A run that takes no longer shows no progress.
const UNNOTICED: Duration = Duration::from_secs(1);
const REDRAWN: Duration = Duration::from_millis(100);

/// Moves to the beginning of the line and erases it.
const ERASE: &str = "\r\u{1b}[2K";

static PROGRESS: Mutex<ProgressLine> = Mutex::new(ProgressLine::Hidden);

/// The line on a terminal that says how far a run is.
#[derive(PartialEq)]
enum ProgressLine {
    Hidden,
    Shown,
    /// It is not shown any more.
    Ended,
}

/// How much to print on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verbosity {
    /// Only what fails the run.
    Quiet,
    /// Findings and a summary.
    Normal,
    /// All findings and changes, without limits.
    Verbose,
}

impl Verbosity {
    /// How many of some things to show: with `--verbose` all.
    pub(super) fn limit(self, usual: usize) -> usize {
        match self {
            Self::Verbose => usize::MAX,
            Self::Quiet | Self::Normal => usual,
        }
    }
}

/// Error while writing to stdout.
#[derive(Debug, Error)]
#[error("cannot write to stdout: {0}")]
pub(super) struct StdoutError(pub(super) io::Error);

impl StdoutError {
    /// Whether the reader has closed the pipe, which is not an error: it has read enough.
    pub(super) fn is_closed_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl Hint for StdoutError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let is_full = self.0.kind() == io::ErrorKind::StorageFull;
        is_full.then(|| "free some space, or write elsewhere".into())
    }
}

/// Writes to stdout and stderr.
#[derive(Debug)]
pub(super) struct Printer {
    pub(super) verbosity: Verbosity,
    /// The number of columns of diagnostics.
    width: usize,
}

impl Printer {
    pub(super) fn new(verbosity: Verbosity) -> Self {
        let both = terminal_size_of(io::stdout()).and(terminal_size_of(io::stderr()));
        if let Some((columns, _)) = both {
            break_lines(columns.0.into());
        }
        let columns = terminal_size().map(|(columns, _)| usize::from(columns.0));
        Self {
            verbosity,
            width: columns.map_or(MAX_WIDTH, |columns| columns.clamp(MIN_WIDTH, MAX_WIDTH)),
        }
    }

    /// From a second on, shows on a terminal how far the run is, until something is printed.
    pub(super) fn show_progress(&self) {
        if self.verbosity == Verbosity::Quiet || !io::stderr().is_terminal() {
            return;
        }
        thread::spawn(|| {
            thread::sleep(UNNOTICED);
            loop {
                let mut line = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner);
                if *line == ProgressLine::Ended {
                    return;
                }
                *line = ProgressLine::Shown;
                let text = match progress::current() {
                    ("", ..) => "starting".to_owned(),
                    (step, _, 0) => step.to_owned(),
                    (step, done, all) => format!("{step}: {} of {}", grouped(done), grouped(all)),
                };
                let _ = write!(io::stderr(), "{ERASE}{text}");
                drop(line);
                thread::sleep(REDRAWN);
            }
        });
    }

    /// Erases how far the run is, and shows it no more.
    pub(super) fn end_progress() {
        let mut line = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner);
        if *line == ProgressLine::Shown {
            let _ = write!(io::stderr(), "{ERASE}");
        }
        *line = ProgressLine::Ended;
    }

    /// Writes bytes to stdout.
    pub(super) fn data(bytes: &[u8]) -> Result<(), StdoutError> {
        Self::data_with(|out| out.write_all(bytes))
    }

    /// Whether data is shown on a terminal.
    pub(super) fn is_terminal() -> bool {
        io::stdout().is_terminal()
    }

    /// Writes bytes to stdout in pieces.
    pub(super) fn data_with(
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), StdoutError> {
        Self::end_progress();
        let mut out = BufWriter::with_capacity(OUTPUT_BLOCK, io::stdout().lock());
        let written = write(&mut out).and_then(|()| out.flush());
        written.map_err(StdoutError)
    }

    /// Writes JSON values to stdout, each on a line. Those of a million pages take 300 MB, so they are
    /// written as they are made.
    pub(super) fn json_lines(mut lines: impl Iterator<Item = String>) -> Result<(), StdoutError> {
        Self::data_with(|out| lines.try_for_each(|line| writeln!(out, "{}", escape_json(&line))))
    }

    /// Writes text to stdout, with colours if stdout supports them.
    pub(super) fn text(text: &str) -> Result<(), StdoutError> {
        Self::end_progress();
        let mut out = anstream::stdout().lock();
        let text = github::harmless(text);
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(StdoutError)
    }

    /// Writes whole lines of text to stdout as they are made.
    pub(super) fn text_lines(lines: impl Iterator<Item = String>) -> Result<(), StdoutError> {
        let mut block = String::new();
        for line in lines {
            block.push_str(&line);
            if block.len() >= OUTPUT_BLOCK {
                Self::text(&block)?;
                block.clear();
            }
        }
        Self::text(&block)
    }

    /// Prints a message unless `--quiet` is set.
    pub(super) fn say(&self, text: &str) {
        if self.verbosity > Verbosity::Quiet {
            Self::to_stderr(text);
        }
    }

    /// Prints a diagnostic; with `--quiet`, only an error.
    pub(super) fn draw(&self, diagnostic: &Diagnostic<'_>) {
        if self.verbosity > Verbosity::Quiet || diagnostic.level == Level::Deny {
            Self::to_stderr(&diagnostic.render(self.width));
        }
    }

    /// Prints a finding and an empty line, even with `--quiet`.
    pub(super) fn draw_finding(&self, diagnostic: &Diagnostic<'_>) {
        let drawn = diagnostic.render(self.width);
        Self::to_stderr(&format!("{drawn}\n"));
    }

    /// Prints a note with a hint.
    pub(super) fn note(&self, message: &str, hint: &str) {
        self.draw(&Diagnostic::new(Level::Note, message, Some(hint)));
    }

    /// Prints an error without a source.
    pub(super) fn error(&self, message: &str, hint: Option<&str>) {
        self.draw(&Diagnostic::new(Level::Deny, message, hint));
    }

    /// Prints text whatever the options are.
    pub(super) fn to_stderr(text: &str) {
        Self::end_progress();
        // An error of stderr has no place left to be shown; the exit code still reports the result.
        let _ = writeln!(anstream::stderr().lock(), "{}", github::harmless(text));
    }
}

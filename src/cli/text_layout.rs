//! Lays out lines of text for the width of the terminal: the rows of a summary, paragraphs.

use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};

use anstream::adapter::strip_str;
use anstyle::Style;

/// Lines are broken to at least this many columns.
pub(super) const MIN_WIDTH: usize = 40;

/// The number of columns of both stdout and stderr; all if one of them is not a terminal.
static WIDTH: AtomicUsize = AtomicUsize::new(usize::MAX);

/// From now on, lines are broken to this many columns.
pub(super) fn break_lines(width: usize) {
    WIDTH.store(width.max(MIN_WIDTH), Ordering::Relaxed);
}

/// The number of columns of the terminal.
pub(super) fn columns() -> usize {
    WIDTH.load(Ordering::Relaxed)
}

/// The width of labels.
const LABEL_WIDTH: usize = 11;

/// A label of a summary, and the lines that it has.
pub(super) type Part = (&'static str, Vec<String>);

/// Lays out a summary. Lines after the first of a part have no label, and a text continues below its last
/// column if it is wider than the terminal.
pub(super) fn summary(parts: impl IntoIterator<Item = Part>) -> String {
    let (mut out, columns) = (String::new(), LABEL_WIDTH + 2);
    for (mut label, texts) in parts {
        for text in texts {
            let text = text.trim_end();
            let plain = strip_str(text).to_string();
            let last_column = plain
                .rfind("  ")
                .map_or(0, |at| plain[..at].chars().count() + 2);
            out.push_str(&styled(LABEL, format!("{label:>LABEL_WIDTH$}")));
            out.push_str("  ");
            out.push_str(&wrapped(text, columns, columns + last_column));
            out.push('\n');
            label = "";
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Breaks a text between words into lines of the terminal. The first line begins in one column, those
/// below it in another.
pub(super) fn wrapped(text: &str, first: usize, below: usize) -> String {
    match columns() {
        usize::MAX => text.to_owned(),
        width => broken(text, width, first, below),
    }
}

fn broken(text: &str, width: usize, first: usize, below: usize) -> String {
    let below = if below * 3 / 2 > width { first } else { below };
    let (mut out, mut column) = (String::new(), first);
    for word in text.split_inclusive(' ') {
        let shown = strip_str(word).to_string();
        if column > below && column + shown.trim_end().chars().count() > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(below));
            column = below;
        }
        out.push_str(word);
        column += shown.chars().count();
    }
    out
}

/// Formats text in a style; nothing if it is empty.
pub(super) fn styled(style: Style, text: impl Display) -> String {
    let text = text.to_string();
    if text.is_empty() {
        text
    } else {
        format!("{style}{text}{style:#}")
    }
}

/// The style of labels in summaries.
pub(super) const LABEL: Style = Style::new().bold();
/// The style of emphasized text.
pub(super) const STRONG: Style = anstyle::AnsiColor::Green.on_default().bold();
/// The style of secondary text.
pub(super) const FAINT: Style = Style::new().dimmed();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_continue_in_their_column() {
        let check = |text: &str, width: usize, expected: &str| {
            assert_eq!(broken(text, width, 4, 8), expected, "{width}");
        };
        check("one two three", 17, "one two three");
        check("one two three", 16, "one two\n        three");
        check("one two three", 10, "one\n    two\n    three");
        check("a-long-word-alone", 16, "a-long-word-alone");
        let dimmed = styled(FAINT, "one two three");
        let expected = dimmed.replace(" three", "\n        three");
        assert_eq!(broken(&dimmed, 16, 4, 8), expected);
    }
}

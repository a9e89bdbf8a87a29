//! Workflow commands of GitHub Actions: writes annotations, and neutralizes text that looks like a
//! command.
//!
//! The input may be hostile: a page title that begins with `::error::`, a file name with a line
//! break. No value can end its command or begin another (docs.github.com, "workflow commands").

use std::borrow::Cow;
use std::fmt;

use super::diagnose::Severity;
use site_paths::is_control_or_bidi;

/// GitHub shows this many annotations per level and step, and silently drops the others.
pub const SHOWN_PER_LEVEL: usize = 10;

/// One annotation. [`fmt::Display`] writes the workflow command without a line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation<'t> {
    /// The severity of the problem.
    pub severity: Severity,
    /// The file, relative to the workspace.
    pub file: Option<&'t str>,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The column in characters, counted from 1.
    pub column: Option<usize>,
    /// The title, shown in bold.
    pub title: &'t str,
    /// The problem; may span several lines.
    pub message: &'t str,
    /// The remedy.
    pub hint: Option<&'t str>,
}

impl<'t> Annotation<'t> {
    /// An annotation about the run as a whole.
    pub fn of_run(severity: Severity, message: &'t str, hint: Option<&'t str>) -> Self {
        Self {
            severity,
            file: None,
            line: None,
            column: None,
            title: "waypost",
            message,
            hint,
        }
    }
}

impl fmt::Display for Annotation<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = match self.severity {
            Severity::Note => "notice",
            other => other.word(),
        };
        write!(out, "::{command} ")?;
        if let Some(file) = self.file {
            write!(out, "file={},", escape_property(file))?;
        }
        if let Some(line) = self.line {
            write!(out, "line={line},")?;
        }
        if let Some(column) = self.column {
            write!(out, "col={column},")?;
        }
        write!(
            out,
            "title={}::{}",
            escape_property(self.title),
            escape_data(self.message)
        )?;
        self.hint
            .map_or(Ok(()), |hint| write!(out, "%0Ahint: {}", escape_data(hint)))
    }
}

/// Escapes the part after the second `::`. Control characters are shown as code points, because
/// logs are read on terminals too.
fn escape_data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            _ if is_control_or_bidi(character) => out.extend(character.escape_unicode()),
            _ => out.push(character),
        }
    }
    separate_hashes(&out).into_owned()
}

/// Escapes the value of a property, which a comma or a colon would end.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Changes text so that no CI runner finds a command in it, because any output may reach a log.
///
/// A line that begins with `::`, indented or not, is a command; so are `##[…]` and Azure's
/// `##vso[…]` anywhere in a line.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive(['\n', '\r']) {
        // Colours may be stripped on the way to the log.
        if line.contains("::")
            && anstream::adapter::strip_str(line)
                .to_string()
                .trim_start()
                .starts_with("::")
        {
            out.push('|');
        }
        out.push_str(&separate_hashes(line));
    }
    out
}

/// Separates consecutive `#` with spaces.
fn separate_hashes(text: &str) -> Cow<'_, str> {
    if !text.contains("##") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if character == '#' && out.ends_with('#') {
            out.push(' ');
        }
        out.push(character);
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_of_an_annotation_begins_a_command_or_ends_its_own_command() {
        let hostile = "::error::a\r\n::set-output name=x::100%\u{1b}[2J\u{202e}##[error]";
        let annotation = Annotation {
            severity: Severity::Warning,
            file: Some("content/a,line=9::b.md"),
            line: Some(1),
            column: Some(2),
            title: "noindex: x",
            message: hostile,
            hint: Some("100%\nmore"),
        };
        let expected = "::warning file=content/a%2Cline=9%3A%3Ab.md,line=1,col=2,title=noindex%3A x::\
                        ::error::a%0D%0A::set-output name=x::100%25\\u{1b}[2J\\u{202e}# #[error]\
                        %0Ahint: 100%25%0Amore";
        assert_eq!(annotation.to_string(), expected);
    }

    #[test]
    fn no_line_of_harmless_text_is_a_command() {
        let check = |text: &str, expected: &str| assert_eq!(harmless(text), expected);
        check("a\n  ::error::b\n", "a\n|  ::error::b\n");
        check(
            "\u{1b}[2m ::error::b\u{1b}[0m",
            "|\u{1b}[2m ::error::b\u{1b}[0m",
        );
        check("x ##[set-output name=a;]b", "x # #[set-output name=a;]b");
        check(
            "###vso[task.setvariable variable=a]b",
            "# # #vso[task.setvariable variable=a]b",
        );
        check("a#b # c", "a#b # c");
        check("a\r::error::b\r\n", "a\r|::error::b\r\n");
        check("https://example.com/::a", "https://example.com/::a");
    }
}

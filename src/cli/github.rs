//! Workflow commands of GitHub Actions: writes annotations, and neutralizes text that looks like a
//! command.
//!
//! The input may be hostile: a page title that begins with `::error::`, a file name with a line
//! break. No value can end its command or begin another (docs.github.com, "workflow commands").

use std::borrow::Cow;

use super::diagnose::Diagnostic;
use crate::findings::Level;
use sitemaps::site_paths::is_control_or_bidi;

/// GitHub shows this many annotations per level and step, and silently drops the others.
pub const SHOWN_PER_LEVEL: usize = 10;

/// Formats the workflow command for a problem, with a line break. Its file is relative to the
/// workspace; the line is counted from 1.
pub fn annotation(diagnostic: &Diagnostic<'_>, line: Option<usize>) -> String {
    let command = match diagnostic.level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Note | Level::Allow => "notice",
    };
    let mut out = format!("::{command} ");
    if let Some(path) = &diagnostic.path {
        out.extend(["file=", &escape_property(path), ","]);
    }
    if let Some(line) = line {
        out.extend(["line=", &line.to_string(), ","]);
    }
    let title = escape_property(diagnostic.code.unwrap_or("waypost"));
    let message = escape_data(&diagnostic.message);
    let hint = diagnostic.hint.map_or_else(String::new, |hint| {
        format!("%0Ahint: {}", escape_data(hint))
    });
    format!("{out}title={title}::{message}{hint}\n")
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
        let diagnostic = Diagnostic {
            level: Level::Warn,
            code: Some("noindex: x"),
            message: hostile.into(),
            path: Some("content/a,line=9::b.md".into()),
            hint: Some("100%\nmore"),
            excerpt: None,
        };
        let expected = "::warning file=content/a%2Cline=9%3A%3Ab.md,line=1,title=noindex%3A x::\
                        ::error::a%0D%0A::set-output name=x::100%25\\u{1b}[2J\\u{202e}# #[error]\
                        %0Ahint: 100%25%0Amore\n";
        assert_eq!(annotation(&diagnostic, Some(1)), expected);
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

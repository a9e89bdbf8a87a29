//! Text from untrusted sources in messages, and control and bidi characters in it that can manipulate a
//! terminal or the order in which text is shown.
//!
//! File names and page content may contain any of them, and must not deceive the reader of a log
//! (Unicode Technical Report 36, section 2.4; CVE-2021-42574 for the bidi characters).

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Whether a character is a C0 or C1 control, a line or paragraph separator, or a bidirectional
/// mark, embedding, override or isolate.
pub fn is_control_or_bidi(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Formats a path for display: without a leading `./`, and with control characters escaped.
pub fn display_path(path: &Path) -> String {
    let below = path.strip_prefix("./").unwrap_or(path);
    if below.as_os_str().is_empty() {
        ".".to_owned()
    } else {
        escaped(&below.to_string_lossy()).into_owned()
    }
}

/// Replaces such characters by their escape codes.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control_or_bidi) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control_or_bidi(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out.into()
}

/// Escapes such characters in a JSON text, and the `##` that begins a command in the log of a CI
/// service. The JSON value stays the same, and so do line ends between values.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let is_unwanted = |character: char| is_control_or_bidi(character) && character != '\n';
    if !json.contains(is_unwanted) && !json.contains("##") {
        return json.into();
    }
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if is_unwanted(character) || character == '#' && out.ends_with('#') {
            // Raw ones occur only in JSON strings, where an escape means the same. All are below
            // U+10000.
            write!(out, "\\u{:04x}", u32::from(character))
                .expect("writing to a string does not fail");
        } else {
            out.push(character);
        }
    }
    out.into()
}

/// The maximum number of characters to quote.
const LONGEST_QUOTED: usize = 160;

/// Escapes untrusted text for use in a message and truncates it if it is long, because the place
/// shows all of it. Quotation marks are not escaped, because messages quote in backticks.
pub fn quoted(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(LONGEST_QUOTED)
        .map_or(text.len(), |(end, _)| end);
    let (beginning, more) = (&text[..end], if end < text.len() { "…" } else { "" });
    let shown = beginning
        .escape_debug()
        .to_string()
        .replace("\\\"", "\"")
        .replace("\\'", "'");
    format!("{shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let shown =
            escaped("a\u{1b}[31m\u{9b}\u{61c}\u{200e}\u{2028}\u{202e}\u{2066}\r\n\tü\u{feff}😀");
        let expected =
            "a\\u{1b}[31m\\u{9b}\\u{61c}\\u{200e}\\u{2028}\\u{202e}\\u{2066}\\r\\n\\tü\u{feff}😀";
        assert_eq!(shown, expected);
    }

    #[test]
    fn json_keeps_its_value_without_control_characters() {
        let hostile = "a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}b\u{2066}\r\n\tü\u{feff}😀##[a]###vso[b]";
        let json = serde_json::to_string_pretty(&[hostile]).expect("strings are valid JSON");
        let shown = escape_json(&json);
        assert!(
            !shown.contains(|character| is_control_or_bidi(character) && character != '\n'),
            "{shown:?}"
        );
        assert!(!shown.contains("##"), "{shown:?}");
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&shown).expect("the escaped text is JSON"),
            [hostile]
        );
    }

    #[test]
    fn control_characters_are_escaped_and_quotation_marks_are_not() {
        let link = "<https://example.com/a>; rel=\"canonical\"";
        assert_eq!(quoted(link), link);
        assert_eq!(quoted("it's\u{1b}[2J\n"), "it's\\u{1b}[2J\\n");
        assert_eq!(quoted(&"é".repeat(161)), format!("{}…", "é".repeat(160)));
    }
}

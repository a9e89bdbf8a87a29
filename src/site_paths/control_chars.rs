//! Characters that do something to a terminal, or to the order in which text is shown, instead of standing for themselves.
//!
//! Names of files and words of pages may hold any; nobody who reads a log is to be deceived by one (Unicode Technical
//! Report 36, section 2.4; CVE-2021-42574 for the second kind).

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character is a control of C0 or C1, a separator of lines or paragraphs, or one of the bidirectional marks,
/// embeddings, overrides and isolates.
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in which such characters are shown by their codes.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if steers(character) {
            out.extend(character.escape_default())
        } else {
            out.push(character)
        }
    }
    out.into()
}

/// A JSON text that says the same without such characters, and without the `##` with which commands begin that a pipeline
/// looks for in its log; line ends between its values stay.
pub fn harmless_json(json: &str) -> Cow<'_, str> {
    let is_unwanted = |character: char| steers(character) && character != '\n';
    if !json.contains(is_unwanted) && !json.contains("##") {
        return json.into();
    }
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if is_unwanted(character) || character == '#' && out.ends_with('#') {
            // JSON has raw ones in strings alone, and there an escape means the same. All are below U+10000.
            write!(out, "\\u{:04x}", u32::from(character)).expect("text takes any text");
        } else {
            out.push(character);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_shown_by_its_code() {
        let shown =
            escaped("a\u{1b}[31m\u{9b}\u{61c}\u{200e}\u{2028}\u{202e}\u{2066}\r\n\tü\u{feff}😀");
        let expected =
            "a\\u{1b}[31m\\u{9b}\\u{61c}\\u{200e}\\u{2028}\\u{202e}\\u{2066}\\r\\n\\tü\u{feff}😀";
        assert_eq!(shown, expected);
    }

    #[test]
    fn json_says_the_same_without_what_steers() {
        let hostile = "a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}b\u{2066}\r\n\tü\u{feff}😀##[a]###vso[b]";
        let json = serde_json::to_string_pretty(&[hostile]).expect("a text is JSON");
        let shown = harmless_json(&json);
        assert!(
            !shown.contains(|character| steers(character) && character != '\n'),
            "{shown:?}"
        );
        assert!(!shown.contains("##"), "{shown:?}");
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&shown).expect("JSON"),
            [hostile]
        );
    }
}

//! Matches texts against patterns in which `*` and `?` are the only wildcards.
//!
//! Brackets are literal, because the names of bots end in `[bot]`. Case is ignored.

use regex::Regex;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct TextPattern(Regex);

impl TextPattern {
    pub(super) fn new(pattern: &str) -> Self {
        let literal = regex::escape(&pattern.to_lowercase());
        let wild = literal.replace(r"\*", ".*").replace(r"\?", ".");
        let compiled = Regex::new(&format!("^(?s:{wild})$"));
        Self(compiled.expect("its other characters are escaped"))
    }

    /// Whether the pattern matches a whole text.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.0.is_match(&text.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_asterisk_and_question_mark_are_wildcards() {
        let check = |pattern: &str, text: &str, expected: bool| {
            let matches = TextPattern::new(pattern).matches(text);
            assert_eq!(matches, expected, "{pattern} {text}");
        };
        check("renovate[bot] *", "Renovate[bot] <r@example.com>", true);
        check("renovate[bot] *", "renovateb <r@example.com>", false);
        check("*<*@EXAMPLE.com>", "A <a@example.com>", true);
        check("style: *", "style: run prettier", true);
        check("style: *", "restyle: run prettier", false);
        check("*prettier*", "style: run prettier", true);
        check("a?c", "a\u{fc}c", true);
        check("a?c", "ac", false);
        check("\u{c4}*", "\u{e4}ndern", true);
        check("*", "", true);
        check("", "", true);
        check("", "a", false);
        check("*a*ab", "xaaab", true);
        check("*a*ab", "xaaaba", false);
    }
}

//! Matches texts against patterns in which `*` and `?` are the only wildcards.
//!
//! Brackets are literal, because the names of bots end in `[bot]`. Case is ignored.

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct TextPattern(Vec<PatternPart>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternPart {
    Char(char),
    AnyChar,
    AnyText,
}

impl TextPattern {
    pub(super) fn new(pattern: &str) -> Self {
        let part = |char| match char {
            '*' => PatternPart::AnyText,
            '?' => PatternPart::AnyChar,
            char => PatternPart::Char(char),
        };
        Self(fold(pattern).into_iter().map(part).collect())
    }

    /// Whether the pattern matches a whole text.
    pub(super) fn matches(&self, text: &str) -> bool {
        let (pattern, text) = (&self.0, fold(text));
        let (mut at, mut from) = (0, 0);
        // The last `*`, and the text that it does not cover; only the last one needs to be retried.
        let mut last_star: Option<(usize, usize)> = None;
        while from < text.len() {
            match pattern.get(at) {
                Some(PatternPart::AnyText) => {
                    last_star = Some((at, from));
                    at += 1;
                }
                Some(PatternPart::AnyChar) => (at, from) = (at + 1, from + 1),
                Some(PatternPart::Char(char)) if *char == text[from] => {
                    (at, from) = (at + 1, from + 1);
                }
                _ => {
                    let Some((star, covered)) = last_star else {
                        return false;
                    };
                    last_star = Some((star, covered + 1));
                    (at, from) = (star + 1, covered + 1);
                }
            }
        }
        pattern[at..]
            .iter()
            .all(|left| *left == PatternPart::AnyText)
    }
}

fn fold(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
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

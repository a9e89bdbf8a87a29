//! Pairs the brackets among the tokens of a program that contains settings.

use page_signals::script_tokens::{ScriptLanguage, ScriptTokenKind, ScriptTokens};

/// A token, with the other end of its brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct BracketedToken<'t> {
    /// The kind of the token. Strings with escapes are `Computed`, and plain templates `Text`.
    pub kind: ScriptTokenKind<'t>,
    /// Number of characters before it in its line; `None` if it is not the first token in the line.
    pub indent: Option<usize>,
    /// Number of brackets open around it.
    pub depth: usize,
    /// For an opening bracket, the index of its closing one, or the number of tokens if it is never
    /// closed. For any other token, its own index.
    pub end: usize,
}

/// Tokenizes a program.
pub(super) fn bracketed_tokens(program: &str, language: ScriptLanguage) -> Vec<BracketedToken<'_>> {
    let mut tokens: Vec<BracketedToken<'_>> = Vec::new();
    let mut open = Vec::new();
    for (at, token) in ScriptTokens::new(program, language).enumerate() {
        match token.kind {
            ScriptTokenKind::Sign("(" | "[" | "{" | "${") => open.push(at),
            ScriptTokenKind::Sign(")" | "]" | "}") => {
                if let Some(opened) = open.pop() {
                    tokens[opened].end = at;
                }
            }
            _ => {}
        }
        tokens.push(BracketedToken {
            kind: match token.kind {
                ScriptTokenKind::Template(text) => ScriptTokenKind::Text(text),
                ScriptTokenKind::Escaped(_) => ScriptTokenKind::Computed,
                kind => kind,
            },
            indent: token.indent,
            depth: token.depth,
            end: at,
        });
    }
    let all = tokens.len();
    for opened in open {
        tokens[opened].end = all;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_bracket_has_the_index_of_its_closing_one() {
        let read = bracketed_tokens("a({ b: [c] });\n  d({", ScriptLanguage::JavaScript);
        let ends: Vec<_> = read
            .iter()
            .enumerate()
            .filter(|(at, token)| token.end != *at)
            .collect();
        let ends: Vec<_> = ends
            .into_iter()
            .map(|(at, token)| (at, token.end, token.depth))
            .collect();
        assert_eq!(
            ends,
            [(1, 9, 0), (2, 8, 1), (5, 7, 2), (12, 14, 0), (13, 14, 1)]
        );
    }

    #[test]
    fn a_plain_template_is_a_text_and_a_string_with_escapes_is_not_read() {
        let read = bracketed_tokens("`a` 'b\\n'", ScriptLanguage::JavaScript);
        let kinds: Vec<_> = read.iter().map(|token| token.kind).collect();
        assert_eq!(
            kinds,
            [ScriptTokenKind::Text("a"), ScriptTokenKind::Computed]
        );
    }
}

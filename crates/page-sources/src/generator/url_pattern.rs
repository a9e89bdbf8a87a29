//! URL patterns with tokens of the form `:name`, as in Hugo and Jekyll.

use std::sync::LazyLock;

use regex::Regex;

/// A colon that is not one of a token, or a token with the brackets after it.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\:|:([A-Za-z0-9_]+(?:\[[^\]]*\])?)").expect("a regular expression")
});

/// Replaces every token of a pattern with its text, and `\:` with a colon. Returns `None` if a token has
/// no text.
pub(super) fn filled(pattern: &str, text_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    replaced(pattern, &TOKEN, text_of)
}

/// Replaces every token of a pattern, as an expression finds them.
pub(super) fn replaced(
    pattern: &str,
    tokens: &Regex,
    text_of: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut filled = String::new();
    let mut end = 0;
    for found in tokens.captures_iter(pattern) {
        let whole = found.get_match();
        filled += &pattern[end..whole.start()];
        end = whole.end();
        match found.get(1) {
            Some(token) => filled += &text_of(token.as_str())?,
            None => filled.push(':'),
        }
    }
    Some(filled + &pattern[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_replaced() {
        let check = |pattern: &str, expected: Option<&str>| {
            let filled = filled(pattern, |name| (name == "slug").then(|| "x".to_owned()));
            assert_eq!(filled.as_deref(), expected, "{pattern}");
        };
        check("/a/:slug.html", Some("/a/x.html"));
        check(":slug:slug", Some("xx"));
        check("/:slug[1:last]/", None);
        check("/a: b/", Some("/a: b/"));
        check("/a\\:slug/", Some("/a:slug/"));
        check("/:other/", None);
        check("", Some(""));
    }
}

//! URL patterns with tokens of the form `:name`, as in Hugo and Jekyll.

use std::sync::LazyLock;

use regex::Regex;

/// A colon that is not one of a token, or a token's name and the text in brackets after it.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\:|:([A-Za-z0-9_]+)(?:\[([^\]]*)\])?").expect("a regular expression")
});

/// Replaces every token of a pattern with its text, and `\:` with a colon. Returns `None` if a token has
/// no text.
pub(super) fn filled(
    pattern: &str,
    text_of: impl Fn(&str, Option<&str>) -> Option<String>,
) -> Option<String> {
    replaced(pattern, &TOKEN, text_of)
}

/// Replaces every token of a pattern, as an expression finds them.
pub(super) fn replaced(
    pattern: &str,
    tokens: &Regex,
    text_of: impl Fn(&str, Option<&str>) -> Option<String>,
) -> Option<String> {
    let mut filled = String::new();
    let mut end = 0;
    for found in tokens.captures_iter(pattern) {
        let whole = found.get_match();
        filled += &pattern[end..whole.start()];
        end = whole.end();
        match found.get(1) {
            Some(token) => {
                let brackets = found.get(2).map(|brackets| brackets.as_str());
                filled += &text_of(token.as_str(), brackets)?;
            }
            None => filled.push(':'),
        }
    }
    Some(filled + &pattern[end..])
}

/// The parts that `[1:last]`, `[0]` or `[last]` selects; the end is exclusive. Never panics.
pub(super) fn slice<'p>(parts: &'p [String], brackets: &str) -> &'p [String] {
    let brackets = brackets.to_ascii_lowercase();
    let place = |text: &str, empty: usize| match text {
        "" => empty,
        "last" => parts.len().saturating_sub(1),
        number => number.parse().unwrap_or(0),
    };
    let (from, to) = match brackets.split_once(':') {
        Some((from, to)) => (place(from, 0), place(to, parts.len())),
        None => (place(&brackets, 0), place(&brackets, 0).saturating_add(1)),
    };
    parts.get(from..to.min(parts.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_replaced() {
        let check = |pattern: &str, expected: Option<&str>| {
            let filled = filled(pattern, |name, brackets| match name {
                "slug" => Some("x".to_owned()),
                "parts" => brackets.map(|brackets| format!("<{brackets}>")),
                _ => None,
            });
            assert_eq!(filled.as_deref(), expected, "{pattern}");
        };
        check("/a/:slug.html", Some("/a/x.html"));
        check(":slug:slug", Some("xx"));
        check("/:parts[1:last]/", Some("/<1:last>/"));
        check("/a: b/", Some("/a: b/"));
        check("/a\\:slug/", Some("/a:slug/"));
        check("/:other/", None);
        check("", Some(""));
    }

    #[test]
    fn brackets_select_parts() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        let check = |brackets: &str, expected: &str| {
            assert_eq!(slice(&parts, brackets).join(""), expected, "{brackets}");
        };
        check("0", "a");
        check("last", "c");
        check("1:", "bc");
        check(":last", "ab");
        check("1:2", "b");
        check("5", "");
        check("2:1", "");
        check(&usize::MAX.to_string(), "");
        check("x:", "abc");
        assert_eq!(slice(&[], "last"), [""; 0]);
    }
}

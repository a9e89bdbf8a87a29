//! URL patterns with tokens of the form `:name`, as in Hugo and Jekyll.

/// A parsed pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlPattern(Vec<UrlPatternPiece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum UrlPatternPiece {
    Text(String),
    /// A token's name, and the text in brackets after it.
    Token(String, Option<String>),
}

impl UrlPattern {
    /// Parses a pattern. A token is a colon followed by letters, digits or underscores; `\:` is a
    /// colon.
    pub(super) fn parse(text: &str) -> Self {
        let mut pieces = vec![];
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(':') {
            let (before, after) = (&rest[..at], &rest[at + 1..]);
            let name_end = after
                .find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
            let name = &after[..name_end.unwrap_or(after.len())];
            if let Some(before) = before.strip_suffix('\\') {
                plain.push_str(before);
                plain.push(':');
                rest = after;
            } else if name.is_empty() {
                plain.push_str(&rest[..=at]);
                rest = after;
            } else {
                plain.push_str(before);
                pieces.push(UrlPatternPiece::Text(std::mem::take(&mut plain)));
                rest = &after[name.len()..];
                let brackets = rest
                    .strip_prefix('[')
                    .and_then(|inner| inner.split_once(']'));
                if let Some((_, behind)) = brackets {
                    rest = behind;
                }
                pieces.push(UrlPatternPiece::Token(
                    name.to_owned(),
                    brackets.map(|(inner, _)| inner.to_owned()),
                ));
            }
        }
        plain.push_str(rest);
        pieces.push(UrlPatternPiece::Text(plain));
        pieces.retain(|piece| *piece != UrlPatternPiece::Text(String::new()));
        Self(pieces)
    }

    /// Replaces every token with its text. Returns `None` if one of them has none.
    pub(super) fn fill(
        &self,
        text_of: impl Fn(&str, Option<&str>) -> Option<String>,
    ) -> Option<String> {
        let texts = self.0.iter().map(|piece| match piece {
            UrlPatternPiece::Text(text) => Some(text.clone()),
            UrlPatternPiece::Token(name, brackets) => text_of(name, brackets.as_deref()),
        });
        texts.collect()
    }
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
            let filled = UrlPattern::parse(pattern).fill(|name, brackets| match name {
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

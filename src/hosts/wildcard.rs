//! Matches byte patterns with wildcards. Each pattern piece takes time linear in the text.

/// A piece of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WildcardPiece {
    /// Exactly these bytes.
    Literal(Box<[u8]>),
    /// One or more bytes other than this separator: `:name`.
    Part(u8),
    /// Any bytes, including none: `*`.
    Rest,
}

/// Splits a pattern at `*` and `:name`. A named part ends at `separator`. Literals are
/// percent-decoded.
pub(super) fn pieces_of(text: &str, separator: u8) -> Vec<WildcardPiece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['*', ':']) {
        let (before, from) = rest.split_at(at);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let name = from.bytes().skip(1).take_while(is_name).count();
        if let Some(after) = from.strip_prefix('*') {
            push_literal(&mut pieces, before);
            pieces.push(WildcardPiece::Rest);
            rest = after;
        } else if name > 0 && from.as_bytes()[1].is_ascii_alphabetic() {
            push_literal(&mut pieces, before);
            pieces.push(WildcardPiece::Part(separator));
            rest = &from[1 + name..];
        } else {
            // A colon without a name is a literal.
            push_literal(&mut pieces, &rest[..=at]);
            rest = &from[1..];
        }
    }
    push_literal(&mut pieces, rest);
    pieces
}

fn push_literal(pieces: &mut Vec<WildcardPiece>, text: &str) {
    if text.is_empty() {
        return;
    }
    let decoded = site_paths::decode(text);
    match pieces.last_mut() {
        Some(WildcardPiece::Literal(before)) => {
            *before = [before, decoded.as_ref()].concat().into();
        }
        _ => pieces.push(WildcardPiece::Literal(decoded.into_owned().into())),
    }
}

/// Whether the pieces match the whole text.
pub(super) fn matches(pieces: &[WildcardPiece], text: &[u8]) -> bool {
    // All positions where the pieces so far can end, in ascending order.
    let mut ends = vec![0];
    for piece in pieces {
        ends = match piece {
            WildcardPiece::Literal(literal) => {
                let next = ends
                    .iter()
                    .filter(|&&at| text[at..].starts_with(literal))
                    .map(|&at| at + literal.len());
                next.collect()
            }
            WildcardPiece::Part(separator) => after_part(&ends, text, *separator),
            WildcardPiece::Rest => ends
                .first()
                .map_or_else(Vec::new, |&first| (first..=text.len()).collect()),
        };
        if ends.is_empty() {
            return false;
        }
    }
    ends.last() == Some(&text.len())
}

fn after_part(ends: &[usize], text: &[u8], separator: u8) -> Vec<usize> {
    let mut next: Vec<usize> = Vec::new();
    for &end in ends {
        // Skip the positions that an earlier end already reached.
        let from = next.last().map_or(end + 1, |&last| last.max(end) + 1);
        if next
            .last()
            .is_some_and(|&last| last > end && text.get(last) == Some(&separator))
        {
            continue;
        }
        let reached = (from..=text.len()).take_while(|&at| text[at - 1] != separator && at > end);
        next.extend(reached);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pattern_matches_whole_paths() {
        let check = |pattern: &str, path: &str, expected: bool| {
            assert_eq!(
                matches(&pieces_of(pattern, b'/'), path.as_bytes()),
                expected,
                "{pattern} on {path}"
            );
        };
        check("/*", "/", true);
        check("/*", "/a/b", true);
        check("/blog/*", "/blog/a/b", true);
        check("/blog/*", "/blog", false);
        check("/blog/:slug", "/blog/a", true);
        check("/blog/:slug", "/blog/a/b", false);
        check("/blog/:slug", "/blog/", false);
        check("/:year/:month/*", "/2024/05/x", true);
        check("/*/draft", "/a/b/draft", true);
        check("/*.html", "/a/b.html", true);
        check("/a:1", "/a:1", true);
        check("/caf%C3%A9/*", "/caf\u{e9}/x", true);
        check("/:a-:b", "/x-y-z", true);
        check("/:a-:b", "/x-", false);
    }

    proptest! {
        /// The regex crate is the oracle.
        #[test]
        fn pieces_match_like_the_equivalent_regular_expression(
            pattern in "[/ab*]{0,6}(:n)?[/ab*]{0,4}(:n)?[/b]{0,3}", path in "[/ab]{0,12}",
        ) {
            let pieces = pieces_of(&pattern, b'/');
            let source: String = pieces.iter().map(|piece| match piece {
                WildcardPiece::Literal(literal) => regex::escape(&String::from_utf8_lossy(literal)),
                WildcardPiece::Part(_) => "[^/]+".to_owned(),
                WildcardPiece::Rest => ".*".to_owned(),
            }).collect();
            let expression = regex::Regex::new(&format!("^(?:{source})$")).expect("a valid regex");
            prop_assert_eq!(
                matches(&pieces, path.as_bytes()),
                expression.is_match(&path),
                "{} {}", pattern, path
            );
        }
    }
}

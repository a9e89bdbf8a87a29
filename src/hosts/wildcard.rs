//! Matches byte patterns with wildcards. Each pattern piece takes time linear in the text.

/// A piece of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WildcardPiece {
    /// Exactly these bytes.
    Literal(Box<[u8]>),
    /// One or more bytes other than this separator: `:name`.
    Part(u8),
    /// Any bytes, including none.
    Rest,
    /// Any number of path segments, each after its slash.
    Segments,
    /// Any number of path segments that are not empty, each after its slash: `/:name*`.
    Parts,
}

/// Joins adjacent literals.
pub(super) fn joined(pieces: Vec<WildcardPiece>) -> Vec<WildcardPiece> {
    let mut joined: Vec<WildcardPiece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(WildcardPiece::Literal(before)), WildcardPiece::Literal(after)) => {
                *before = [before.as_ref(), after.as_ref()].concat().into();
            }
            (_, piece) => joined.push(piece),
        }
    }
    joined.retain(|piece| !matches!(piece, WildcardPiece::Literal(text) if text.is_empty()));
    joined
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
            WildcardPiece::Segments => after_segments(&ends, text),
            WildcardPiece::Parts => after_parts(&ends, text),
        };
        if ends.is_empty() {
            return false;
        }
    }
    ends.last() == Some(&text.len())
}

/// The ends themselves, and every position after the first end that a slash follows.
fn after_segments(ends: &[usize], text: &[u8]) -> Vec<usize> {
    let first_slash = ends.iter().find(|&&end| text.get(end) == Some(&b'/'));
    let mut next: Vec<usize> = first_slash
        .map(|&slash| (slash + 1..=text.len()).collect())
        .unwrap_or_default();
    next.extend(ends);
    next.sort_unstable();
    next.dedup();
    next
}

/// The ends themselves, and every position after them that a segment can end at.
fn after_parts(ends: &[usize], text: &[u8]) -> Vec<usize> {
    let mut next = Vec::new();
    let mut is_in_segment = false;
    for at in 0..=text.len() {
        let is_end = ends.binary_search(&at).is_ok();
        let is_reached = is_end || (is_in_segment && text[at - 1] != b'/');
        next.extend(is_reached.then_some(at));
        if text.get(at) == Some(&b'/') {
            is_in_segment = is_reached;
        }
    }
    next
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

    fn piece(code: char) -> WildcardPiece {
        match code {
            ':' => WildcardPiece::Part(b'/'),
            '*' => WildcardPiece::Rest,
            '%' => WildcardPiece::Segments,
            '+' => WildcardPiece::Parts,
            other => WildcardPiece::Literal(other.to_string().into_bytes().into()),
        }
    }

    proptest! {
        /// The regex crate is the oracle.
        #[test]
        fn pieces_match_like_the_equivalent_regular_expression(
            pattern in "[/ab*%+]{0,6}:?[/ab*%+]{0,4}:?[/b]{0,3}", path in "[/ab]{0,12}",
        ) {
            let pieces = joined(pattern.chars().map(piece).collect());
            let source: String = pieces.iter().map(|piece| match piece {
                WildcardPiece::Literal(literal) => regex::escape(&String::from_utf8_lossy(literal)),
                WildcardPiece::Part(_) => "[^/]+".to_owned(),
                WildcardPiece::Rest => ".*".to_owned(),
                WildcardPiece::Segments => "(?:/.*)?".to_owned(),
                WildcardPiece::Parts => "(?:/[^/]+)*".to_owned(),
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

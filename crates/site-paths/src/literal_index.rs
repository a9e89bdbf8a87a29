//! Finds the globs whose literal text a path contains, in one pass over the path.

use aho_corasick::AhoCorasick;

/// The positions of globs by the longest literal text that every match contains.
#[derive(Debug)]
pub(crate) struct LiteralIndex {
    literals: AhoCorasick,
    /// The glob of each literal text.
    globs: Vec<usize>,
    /// Globs without literal text.
    others: Vec<usize>,
}

impl LiteralIndex {
    /// Indexes globs by the literal text of each.
    pub(crate) fn new<'g>(literals: impl Iterator<Item = &'g str>) -> Self {
        let literals = literals.enumerate();
        let (others, literals): (Vec<_>, Vec<_>) =
            literals.partition(|(_, literal)| literal.is_empty());
        Self {
            literals: AhoCorasick::new(literals.iter().map(|(_, literal)| literal))
                .expect("the globs of a file of limited size make a small automaton"),
            globs: literals.into_iter().map(|(glob, _)| glob).collect(),
            others: others.into_iter().map(|(glob, _)| glob).collect(),
        }
    }

    /// The positions of the globs that may match a path, in no particular order. A glob can occur
    /// more than once.
    pub(crate) fn candidates(&self, path: &[u8]) -> impl Iterator<Item = usize> {
        let found = self.literals.find_overlapping_iter(path);
        let found = found.map(|found| self.globs[found.pattern().as_usize()]);
        found.chain(self.others.iter().copied())
    }
}

/// The longest text that every match of a glob contains. What follows a class, an alternative or an
/// escape does not count.
pub(crate) fn longest_literal(glob: &str) -> &str {
    let simple = glob.find(['[', '{', '\\']).map_or(glob, |at| &glob[..at]);
    let mut pieces = simple.split(['*', '?']);
    let first = pieces.next().unwrap_or_default();
    // `**/` also matches the empty string, without a slash.
    let others = pieces.map(|piece| piece.strip_prefix('/').unwrap_or(piece));
    others.fold(first, |longest, piece| {
        if piece.len() > longest.len() {
            piece
        } else {
            longest
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_of_a_glob_is_in_every_match() {
        let check = |glob: &str, expected: &str| {
            assert_eq!(longest_literal(glob), expected, "{glob}");
        };
        check("blog/a.html", "blog/a.html");
        check("blog/**", "blog/");
        check("**/post-1/*", "post-1/");
        check("a/**/index.html", "index.html");
        check("**/*.{html,htm}", ".");
        check(r"a\*long*", "a");
        check("[ab]long", "");
        check("**", "");
    }
}

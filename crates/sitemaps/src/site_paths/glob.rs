//! Globs that match paths. Only this file uses globset.
//!
//! `*` and `?` match within a path segment, `**` matches across segments, `{a,b}` matches
//! alternatives, `[ab]` is a class, `\` escapes. Paths are matched as bytes because file names need
//! not be UTF-8, so `?` and a class match one byte.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::glob_captures::GlobCaptures;

/// A validated glob.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct GlobPattern {
    text: String,
    glob: globset::Glob,
}

/// Error for an invalid glob.
#[derive(Debug, Error)]
#[error("`{pattern}` is not a valid glob: {why}")]
pub struct PatternError {
    pattern: String,
    why: String,
}

/// The maximum length of a glob in bytes. It also limits the nesting of braces, which could
/// otherwise exhaust the stack.
const MAX_LENGTH: usize = 1000;

impl GlobPattern {
    /// Parses a glob. A leading `/` is removed: `/blog/**` and `blog/**` are equivalent, and `/` is
    /// the home page.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let relative = text.strip_prefix('/').unwrap_or(text);
        let error = |why: String| PatternError {
            pattern: text.to_owned(),
            why,
        };
        if relative.len() > MAX_LENGTH {
            return Err(error(format!("it is longer than {MAX_LENGTH} bytes")));
        }
        globset::GlobBuilder::new(relative)
            .literal_separator(true)
            .backslash_escape(true)
            .empty_alternates(true)
            .build()
            .and_then(|glob| {
                // Only nested braces make a glob of this length too large to compile.
                if relative.contains('{') {
                    globset::GlobSet::new([&glob])?;
                }
                Ok(glob)
            })
            .map(|glob| Self {
                text: text.to_owned(),
                glob,
            })
            .map_err(|why| error(why.kind().to_string()))
    }

    /// The glob as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number of wildcards, which is the highest `n` that a source may use as `{n}`.
    ///
    /// Each `*`, `**`, `?`, `[…]` and `{…}` counts as one, in the order in which they begin.
    pub fn wildcards(&self) -> usize {
        GlobCaptures::count(self.glob.regex())
    }

    /// Captures what each wildcard matches.
    pub fn captures(&self) -> GlobCaptures {
        GlobCaptures::new(self.glob.regex())
    }
}

/// Paths in the output never begin with `./`.
impl TryFrom<String> for GlobPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(text.strip_prefix("./").unwrap_or(&text))
            .map_err(|error| format!("is invalid: {error}"))
    }
}

impl From<GlobPattern> for String {
    fn from(pattern: GlobPattern) -> Self {
        pattern.text
    }
}

/// A set of globs.
#[derive(Debug)]
pub struct PatternSet {
    /// The compiled globs, each with the position of its first one.
    sets: Vec<(usize, globset::GlobSet)>,
}

impl PatternSet {
    /// Collects globs into a set.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p GlobPattern>) -> Self {
        let globs: Vec<_> = patterns.map(|pattern| &pattern.glob).collect();
        let mut sets = Vec::new();
        compile(0, &globs, &mut sets);
        Self { sets }
    }

    /// Parses globs.
    pub fn parse<'t>(globs: impl Iterator<Item = &'t String>) -> Result<Self, PatternError> {
        let patterns: Vec<GlobPattern> = globs
            .map(|glob| GlobPattern::new(glob))
            .collect::<Result<_, _>>()?;
        Ok(Self::new(patterns.iter()))
    }

    /// Whether any of them matches a path.
    pub fn matches(&self, path: &[u8]) -> bool {
        let path = globset::Candidate::from_bytes(path);
        self.sets
            .iter()
            .any(|(_, set)| set.is_match_candidate(&path))
    }

    /// Positions of the globs that match a path, in order.
    pub fn matching(&self, path: &[u8]) -> Vec<usize> {
        let path = globset::Candidate::from_bytes(path);
        let mut positions = Vec::new();
        for (first, set) in &self.sets {
            let matching = set.matches_candidate(&path);
            positions.extend(matching.into_iter().map(|position| first + position));
        }
        positions
    }
}

/// Compiles globs into one set, or into several if one would be too large.
fn compile(first: usize, globs: &[&globset::Glob], sets: &mut Vec<(usize, globset::GlobSet)>) {
    match globset::GlobSet::new(globs) {
        Ok(set) => sets.push((first, set)),
        Err(error) => {
            assert!(globs.len() > 1, "a checked glob compiles: {error}");
            let (start, end) = globs.split_at(globs.len() / 2);
            compile(first, start, sets);
            compile(first + start.len(), end, sets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_invalid_glob_is_rejected_with_the_reason() {
        let check = |text: &str| {
            let error = GlobPattern::new(text).expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a valid glob: ")),
                "{error}"
            );
        };
        check("blog/[a");
        check("blog/{a,b");
        check("b}");
        check("[z-a]");
        check("a\\");
        check(&"{".repeat(100_000));
        check(&["{".repeat(400), "}".repeat(400)].concat());
    }

    #[test]
    fn an_alternative_may_be_empty() {
        let pattern = GlobPattern::new("*.htm{,l}").expect("a glob");
        let set = PatternSet::new([&pattern].into_iter());
        assert_eq!(
            [&b"a.htm"[..], b"a.html", b"a.htmx"].map(|path| set.matching(path).len()),
            [1, 1, 0]
        );
    }

    #[test]
    fn the_wildcards_of_a_pattern_are_counted() {
        let check = |text: &str, expected| {
            assert_eq!(
                GlobPattern::new(text).expect(text).wildcards(),
                expected,
                "{text}"
            );
        };
        check("blog/a.html", 0);
        check("/blog/**", 1);
        check("**/*.{html,htm}", 3);
        check(r"\*[*]?", 2);
    }

    #[test]
    fn globs_that_are_too_large_for_one_set_are_matched_in_order() {
        let long = "x".repeat(900);
        let globs: Vec<String> = (0..800).map(|n| format!("**/a{n}*/{long}?/**/b")).collect();
        let set = PatternSet::parse(globs.iter()).expect("globs");
        assert!(set.sets.len() > 1);
        let path = |name: &str, end: &str| format!("y/{name}/{long}y/{end}").into_bytes();
        assert_eq!(set.matching(&path("a123", "b")), [1, 12, 123]);
        assert_eq!(set.matching(&path("a799", "c/b")), [7, 79, 799]);
        assert!(!set.matches(&path("a799", "c")));
    }

    proptest! {
        #[test]
        fn any_string_is_a_glob_or_rejected(text: String, path: Vec<u8>) {
            if let Ok(pattern) = GlobPattern::new(&text) {
                PatternSet::new([&pattern].into_iter()).matching(&path);
                pattern.captures().of(&path);
            }
        }
    }
}

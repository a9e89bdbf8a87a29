//! Globs that match paths. Only this file uses globset.
//!
//! `*` and `?` match within a path segment, `**` matches across segments, `{a,b}` matches
//! alternatives, `[ab]` is a class, `\` escapes. Paths are matched as bytes because file names need
//! not be UTF-8, so `?` and a class match one byte.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::glob_captures::GlobCaptures;
use sitemaps::site_paths::LiteralIndex;

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

/// A set of globs. Each is compiled when a path first has its literal.
#[derive(Debug)]
pub struct PatternSet {
    globs: Vec<(globset::Glob, OnceLock<globset::GlobMatcher>)>,
    index: LiteralIndex,
}

impl PatternSet {
    /// Collects globs into a set.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p GlobPattern>) -> Self {
        let globs = patterns.map(|pattern| (pattern.glob.clone(), OnceLock::new()));
        let globs: Vec<_> = globs.collect();
        let literals: Vec<_> = globs
            .iter()
            .map(|(glob, _)| literals_in(glob.glob()))
            .collect();
        let index = LiteralIndex::new(&literals);
        Self { globs, index }
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
        self.iter_matching(path).next().is_some()
    }

    /// Positions of the globs that match a path, in order.
    pub fn matching(&self, path: &[u8]) -> Vec<usize> {
        self.iter_matching(path).collect()
    }

    fn iter_matching(&self, path: &[u8]) -> impl Iterator<Item = usize> {
        let candidate = globset::Candidate::from_bytes(path);
        let positions = self.index.candidates(path).into_iter();
        positions.filter(move |&position| {
            let (glob, matcher) = &self.globs[position];
            let matcher = matcher.get_or_init(|| glob.compile_matcher());
            matcher.is_match_candidate(&candidate)
        })
    }
}

/// The texts that every path has which a glob matches, without the slashes at their ends: `**/` also matches
/// nothing.
fn literals_in(glob: &str) -> Vec<String> {
    let (mut literals, mut literal) = (Vec::new(), String::new());
    let mut open_braces = 0;
    let mut chars = glob.chars();
    while let Some(char) = chars.next() {
        let plain = match char {
            '\\' => chars.next(),
            '[' => {
                // A `]` at the start of a class is one of its characters.
                if matches!(chars.next(), Some('!' | '^')) {
                    chars.next();
                }
                chars.find(|&char| char == ']');
                None
            }
            '{' | '}' => {
                open_braces += if char == '{' { 1 } else { -1 };
                None
            }
            '*' | '?' => None,
            _ => Some(char),
        };
        match plain.filter(|_| open_braces == 0) {
            Some(char) => literal.push(char),
            None => literals.push(std::mem::take(&mut literal)),
        }
    }
    literals.push(literal);
    let trimmed = literals.iter().map(|literal| literal.trim_matches('/'));
    let present = trimmed.filter(|literal| !literal.is_empty());
    present.map(str::to_owned).collect()
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
    fn long_globs_are_matched_in_order() {
        let long = "x".repeat(900);
        let globs: Vec<String> = (0..800).map(|n| format!("**/a{n}*/{long}?/**/b")).collect();
        let set = PatternSet::parse(globs.iter()).expect("globs");
        let path = |name: &str, end: &str| format!("y/{name}/{long}y/{end}").into_bytes();
        assert_eq!(set.matching(&path("a123", "b")), [1, 12, 123]);
        assert_eq!(set.matching(&path("a799", "c/b")), [7, 79, 799]);
        assert!(!set.matches(&path("a799", "c")));
    }

    proptest! {
        /// globset itself is the oracle.
        #[test]
        fn a_set_matches_as_each_glob_alone(
            globs in prop::collection::vec(r"([ab/*?]|\*\*/|/\*\*|\[[ab!\]]{1,3}\]|\{[ab,/*]{0,4}\}|\\\\[*a]){0,6}", 0..16),
            paths in prop::collection::vec("[ab*/]{0,8}", 1..12),
        ) {
            let globs: Vec<_> = globs.iter().filter_map(|glob| GlobPattern::new(glob).ok()).collect();
            let set = PatternSet::new(globs.iter());
            for path in &paths {
                let matches = |glob: &GlobPattern| glob.glob.compile_matcher().is_match(path);
                let expected: Vec<usize> = (0..globs.len()).filter(|&at| matches(&globs[at])).collect();
                prop_assert_eq!(set.matching(path.as_bytes()), expected, "{:?} {}", globs, path);
            }
        }

        #[test]
        fn any_string_is_a_glob_or_rejected(text: String, path: Vec<u8>) {
            if let Ok(pattern) = GlobPattern::new(&text) {
                PatternSet::new([&pattern].into_iter()).matching(&path);
                pattern.captures().of(&path);
            }
        }
    }
}

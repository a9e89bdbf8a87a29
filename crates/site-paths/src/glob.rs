//! Globs that match paths. Only this file uses globset.
//!
//! `*` and `?` match within a path segment, `**` matches across segments, `{a,b}` matches
//! alternatives, `[ab]` is a class, `\` escapes. Paths are matched as bytes because file names need
//! not be UTF-8, so `?` and a class match one byte.

use std::sync::OnceLock;

use memchr::memmem;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::glob_captures::GlobCaptures;
use super::glob_shape::{GlobShape, ShapeMatch};
use super::literal_index::{LiteralIndex, longest_literal};

/// A validated glob.
#[derive(Debug, Clone)]
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
                if may_be_too_deep(relative) {
                    compiled(&glob).map(|_| glob)
                } else {
                    Ok(glob)
                }
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
        GlobCaptures::new(self.glob.glob(), self.glob.regex())
    }
}

impl Serialize for GlobPattern {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.as_str())
    }
}

/// Whether a glob may be nested too deeply to compile; only braces nest.
fn may_be_too_deep(glob: &str) -> bool {
    glob.contains('{')
}

fn compiled(glob: &globset::Glob) -> Result<globset::GlobSet, globset::Error> {
    globset::GlobSet::new([glob.clone()])
}

/// A set of globs. Only those are looked at whose literal text a path contains. A glob with
/// more than one wildcard is compiled on first use; most are never compiled.
#[derive(Debug)]
pub struct PatternSet {
    globs: Vec<LazyGlob>,
    /// `None` for few globs: looking at each takes less time than the index.
    index: Option<LiteralIndex>,
}

/// Maximum number of globs without an index.
const MOST_WITHOUT_INDEX: usize = 16;

#[derive(Debug)]
struct LazyGlob {
    glob: globset::Glob,
    shape: GlobShape,
    /// Text that every match contains.
    literal: String,
    matcher: OnceLock<globset::GlobSet>,
}

impl PatternSet {
    /// Collects globs into a set.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p GlobPattern>) -> Self {
        let globs: Vec<_> = patterns
            .map(|pattern| LazyGlob::new(&pattern.glob))
            .collect();
        let literals = globs.iter().map(|glob| glob.literal.as_str());
        let index = (globs.len() > MOST_WITHOUT_INDEX).then(|| LiteralIndex::new(literals));
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
        self.unordered(path).next().is_some()
    }

    /// Positions of the globs that match a path, in order. Does not allocate if none matches.
    pub fn matching(&self, path: &[u8]) -> Vec<usize> {
        let mut positions: Vec<_> = self.unordered(path).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    fn unordered(&self, path: &[u8]) -> impl Iterator<Item = usize> {
        let indexed = self.index.as_ref().map(|index| index.candidates(path));
        let all = indexed.is_none().then_some(0..self.globs.len());
        let candidates = indexed.into_iter().flatten();
        let candidates = candidates.chain(all.into_iter().flatten());
        candidates.filter(|&position| self.globs[position].matches(path))
    }
}

impl LazyGlob {
    fn new(glob: &globset::Glob) -> Self {
        Self {
            glob: glob.clone(),
            shape: GlobShape::new(glob.glob()),
            literal: longest_literal(glob.glob()).to_owned(),
            matcher: OnceLock::new(),
        }
    }

    fn matches(&self, path: &[u8]) -> bool {
        match self.shape.of(path) {
            ShapeMatch::No => false,
            ShapeMatch::Yes(_) => true,
            ShapeMatch::Undecided => {
                memmem::find(path, self.literal.as_bytes()).is_some()
                    && self
                        .matcher()
                        .is_match_candidate(&globset::Candidate::from_bytes(path))
            }
        }
    }

    fn matcher(&self) -> &globset::GlobSet {
        self.matcher.get_or_init(|| {
            compiled(&self.glob)
                .expect("a glob of limited length compiles unless its braces nest deeply")
        })
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

    proptest! {
        #[test]
        fn globs_match_what_globset_matches(
            globs in prop::collection::vec(
                r"(a|b|/|\*|\*\*/|/\*\*|\?|\[ab\]|\{a,b/\}|\{,\.c\}|\\\*|\.c){0,6}", 0..20,
            ),
            path in r"(a|b|/|\*|\.c){0,6}",
        ) {
            let patterns: Vec<GlobPattern> =
                globs.iter().filter_map(|glob| GlobPattern::new(glob).ok()).collect();
            let globs = patterns.iter().map(|pattern| pattern.glob.clone());
            let oracle = globset::GlobSet::new(globs).expect("globs");
            let set = PatternSet::new(patterns.iter());
            prop_assert_eq!(set.matching(path.as_bytes()), oracle.matches(&path));
            prop_assert_eq!(set.matches(path.as_bytes()), oracle.is_match(&path));
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

//! Globs over paths: the only file that names globset.
//!
//! `*` and `?` stay within a path segment, `**` crosses them, `{a,b}` chooses, `[ab]` is a class, `\` quotes. Paths are
//! matched as bytes, since file names need not be UTF-8; `?` and a class therefore stand for one byte.

use thiserror::Error;

use super::captures::Captures;

/// A glob, checked.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    glob: globset::Glob,
}

/// Why a text is no glob.
#[derive(Debug, Error)]
#[error("`{pattern}` is not a glob: {why}")]
pub struct PatternError {
    pattern: String,
    why: String,
}

/// The longest glob, in bytes: a deeper nesting of braces than it allows could exhaust the stack.
const MAX_LENGTH: usize = 1000;

impl Pattern {
    /// Reads a glob. A leading `/` is dropped: `/blog/**` and `blog/**` are the same, and `/` is the home page.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let relative = text.strip_prefix('/').unwrap_or(text);
        let error = |why: String| PatternError { pattern: text.to_owned(), why };
        if relative.len() > MAX_LENGTH {
            return Err(error(format!("it has more than {MAX_LENGTH} bytes")));
        }
        globset::GlobBuilder::new(relative)
            .literal_separator(true)
            .backslash_escape(true)
            .empty_alternates(true)
            .empty_alternates(true)
            .build()
            .and_then(|glob| globset::GlobSet::new([glob.clone()]).map(|_| glob))
            .map(|glob| Self { text: text.to_owned(), glob })
            .map_err(|why| error(why.kind().to_string()))
    }

    /// The glob as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many wildcards it has, and so the highest `n` that a source may name as `{n}`.
    ///
    /// Each `*`, `**`, `?`, `[…]` and `{…}` is one, in the order in which they begin.
    pub fn wildcards(&self) -> usize {
        Captures::count(self.glob.regex())
    }

    /// Compiles what tells the parts that the wildcards match.
    pub(super) fn captures(&self) -> Result<Captures, PatternError> {
        Captures::new(self.glob.regex())
            .map_err(|error| PatternError { pattern: self.text.clone(), why: error.to_string() })
    }
}

/// Many globs, matched in one pass over a path.
#[derive(Debug)]
pub struct PatternSet(globset::GlobSet);

impl PatternSet {
    /// Compiles the globs; it fails where they are too large together.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Result<Self, PatternError> {
        globset::GlobSet::new(patterns.map(|pattern| pattern.glob.clone())).map(Self).map_err(|error| PatternError {
            pattern: error.glob().unwrap_or("all patterns together").to_owned(),
            why: error.kind().to_string(),
        })
    }

    /// Reads and compiles globs.
    pub fn of_globs<'t>(globs: impl Iterator<Item = &'t String>) -> Result<Self, PatternError> {
        let patterns: Vec<Pattern> = globs.map(|glob| Pattern::new(glob)).collect::<Result<_, _>>()?;
        Self::new(patterns.iter())
    }

    /// Whether any of them matches a path.
    pub fn matches(&self, path: &[u8]) -> bool {
        self.0.is_match_candidate(&globset::Candidate::from_bytes(path))
    }

    /// The globs that match a path, by their position, in order. Where none does, nothing is allocated.
    pub(super) fn matching(&self, path: &[u8]) -> Vec<usize> {
        let mut matching = Vec::new();
        self.0.matches_candidate_into(&globset::Candidate::from_bytes(path), &mut matching);
        matching
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_glob_is_refused_with_the_reason() {
        let check = |text: &str| {
            let error = Pattern::new(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("`{text}` is not a glob: ")), "{error}");
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
        let pattern = Pattern::new("*.htm{,l}").expect("a glob");
        let set = PatternSet::new([&pattern].into_iter()).expect("a set");
        assert_eq!([&b"a.htm"[..], b"a.html", b"a.htmx"].map(|path| set.matching(path).len()), [1, 1, 0]);
    }

    #[test]
    fn the_wildcards_of_a_pattern_are_counted() {
        let check = |text: &str, expected| assert_eq!(Pattern::new(text).expect(text).wildcards(), expected, "{text}");
        check("blog/a.html", 0);
        check("/blog/**", 1);
        check("**/*.{html,htm}", 3);
        check(r"\*[*]?", 2);
    }

    proptest! {
        #[test]
        fn any_text_is_a_glob_or_refused(text: String, path: Vec<u8>) {
            if let Ok(pattern) = Pattern::new(&text) {
                PatternSet::new([&pattern].into_iter()).expect("a checked glob compiles").matching(&path);
                pattern.captures().expect("a checked glob compiles with groups").of(&path);
            }
        }
    }
}

//! Globs that match paths. Only this file uses globset.
//!
//! `*` and `?` match within a path segment, `**` matches across segments, `{a,b}` matches
//! alternatives, `[ab]` is a class, `\` escapes. Paths are matched as bytes because file names need
//! not be UTF-8, so `?` and a class match one byte.
//!
//! What each wildcard matched is captured by the regular expression into which globset translates the
//! glob, with a capturing group around each wildcard. So it matches exactly what the glob matches.

use std::cell::LazyCell;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use thiserror::Error;

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
        let compiled = if relative.len() > MAX_LENGTH {
            Err(format!("it is longer than {MAX_LENGTH} bytes"))
        } else {
            compiled(relative).map_err(|error| error.kind().to_string())
        };
        let text = text.to_owned();
        match compiled {
            Ok(glob) => Ok(Self { text, glob }),
            Err(why) => Err(PatternError { pattern: text, why }),
        }
    }

    /// The glob as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number of wildcards, which is the highest `n` that a source may use as `{n}`.
    ///
    /// Each `*`, `**`, `?`, `[…]` and `{…}` counts as one, in the order in which they begin.
    pub fn wildcards(&self) -> usize {
        capture_wildcards(self.glob.regex()).1
    }

    /// Captures what each wildcard matches.
    pub fn captures(&self) -> GlobCaptures {
        let (capturing, _) = capture_wildcards(self.glob.regex());
        let capturing = RegexBuilder::new(&capturing)
            .dot_matches_new_line(true)
            .build();
        GlobCaptures(capturing.expect("a checked glob compiles with groups"))
    }
}

fn compiled(glob: &str) -> Result<globset::Glob, globset::Error> {
    let compiled = globset::GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()?;
    // Only nested braces make a glob of this length too large to compile.
    if glob.contains('{') {
        globset::GlobSet::new([&compiled])?;
    }
    Ok(compiled)
}

/// Returns the text of a glob that matches a path as it is written.
pub fn literal_glob(path: &str) -> String {
    globset::escape(path)
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

/// A glob that captures what its wildcards match.
#[derive(Debug)]
pub struct GlobCaptures(Regex);

impl GlobCaptures {
    /// What each wildcard matched, in order, or `None` if the glob does not match the path.
    pub fn of<'p>(&self, path: &'p [u8]) -> Option<Vec<&'p [u8]>> {
        let found = self.0.captures(path)?;
        let groups = found.iter().skip(1);
        let texts = groups.map(|group| group.map_or(&b""[..], |group| group.as_bytes()));
        Some(texts.collect())
    }
}

/// A wildcard in a glob's regular expression, or an escaped character. Literals are escaped there, so
/// whatever looks like a wildcard is one.
static TOKEN: LazyLock<regex::Regex> = LazyLock::new(|| {
    let token = concat!(
        r"(?s)\\.|\(\?:/\?\|\.\*/\)|\(\?:/\|/\.\*/\)|\.\*|\(\?:",
        r"|\[(?:\\.|[^\]\\])*\]\*?"
    );
    regex::Regex::new(token).expect("a valid expression")
});

/// Puts a capturing group around each wildcard and counts them.
fn capture_wildcards(glob_regex: &str) -> (String, usize) {
    let mut count = 0;
    let capturing = TOKEN.replace_all(glob_regex, |found: &regex::Captures<'_>| {
        let token = &found[0];
        count += usize::from(!token.starts_with('\\'));
        match token {
            // `**/` captures the text between the slashes.
            "(?:/?|.*/)" => "(?:/?|(.*)/)".to_owned(),
            "(?:/|/.*/)" => "(?:/|/(.*)/)".to_owned(),
            // `{` begins alternatives.
            "(?:" => "(".to_owned(),
            _ if token.starts_with('\\') => token.to_owned(),
            _ => format!("({token})"),
        }
    });
    (capturing.into_owned(), count)
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
        let (mut globs, mut literals) = (Vec::new(), Vec::new());
        for pattern in patterns {
            globs.push((pattern.glob.clone(), OnceLock::new()));
            literals.push(literals_in(pattern.glob.glob()));
        }
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
        let candidate = LazyCell::new(|| globset::Candidate::from_bytes(path));
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
    literals
        .iter()
        .map(|literal| literal.trim_matches('/'))
        .filter(|literal| !literal.is_empty())
        .map(str::to_owned)
        .collect()
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
        let globs: Vec<String> = (0..9_000).map(|n| format!("{{x,}}/{n}/**")).collect();
        let set = PatternSet::parse(globs.iter()).expect("globs");
        assert_eq!(set.matching(b"x/8765/8/a"), [8765]);
    }

    fn captured(glob: &str, path: &str) -> Option<Vec<String>> {
        let captures = GlobPattern::new(glob).expect("a glob").captures();
        let parts = captures.of(path.as_bytes())?;
        Some(
            parts
                .into_iter()
                .map(|part| String::from_utf8_lossy(part).into_owned())
                .collect(),
        )
    }

    #[test]
    fn each_wildcard_captures_what_it_matched() {
        let check = |glob: &str, path: &str, expected: &[&str]| {
            let expected = expected.iter().map(ToString::to_string).collect();
            assert_eq!(captured(glob, path), Some(expected), "{glob} {path}");
        };
        check("blog/*.html", "blog/a.html", &["a"]);
        check("blog/**", "blog/2024/a", &["2024/a"]);
        check("blog/**/index.html", "blog/2024/a/index.html", &["2024/a"]);
        check("blog/**/index.html", "blog/index.html", &[""]);
        check("**/index.html", "index.html", &[""]);
        check("**/*.html", "a/b/c.html", &["a/b", "c"]);
        check("**", "a/b", &["a/b"]);
        check("{de,fr}/p?ge[0-9].html", "fr/page7.html", &["fr", "a", "7"]);
        check("{a,b{c,d}}/*", "bd/x", &["bd", "d", "x"]);
        check(r"\*\[a]/[]^-]*", "*[a]/^x", &["^", "x"]);
        check("plain", "plain", &[]);
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

        #[test]
        fn captures_match_exactly_what_the_glob_matches(
            glob in concat!(
                r"([a-c/.*?é]|\*\*|/\*\*/|\{a,b\}|\{[a*/]{0,3},[b?*]{0,3}\}",
                r"|\[[!^]?[a-c/.\]&~^-]{1,4}\]|\\[*a{\[]){0,8}",
            ),
            // globset does not support file names that end in a dot. Pages have none, because an
            // extension follows the dot.
            paths in prop::collection::vec(r"([a-c/.é*\[\n]{0,7}[a-c/é*\[\n])?", 1..30),
        ) {
            let Ok(pattern) = GlobPattern::new(&glob) else { return Ok(()) };
            let captures = pattern.captures();
            let set = PatternSet::new([&pattern].into_iter());
            for path in &paths {
                let parts = captures.of(path.as_bytes());
                let matches = !set.matching(path.as_bytes()).is_empty();
                prop_assert_eq!(parts.is_some(), matches, "{} {:?}", glob, path);
                if let Some(parts) = parts {
                    prop_assert_eq!(parts.len(), pattern.wildcards());
                }
            }
        }
    }
}

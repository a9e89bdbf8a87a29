//! Captures what each wildcard of a glob matched.
//!
//! It starts from the regular expression into which globset translates the glob and puts a
//! capturing group around each wildcard. So it matches exactly what the glob matches.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

/// A glob that captures what its wildcards match.
#[derive(Debug)]
pub struct GlobCaptures(Regex);

impl GlobCaptures {
    /// Takes the regular expression of a glob, as globset writes it.
    pub(crate) fn new(glob_regex: &str) -> Self {
        let (capturing, _) = capture_wildcards(glob_regex);
        let capturing = RegexBuilder::new(&capturing)
            .dot_matches_new_line(true)
            .build();
        Self(capturing.expect("a checked glob compiles with groups"))
    }

    /// The number of wildcards in the regular expression of a glob.
    pub fn count(glob_regex: &str) -> usize {
        capture_wildcards(glob_regex).1
    }

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

#[cfg(test)]
mod tests {
    use crate::files::glob::{GlobPattern, PatternSet};
    use proptest::prelude::*;

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
        #[test]
        fn it_matches_exactly_what_the_glob_matches(
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

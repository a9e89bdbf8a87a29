//! Expands `source = "content/blog/{1}.md"` into a path below the site root.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};
use thiserror::Error;

use sitemaps::site_paths::SitePath;

/// A parsed `source`.
///
/// `{1}` to `{99}` are replaced by what the first, second, … wildcard of the pattern matched. Any
/// other brace is literal.
#[derive(Debug, Clone)]
pub struct SourceTemplate(String);

static WILDCARD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{([1-9][0-9]?)\}").expect("a valid expression"));

/// Error for a source that is not a file of the site: a segment is `..`, so the path could be outside
/// the site.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the source `{source_path}` of `{page}` may be outside the site")]
pub struct SourceError {
    /// The expanded source.
    source_path: SitePath,
    /// The page's file.
    page: SitePath,
}

impl SourceTemplate {
    /// Parses a source.
    pub fn new(source: &str) -> Self {
        Self(source.to_owned())
    }

    /// The highest `n` of all `{n}`, or 0. Must not exceed
    /// [`GlobPattern::wildcards`](crate::files::glob::GlobPattern::wildcards).
    pub fn highest_wildcard(&self) -> usize {
        WILDCARD
            .captures_iter(self.0.as_bytes())
            .map(|found| number_of(&found))
            .max()
            .unwrap_or(0)
    }

    /// The source of a page. Empty segments and `.` are removed (`src/{1}/{2}.md` with an empty
    /// `{1}`), and `..` is rejected.
    pub(crate) fn expand(
        &self,
        wildcards: &[&[u8]],
        page: &SitePath,
    ) -> Result<SitePath, SourceError> {
        let whole = WILDCARD.replace_all(self.0.as_bytes(), |found: &Captures<'_>| {
            let matched = wildcards.get(number_of(found) - 1);
            matched.copied().unwrap_or_default().to_vec()
        });
        let mut parts = Vec::new();
        for part in whole.split(|&byte| byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." => {
                    return Err(SourceError {
                        source_path: SitePath::new(&*whole),
                        page: page.clone(),
                    });
                }
                part => parts.push(part),
            }
        }
        Ok(SitePath::new(parts.join(&b'/')))
    }
}

/// The number in a `{n}`.
fn number_of(found: &Captures<'_>) -> usize {
    found[1]
        .iter()
        .fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_expanded_from_what_the_wildcards_matched() {
        let check = |source: &str, wildcards: &[&str], expected: &str| {
            let wildcards: Vec<_> = wildcards.iter().map(|part| part.as_bytes()).collect();
            let path = SourceTemplate::new(source).expand(&wildcards, &SitePath::from("p.html"));
            assert_eq!(path, Ok(SitePath::from(expected)), "{source}");
        };
        check("content/{1}.md", &["a/b"], "content/a/b.md");
        check("{2}/{1}{1}", &["x", "y"], "y/xx");
        check("src/{1}/{2}.md", &["", "intro"], "src/intro.md");
        check("/src/./a.md", &[], "src/a.md");
        check("{0}{x}{}{1}.md", &["a"], "{0}{x}{}a.md");
        check("a.{1}", &["."], "a..");
    }

    #[test]
    fn a_source_is_never_outside_the_site() {
        let check = |source: &str, wildcards: &[&[u8]]| {
            let path = SourceTemplate::new(source).expand(wildcards, &SitePath::from("p.html"));
            assert!(path.is_err(), "{source}");
        };
        check("content/{1}.md", &[b"../../etc/x"]);
        check("{1}{2}/x.md", &[b".", b"."]);
        check("../x.md", &[]);
    }

    #[test]
    fn the_highest_wildcard_is_found() {
        let check = |source: &str, expected| {
            assert_eq!(SourceTemplate::new(source).highest_wildcard(), expected);
        };
        check("a.md", 0);
        check("{2}{1}", 2);
        check("{100}", 0);
    }
}

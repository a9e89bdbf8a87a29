//! Expands `source = "content/blog/{1}.md"` into a path below the site root.

use thiserror::Error;

use sitemaps::site_paths::SitePath;

/// A parsed `source`.
///
/// `{1}` to `{99}` are replaced by what the first, second, … wildcard of the pattern matched. Any
/// other brace is literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTemplate(Vec<TemplatePiece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePiece {
    Text(String),
    /// The number of a wildcard, counted from 1.
    Wildcard(usize),
}

/// Error for a source that is not a file of the site.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// A segment is `..`, so the path could be outside the site.
    #[error("the source `{source_path}` of `{page}` may be outside the site")]
    Outside {
        /// The expanded source.
        source_path: SitePath,
        /// The page's file.
        page: SitePath,
    },
}

impl SourceTemplate {
    /// Parses a source.
    pub fn new(source: &str) -> Self {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = source;
        while let Some(character) = rest.chars().next() {
            if let Some((number, after)) = wildcard_at(rest) {
                pieces.push(TemplatePiece::Text(std::mem::take(&mut text)));
                pieces.push(TemplatePiece::Wildcard(number));
                rest = after;
            } else {
                text.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        pieces.push(TemplatePiece::Text(text));
        Self(pieces)
    }

    /// The highest `n` of all `{n}`, or 0. Must not exceed
    /// [`GlobPattern::wildcards`](sitemaps::site_paths::glob::GlobPattern::wildcards).
    pub fn highest_wildcard(&self) -> usize {
        let numbers = self.0.iter().map(|piece| {
            if let TemplatePiece::Wildcard(number) = piece {
                *number
            } else {
                0
            }
        });
        numbers.max().unwrap_or(0)
    }

    /// The source of a page. Empty segments and `.` are removed (`src/{1}/{2}.md` with an empty
    /// `{1}`), and `..` is rejected.
    pub(crate) fn expand(
        &self,
        wildcards: &[&[u8]],
        page: &SitePath,
    ) -> Result<SitePath, SourceError> {
        let mut whole = Vec::new();
        for piece in &self.0 {
            match piece {
                TemplatePiece::Text(text) => whole.extend_from_slice(text.as_bytes()),
                TemplatePiece::Wildcard(number) => {
                    whole.extend_from_slice(wildcards.get(number - 1).copied().unwrap_or(b""));
                }
            }
        }
        let parts = || whole.split(|&byte| byte == b'/');
        if parts().any(|part| part == b"..") {
            return Err(SourceError::Outside {
                source_path: SitePath::new(whole),
                page: page.clone(),
            });
        }
        let kept: Vec<_> = parts()
            .filter(|part| !part.is_empty() && *part != b".")
            .collect();
        Ok(SitePath::new(kept.join(&b'/')))
    }
}

/// The number in a `{n}` at the start of a text, and the rest of the text.
fn wildcard_at(text: &str) -> Option<(usize, &str)> {
    let (digits, after) = text.strip_prefix('{')?.split_once('}')?;
    if digits.len() > 2
        || digits.starts_with('0')
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    Some((digits.parse().ok()?, after))
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

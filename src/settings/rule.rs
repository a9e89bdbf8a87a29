//! A rule of the settings, checked, and the sources that it names: `source = "content/blog/{1}.md"` becomes
//! a path below the site root.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{DateSource, checks};
use crate::files::glob::GlobPattern;
use crate::findings::Subject;
use sitemaps::site_paths::SitePath;
use sitemaps::{ChangeFreq, GroupName, Place, Priority};

/// A rule for the pages that it matches.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Globs that match the page's path in the output (`blog/a/index.html`) or its URL path
    /// (`/blog/a/`). `*` matches within a path segment, `**` across segments.
    #[serde(rename = "match", deserialize_with = "checks::one_or_more_globs")]
    #[cfg_attr(test, schemars(schema_with = "super::schema::one_or_more"))]
    pub patterns: Vec<GlobPattern>,
    /// The value of `<priority>`.
    #[cfg_attr(test, schemars(schema_with = "super::schema::share"))]
    pub priority: Option<Priority>,
    /// The value of `<changefreq>`.
    #[cfg_attr(test, schemars(schema_with = "super::schema::word::<ChangeFreq>"))]
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date.
    #[serde(default, deserialize_with = "checks::fixed_date")]
    pub lastmod: Option<String>,
    /// Sources of dates for these pages, instead of `lastmod.from`.
    #[cfg_attr(test, schemars(schema_with = "super::schema::words::<DateSource>"))]
    pub lastmod_from: Option<Vec<DateSource>>,
    /// The source of these pages, relative to the site root; `{n}` is replaced by what the n-th
    /// wildcard matched.
    // An index page is matched by its directory's name: with `blog/**` and `content/blog/{1}.md`,
    // the page `blog/a/index.html` has the source `content/blog/a.md`. Any other page is matched
    // by its file name: for `docs/intro.html`, the `{1}` of `docs/**` ends in `.html`, and that of
    // `docs/*.html` does not.
    pub source: Option<String>,
    /// The child sitemap for these pages: `blog` creates `sitemap-blog.xml`.
    #[cfg_attr(test, schemars(schema_with = "super::schema::group"))]
    pub group: Option<GroupName>,
    /// Whether to exclude these pages.
    pub exclude: Option<bool>,
    /// The file and the place of the `match` value in it, for findings about the rule.
    #[serde(skip)]
    pub written_in: Option<(PathBuf, Place)>,
}

impl Rule {
    /// The subject of findings about the rule: the place where it is written.
    pub fn subject(&self) -> Subject {
        match &self.written_in {
            Some((file, place)) => Subject::File(file.clone(), Some(*place)),
            None => Subject::Site,
        }
    }
}

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

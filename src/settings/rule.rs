//! A rule of the settings, checked.

use super::{DateSource, checks};
use crate::files::glob::GlobPattern;
use crate::findings::Subject;
use serde::{Deserialize, Serialize};
use sitemaps::{ChangeFreq, GroupName, Place, Priority};
use std::path::PathBuf;

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

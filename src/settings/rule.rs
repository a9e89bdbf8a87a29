//! A rule of the settings, checked.

use super::DateSource;
use site_paths::finding::{Place, Subject};
use site_paths::glob::GlobPattern;
use sitemaps::{ChangeFreq, GroupName, Priority};
use std::path::PathBuf;

/// A validated rule.
#[derive(Debug, Clone, Default)]
pub struct Rule {
    /// Globs that match the page's path in the output (`blog/a/index.html`) or its URL path
    /// (`blog/a/`). One match is enough.
    pub patterns: Vec<GlobPattern>,
    /// `<priority>`, 0.0 to 1.0.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written and already validated.
    pub lastmod: Option<String>,
    /// Sources of dates for these pages, in order of precedence.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// The page's source, relative to the site root; `{n}` is replaced by what the n-th wildcard
    /// matched.
    ///
    /// An index page is matched by its directory's name: with `blog/**` and `content/blog/{1}.md`,
    /// the page `blog/a/index.html` has the source `content/blog/a.md`. Any other page is matched
    /// by its file name: for `docs/intro.html`, the `{1}` of `docs/**` ends in `.html`, and that of
    /// `docs/*.html` does not.
    pub source: Option<String>,
    /// Additional sources, relative to the site root: files, directories with all their files, or globs
    /// such as `inc/**/*.html`. Hidden files do not count, and the newest date is used.
    pub also: Option<Vec<String>>,
    /// The name of the child sitemap for these pages.
    pub group: Option<GroupName>,
    /// Whether these pages are excluded.
    pub exclude: Option<bool>,
    /// The file and the place of the `match` value in it, for findings about the rule.
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

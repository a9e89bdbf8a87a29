//! The settings' rules: which of them match a page, and what they say of it.
//!
//! Rules cascade as in CSS: every key is taken from the last matching rule that sets it.

mod captures;
pub(crate) mod group;
mod pattern;
mod publication;
mod rule_set;
mod source;
mod values;

pub use group::{GroupName, GroupNameError};
pub use pattern::{GlobPattern, PatternError, PatternSet};
pub use publication::{Publication, PublicationError};
pub use rule_set::{MatchedRules, RuleSet, unused_rules};
pub use source::{SourceError, SourceTemplate};
pub use values::{ChangeFreq, Priority};

use crate::config::DateSource;
use crate::finding::{Place, Subject};
use std::path::PathBuf;

/// One rule as it was written, checked.
#[derive(Debug, Clone, Default)]
pub struct Rule {
    /// Globs over the page's path in the output (`blog/a/index.html`) or its URL's path (`blog/a/`); one that matches
    /// is enough.
    pub patterns: Vec<GlobPattern>,
    /// `<priority>`, 0.0 to 1.0.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written; it was checked to be one.
    pub lastmod: Option<String>,
    /// Where the date of these pages comes from, first that answers.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// The page's source, relative to the site root; `{n}` stands for what the n-th wildcard matched.
    ///
    /// An index page goes by its folder's name, so that with `blog/**` and `content/blog/{1}.md` the page
    /// `blog/a/index.html` has the source `content/blog/a.md`. Any other page goes by its file's name: what `{1}` of
    /// `docs/**` is for `docs/intro.html` ends in `.html`, what it is of `docs/*.html` does not.
    pub source: Option<String>,
    /// Further sources, relative to the site root; the newest date wins.
    pub also: Option<Vec<String>>,
    /// The name of the child sitemap these pages go into.
    pub group: Option<GroupName>,
    /// The publication that these pages are news of.
    pub news: Option<Publication>,
    /// Whether these pages are left out.
    pub exclude: Option<bool>,
    /// Where the rule stands, for findings about it: the file, and its `match` value in it.
    pub written_in: Option<(PathBuf, Place)>,
}

impl Rule {
    /// What a finding about the rule is about: where it is written.
    pub fn subject(&self) -> Subject {
        match &self.written_in {
            Some((file, place)) => Subject::File(file.clone(), Some(*place)),
            None => Subject::Site,
        }
    }
}

//! The reason `excluded-by-settings`.
//!
//! The last matching rule that sets `exclude` decides, so a later `exclude = false` includes pages
//! again.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;
use sitemaps::site_paths::finding::quoted;

define_reason! {
    /// A rule in the settings excludes the page (`exclude = true`, or a glob in `exclude = [...]`), or
    /// those of the generator keep it out of its own sitemap: Jekyll's `defaults`, Sphinx's
    /// `sitemap_excludes`, Docusaurus' `ignorePatterns`.
    "excluded-by-settings", Allow, "the settings exclude it", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    evidence(case).into()
}

fn evidence(case: &PageCase<'_>) -> Option<Evidence> {
    let rule = match case.excluded_by? {
        ExcludedBy::Rule(rule) => *rule,
        ExcludedBy::Generator(setting) => return Some(Evidence::text(setting)),
        ExcludedBy::FrontMatter | ExcludedBy::Draft(_) => return None,
    };
    let pattern = case.site.settings.rules[rule].patterns.first()?;
    Some(Evidence::text(format!(
        "rule `{}`",
        quoted(pattern.as_str())
    )))
}

//! The reason `excluded-by-page`.
//!
//! Front matter takes precedence over all rules.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;

define_reason! {
    /// The front matter of the page's source excludes it: `exclude = true` in Zola's
    /// `[extra.waypost]` or Hugo's `[params.waypost]`, or the generator's own key: Hugo's
    /// `sitemap.disable`, `sitemap: false` of Jekyll and Hexo, Eleventy's
    /// `eleventyExcludeFromCollections`.
    "excluded-by-page", Allow, "its front matter excludes it", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    (case.excluded_by == Some(&ExcludedBy::FrontMatter))
        .then(|| Evidence::text("the front matter of its source"))
        .into()
}

//! The reason `url-too-long`.
//!
//! XML escapes do not count; percent-encoding does.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use sitemaps::site_paths::MAX_URL_CHARS;
use sitemaps::site_paths::finding::{Finding, Subject};

define_reason! {
    /// The page's URL has 2,048 characters or more, which a `<loc>` must not contain (sitemaps.org
    /// protocol).
    "url-too-long", Warn, "its URL is longer than sitemaps allow", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let chars = case.url.as_str().len();
    if chars <= MAX_URL_CHARS {
        return None.into();
    }
    let message = format!(
        "the URL of a page has {chars} characters; a sitemap allows at most {MAX_URL_CHARS}"
    );
    let subject = Subject::Page(case.page.file.clone(), None);
    FoundEvidence::new(
        Some(Evidence::text(format!("{chars} characters"))),
        vec![Finding::new(REASON.code, subject, message)],
    )
}

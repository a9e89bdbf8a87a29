//! The reason `error-page`.
//!
//! Identified by its exact path: `products/404/index.html` is an ordinary page.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;

define_reason! {
    /// The file is the host's page for missing URLs: `404.html` at the top level or in a language's
    /// directory, or on Cloudflare in any directory.
    "error-page", Allow, "shown for missing URLs", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let is_error_page = case.site.error_pages.matches(case.page.file.as_bytes());
    let evidence = is_error_page.then(|| Evidence::text("the host's error page, by its path"));
    evidence.into()
}

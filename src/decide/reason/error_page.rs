//! The file is the host's page for missing URLs: `404.html` at the top level or in a language's
//! directory.
//!
//! Identified by its exact path: `products/404/index.html` is an ordinary page.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use site_paths::finding::{Code, Level};

/// The reason `error-page`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "error-page",
        level: Level::Allow,
        about: "The file is the host's page for missing URLs: `404.html` at the top level or in a \
                language's directory.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let is_error_page = case.site.error_pages.matches(case.page.file.as_bytes());
    let evidence = is_error_page.then(|| Evidence::text("the host's error page, by its path"));
    evidence.into()
}

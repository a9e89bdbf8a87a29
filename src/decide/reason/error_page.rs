//! The file is what the host shows in place of a missing page: `404.html` at the top or in a language's folder.
//!
//! Told by its exact path. `products/404/index.html` is a page like any other.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::finding::{Code, Finding, Level};

/// The reason `error-page`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "error-page",
        level: Level::Allow,
        about: "The file is what the host shows in place of a missing page: `404.html` at the top or in a language's folder.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    let is_error_page = case.site.error_pages.matches(case.page.file.as_bytes());
    is_error_page.then(|| Evidence::text("the host's error page, by its path"))
}

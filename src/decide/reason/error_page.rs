//! The file is the host's page for missing URLs: `404.html` at the top level or in a language's
//! directory.
//!
//! Identified by its exact path: `products/404/index.html` is an ordinary page.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use site_paths::finding::{Code, Finding, Level};

/// The reason `error-page`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "error-page",
        level: Level::Allow,
        about: "The file is the host's page for missing URLs: `404.html` at the top level or in a \
                language's directory.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    let is_error_page = case.site.error_pages.matches(case.page.file.as_bytes());
    is_error_page.then(|| Evidence::text("the host's error page, by its path"))
}

//! The page's address has 2,048 characters or more, which a `<loc>` may not hold (sitemaps.org protocol).
//!
//! XML escapes do not count; percent-encoding does.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::finding::{Code, Finding, Level, Subject};
use crate::site_paths::MAX_URL_CHARS;

/// The reason `url-too-long`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "url-too-long",
        level: Level::Warn,
        about: "The page's address has 2,048 characters or more, which a `<loc>` may not hold (sitemaps.org protocol).",
    },
    judge,
};

fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> Option<Evidence> {
    let chars = case.url.as_str().len();
    if chars <= MAX_URL_CHARS {
        return None;
    }
    let message = format!(
        "the address of a page has {chars} characters, more than the {MAX_URL_CHARS} a sitemap may hold"
    );
    findings.push(Finding::new(
        REASON.code,
        Subject::Page(case.page.file.clone(), None),
        message,
    ));
    Some(Evidence::text(format!("{chars} characters")))
}

//! The page's URL has 2,048 characters or more, which a `<loc>` must not contain (sitemaps.org
//! protocol).
//!
//! XML escapes do not count; percent-encoding does.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use site_paths::MAX_URL_CHARS;
use site_paths::finding::{Code, Finding, Level, Subject};

/// The reason `url-too-long`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "url-too-long",
        level: Level::Warn,
        about: "The page's URL has 2,048 characters or more, which a `<loc>` must not contain \
                (sitemaps.org protocol).",
    },
    judge,
};

fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> Option<Evidence> {
    let chars = case.url.as_str().len();
    if chars <= MAX_URL_CHARS {
        return None;
    }
    let message = format!(
        "the URL of a page has {chars} characters; a sitemap allows at most {MAX_URL_CHARS}"
    );
    findings.push(Finding::new(
        REASON.code,
        Subject::Page(case.page.file.clone(), None),
        message,
    ));
    Some(Evidence::text(format!("{chars} characters")))
}

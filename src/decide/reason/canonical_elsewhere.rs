//! The page's canonical link names another page, on this site or elsewhere, so this page is a
//! duplicate.
//!
//! Only links in the head and in `Link` headers from the host's files count, and none with
//! hreflang, lang, media or type. A link to another form of the same file (`/about` for
//! `about.html`) does not name another page: that form is the one listed.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::decide::canonical;
use site_paths::finding::{Code, Finding, Level};

/// The reason `canonical-elsewhere`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "canonical-elsewhere",
        level: Level::Allow,
        about: "The page's canonical link names another page, on this site or elsewhere, so this \
                page is a duplicate.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> Option<Evidence> {
    canonical::report(case, findings);
    let target = case.canonical.elsewhere()?;
    Some(Evidence {
        text: target.evidence(),
        place: target.place(),
    })
}

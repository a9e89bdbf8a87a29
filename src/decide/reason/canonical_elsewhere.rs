//! The page's canonical link names another page, on this site or elsewhere, so this page is a
//! duplicate.
//!
//! Only links in the head and in `Link` headers from the host's files count, and none with
//! hreflang, lang, media or type. A link to another form of the same file (`/about` for
//! `about.html`) does not name another page: that form is the one listed.

use crate::decide::canonical;
use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use site_paths::finding::{Code, Level};

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

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let evidence = case.canonical.elsewhere().map(|target| Evidence {
        text: target.evidence(),
        place: target.place(),
    });
    FoundEvidence::new(evidence, canonical::report(case))
}

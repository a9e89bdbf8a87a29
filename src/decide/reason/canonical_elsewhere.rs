//! The reason `canonical-elsewhere`.
//!
//! Only links in the head and in `Link` headers from the host's files count, and none with
//! hreflang, lang, media or type. A link to another form of the same file (`/about` for
//! `about.html`) does not name another page: that form is the one listed.

use crate::decide::canonical;
use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;

define_reason! {
    /// The page's canonical link names another page, on this site or elsewhere, so this page is a
    /// duplicate.
    "canonical-elsewhere", Allow, "its canonical link names another page", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let evidence = case.canonical.elsewhere().map(|target| Evidence {
        text: target.evidence(),
        place: target.place(),
    });
    FoundEvidence::new(evidence, canonical::report(case))
}

//! The page's canonical link names another page, here or on another site: this one is a duplicate of it.
//!
//! Only links in the head and in `Link` headers of the host's files count, and none with hreflang, lang, media or type. A link that names this very file in another
//! form (`/about` for `about.html`) is no other page: its spelling is the one that is listed.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::decide::canonical;
use crate::finding::{Code, Finding, Level};

/// The reason `canonical-elsewhere`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "canonical-elsewhere",
        level: Level::Allow,
        about: "The page's canonical link names another page, here or on another site: this one is a duplicate of it.",
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

//! The page could not be read: permission denied, deleted since the directory was listed, or
//! truncated compressed data.
//!
//! An unreadable page might contain `noindex`, so it is not listed.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use page_signals::FileContent;
use site_paths::finding::{Code, Finding, Level, Subject};

/// The reason `unreadable`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "unreadable",
        level: Level::Deny,
        about: "The page could not be read: permission denied, deleted since the directory was \
                listed, or truncated compressed data.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let FileContent::Unreadable(why) = &case.facts.content else {
        return None.into();
    };
    let file = &case.page.file;
    let message = format!("cannot read `{file}`: {why}; it is excluded");
    let finding = Finding::new(REASON.code, Subject::Page(file.clone(), None), message);
    FoundEvidence::new(Some(Evidence::text(why.clone())), vec![finding])
}

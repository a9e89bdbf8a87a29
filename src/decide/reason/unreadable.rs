//! The page could not be read: permission denied, deleted since the directory was listed, or
//! truncated compressed data.
//!
//! An unreadable page might contain `noindex`, so it is not listed.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use page_signals::FileContent;
use site_paths::finding::{Code, Finding, Level, Subject};

/// The reason `unreadable`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "unreadable",
        level: Level::Warn,
        about: "The page could not be read: permission denied, deleted since the directory was \
                listed, or truncated compressed data.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> Option<Evidence> {
    let FileContent::Unreadable(why) = &case.facts.content else {
        return None;
    };
    let file = &case.page.file;
    let message = format!("cannot read `{file}`: {why}; it is excluded");
    findings.push(Finding::new(
        REASON.code,
        Subject::Page(file.clone(), None),
        message,
    ));
    Some(Evidence::text(why.clone()))
}

//! The reason `unreadable`.
//!
//! An unreadable page might contain `noindex`, so it is not listed.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use page_signals::FileContent;
use sitemaps::site_paths::finding::{Finding, Subject};

define_reason! {
    /// The page could not be read: permission denied, deleted since the directory was listed, or
    /// compressed with gzip. Compress pages after waypost has run.
    "unreadable", Deny, "cannot be read", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let FileContent::Unreadable(why) = &case.facts.content else {
        return None.into();
    };
    let file = &case.page.file;
    let message = format!("cannot read `{file}`: {why}; it is excluded");
    let finding = Finding::new(REASON.code, Subject::Page(file.clone(), None), message);
    FoundEvidence::new(Some(Evidence::text(why.clone())), vec![finding])
}

//! The reason `not-a-page`.
//!
//! Tokens are identified by their exact location and form, or by containing no tag at all, never by
//! name alone.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::hosts::UrlForm;
use page_signals::FileContent;
use sitemaps::site_paths::finding::{Finding, Subject, code};

define_reason! {
    /// The file has a page's extension but is not a page: it is empty, is binary, contains no tag, is a
    /// part of a page (without a doctype, without `<html>`, `<head>`, `<body>` and `<title>`, and
    /// without a tag for search engines), is in a package below `node_modules` or in the theme's
    /// directory (MkDocs' `custom_dir`), or is a verification token of a search console
    /// (`google1234567890abcdef.html`), or has a name that the host cannot serve
    /// (Firebase Hosting: `#` and `?`).
    "not-a-page", Allow, "not an HTML page", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let file = &case.page.file;
    if case.site.not_pages.matches(file.as_bytes()) {
        return Some(Evidence::text("by its path")).into();
    }
    if UrlForm::of(case.site.settings).cannot_find(file) {
        return Some(Evidence::text("the host finds no file of this name")).into();
    }
    match case.facts.content {
        FileContent::Html | FileContent::Unreadable(_) => None.into(),
        FileContent::Binary => Some(Evidence::text("binary data")).into(),
        FileContent::PlainText => Some(Evidence::text("contains no tag")).into(),
        FileContent::Fragment => Some(Evidence::text("a part of a page")).into(),
        FileContent::Empty => {
            let finding = Finding::new(
                code::PAGE_DOUBTFUL,
                Subject::Page(file.clone(), None),
                format!("`{file}` is empty"),
            );
            let finding = finding.with_hint("remove it from the build, or exclude it with a rule");
            FoundEvidence::new(Some(Evidence::text("empty file")), vec![finding])
        }
    }
}

//! The reason `redirect`.
//!
//! Search engines treat an instant refresh as a permanent redirect, so its target should be listed.
//! A refresh after some seconds is temporary and does not exclude the page.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::decide::refresh;
use crate::decide::tag_place::place_of;
use crate::hosts::UrlForm;

define_reason! {
    /// The page redirects immediately: by a meta refresh of zero seconds, the script of Zola's
    /// redirect pages, a redirect in the host's files that takes precedence over the page, or one of
    /// the host itself (Vercel's `cleanUrls` for `x/index/index.html`).
    "redirect", Allow, "redirects to another URL", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    if UrlForm::of(case.site.settings).redirects(&case.page.file) {
        return Some(Evidence::text(
            "the host redirects `index` and `.html` at the end",
        ))
        .into();
    }
    if let Some(rule) = case.replaced_by() {
        return Some(Evidence::text(rule.redirect.to_string())).into();
    }
    let evidence = refresh::instant_target(case).map(|target| Evidence {
        text: format!("redirects to {}", target.value),
        place: Some(place_of(target.place)),
    });
    evidence.into()
}

//! The reason `redirect`.
//!
//! Search engines treat an instant refresh as a permanent redirect, so its target should be listed.
//! A refresh after some seconds is temporary and does not exclude the page.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::decide::refresh;
use crate::decide::tag_place::place_of;

define_reason! {
    /// The page redirects immediately: by a meta refresh of zero seconds, the script of Zola's
    /// redirect pages, or a redirect in the host's files that takes precedence over the page.
    "redirect", Allow, "redirects to another URL", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    if let Some(rule) = case.replaced_by() {
        return Some(Evidence::text(rule.redirect.to_string())).into();
    }
    let evidence = refresh::instant_target(case).map(|target| Evidence {
        text: format!("redirects to {}", target.value),
        place: Some(place_of(target.place)),
    });
    evidence.into()
}

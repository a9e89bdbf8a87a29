//! The page redirects immediately: by a meta refresh of zero seconds, the script of Zola's redirect
//! pages, or a redirect in the host's files that takes precedence over the page.
//!
//! Search engines treat an instant refresh as a permanent redirect, so its target should be listed.
//! A refresh after some seconds is temporary and does not exclude the page.

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::decide::refresh;
use site_paths::finding::{Code, Finding, Level};

/// The reason `redirect`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "redirect",
        level: Level::Allow,
        about: "The page redirects immediately: by a meta refresh of zero seconds, the script of \
                Zola's redirect pages, or a redirect in the host's files that takes precedence \
                over the page.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    if let Some(redirect) = case.site.redirect(&case.url) {
        return Some(Evidence::text(redirect.to_string()));
    }
    let target = refresh::instant_target(case)?;
    Some(Evidence {
        text: format!("redirects to {}", target.value),
        place: Some(target.place),
    })
}

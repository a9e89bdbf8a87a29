//! The reason `outside-base`.
//!
//! A sitemap may list only URLs below its own (sitemaps.org, "sitemap file location"). If this
//! affects every page, the base URL of waypost or of the generator is wrong.

use crate::decide::canonical_target::Canonical;
use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;

define_reason! {
    /// The page's canonical link names the page itself, but on a host, port or scheme other than
    /// that of the site's base URL.
    "outside-base", Allow, "its canonical URL is on another host or scheme", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    let Canonical::ItselfOutside(target) = &case.canonical else {
        return None.into();
    };
    let text = format!("{}, outside {}", target.evidence(), case.site.base);
    Some(Evidence {
        text,
        place: target.place(),
    })
    .into()
}

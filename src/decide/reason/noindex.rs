//! The reason `noindex`.
//!
//! Tags count in any spelling that HTML allows, in the head and in the body; the most restrictive
//! tag wins. Tags in comments, templates, scripts and `<noscript>` do not count.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::decide::tag_place::place_of;
use crate::decide::{host_headers, robots_meta};
use sitemaps::site_paths::finding::quoted;

define_reason! {
    /// The page opts out of indexing: `noindex` or `none` in a robots tag or in an `X-Robots-Tag`
    /// header from the host's files, or an `unavailable_after` date in the past. Or readers need a
    /// password for it: Netlify's `Basic-Auth`.
    "noindex", Allow, "asks search engines not to index it", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    FoundEvidence::new(evidence(case), robots_meta::report(case))
}

fn evidence(case: &PageCase<'_>) -> Option<Evidence> {
    let Some(tag) = robots_meta::forbidding(case) else {
        return host_headers::forbidding(case).map(|header| Evidence::text(header.to_string()));
    };
    let text = format!(
        "{}: {}",
        quoted(tag.value.name.trim()),
        quoted(tag.value.content.trim())
    );
    Some(Evidence {
        text,
        place: Some(place_of(tag.place)),
    })
}

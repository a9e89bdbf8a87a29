//! Decides for every page whether it is listed or excluded, with one reason and its evidence. Opens
//! no file.
//!
//! The first pass looks at each page alone and can run on any thread. The second pass (the
//! `resolve` module) looks at all pages together: canonical links to other pages, URLs claimed
//! twice, language alternates.
//!
//! `decide::judge` looks at one page alone, on any thread, in the order of the table of reasons.
//! `decide::resolve_verdicts` then looks at all pages together: canonical links to missing or
//! excluded pages, URLs that two files claim, language alternates that are not returned.
//! `hosts/url_form.rs` knows which URLs serve a file; it is the reason a canonical link may
//! say `/about` for `about.html`.
//!
//! The host's own files (`hosts/`) are matched by the URL under which the page would be listed;
//! a header or a redirect for another form of it does not apply. A redirect to another form of
//! the same page changes its URL to that form if the host serves the page there.
//! `site/site_host.rs` detects the host, and the verdicts are those of the hosts' own code. Of
//! Vercel's and Firebase's rules only literal paths and a wildcard at the end are read;
//! `hosts/rules.rs` counts the others in one finding. `site/preview.rs` decides whether a build
//! is a preview.

mod alternates;
mod answering;
mod canonical;
mod canonical_target;
mod exclusion_reason;
mod host_headers;
mod hreflang;
mod judged_page;
mod kept_links;
mod language_version;
mod listed_url;
mod page_case;
pub(crate) mod reason;
mod refresh;
mod resolve;
mod robots_meta;
mod tag_place;
mod verdict;

pub use canonical::counting_canonicals;
pub use exclusion_reason::Reason;
pub use host_headers::{canonical_targets, header_forbids};
pub use hreflang::is_language_code;
pub use judged_page::JudgedPage;
pub use page_case::{PageCase, SiteView};
pub use reason::{ALL as REASONS, named as reason_named, names as reason_names};
pub use resolve::{DecidedPage, resolve_verdicts};
pub use robots_meta::forbidding_tag;
pub use tag_place::place_of;
pub use verdict::{Exclusion, Verdict};

use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::WithFindings;

/// The target of the canonical link, if the link is why the page is excluded.
fn canonical_of(case: &PageCase<'_>, reason: &Reason) -> Option<PageUrl> {
    let is_why = reason.is(reason::CANONICAL_ELSEWHERE) || reason.is(reason::OUTSIDE_BASE);
    case.canonical.other().filter(|_| is_why).cloned()
}

/// Judges a page without regard to other pages. Tries the reasons in the order of [`REASONS`]; the
/// first that applies decides.
pub fn judge(case: &PageCase<'_>) -> WithFindings<JudgedPage> {
    let mut findings = Vec::new();
    let exclusion = REASONS.iter().find_map(|reason| {
        let evidence = (reason.judge)(case).take_into(&mut findings)?;
        Some(Box::new(Exclusion {
            reason,
            evidence: evidence.text,
            place: evidence.place,
            canonical: canonical_of(case, reason),
        }))
    });
    let canonical = match (&exclusion, case.canonical.elsewhere()) {
        (Some(exclusion), Some(target)) if exclusion.reason.is(reason::CANONICAL_ELSEWHERE) => {
            Some(Box::new(target.clone()))
        }
        _ => None,
    };
    let alternates = if exclusion.is_none() {
        hreflang::versions(case).take_into(&mut findings)
    } else {
        Box::default()
    };
    let judged = JudgedPage {
        file: case.file.clone(),
        url: case.url.clone(),
        verdict: exclusion.map_or(Verdict::Listed, Verdict::Excluded),
        canonical,
        alternates,
        fingerprint: case.facts.fingerprint,
    };
    WithFindings::new(judged, findings)
}

//! Decides for every page whether it is listed or excluded, with one reason and its evidence. Opens
//! no file.
//!
//! The first pass looks at each page alone and can run on any thread. The second pass (the
//! `resolve` module) looks at all pages together: canonical links to other pages, URLs claimed
//! twice, language alternates.

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
mod served_urls;
mod tag_place;
mod verdict;

pub use canonical::counting_canonicals;
pub use exclusion_reason::Reason;
pub use host_headers::{canonical_targets, header_forbids};
pub use hreflang::is_language_code;
pub use judged_page::JudgedPage;
pub use page_case::{PageCase, SiteView};
pub use reason::{ALL as REASONS, names as reason_names};
pub use resolve::{DecidedPage, resolve_verdicts};
pub use robots_meta::forbidding_tag;
pub use served_urls::{candidate_files, files_for_path, own_path, own_url};
pub use tag_place::place_of;
pub use verdict::{Exclusion, Verdict};

use site_paths::PageUrl;
use site_paths::finding::WithFindings;

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
        file: case.page.file.clone(),
        url: case.url.clone(),
        verdict: exclusion.map_or(Verdict::Listed, Verdict::Excluded),
        canonical,
        alternates,
        fingerprint: case.facts.fingerprint,
    };
    WithFindings::new(judged, findings)
}

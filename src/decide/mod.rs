//! Facts → verdicts: every page is listed, or left out for one reason with its evidence. No file is opened.
//!
//! The first half looks at a page alone and can run on any thread; the second ([`settle`]) looks at all pages
//! together: canonical links to other pages, addresses claimed twice, language alternates.

mod alternates;
mod canonical;
mod host_headers;
mod hreflang;
mod page_case;
pub(crate) mod reason;
mod refresh;
mod resolve;
mod robots_meta;
mod served_urls;

pub use canonical::{CanonicalSource, CanonicalTarget, counting_canonicals};
pub use hreflang::is_language_code;
pub use page_case::{ExclusionRequest, PageCase, SiteView};
pub use reason::{ALL as REASONS, Reason, names as reason_names};
pub use resolve::{DecidedPage, settle};
pub use served_urls::{answering_files, files_for_path, own_address, own_path, serves};

use crate::finding::{Finding, Place};
use crate::read::Stated;
use crate::site_paths::{PageUrl, SitePath};

/// What becomes of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It goes into the sitemap.
    Listed,
    /// It does not.
    Excluded(Box<Exclusion>),
}

/// Why a page is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusion {
    /// The reason, one of [`REASONS`].
    pub reason: &'static Reason,
    /// What shows it: a tag's content, an address, a rule of robots.txt.
    pub evidence: String,
    /// The tag in the page that says so.
    pub place: Option<Place>,
}

/// A page looked at alone.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    /// The page's file below the output folder.
    pub file: SitePath,
    /// The address under which it is or would be listed.
    pub url: PageUrl,
    /// What becomes of it, as far as it can be told alone.
    pub verdict: Verdict,
    /// The page of this site that its canonical link names instead of itself, and what says so.
    pub canonical: Option<Box<CanonicalTarget>>,
    /// Its language alternates, resolved, in document order.
    pub alternates: Box<[Stated<LanguageVersion>]>,
    /// A hash of its bytes, where pages are compared by content.
    pub fingerprint: Option<u64>,
}

/// A language version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageVersion {
    /// The code: `de`, `pt-BR`, `x-default`.
    pub hreflang: Box<str>,
    /// The version's address.
    pub url: PageUrl,
}

/// Judges a page alone, in the order in which [`REASONS`] stand; the first that applies decides:
///
/// 1. a rule excludes it;
/// 2. its own front matter does;
/// 3. it cannot be read;
/// 4. it is no page: empty, binary, a verification token;
/// 5. it is the host's error page;
/// 6. it sends its visitors on at once, or the host does;
/// 7. it asks not to be indexed, or the host does;
/// 8. its canonical link names another page;
/// 9. its canonical link names it on another host or scheme;
/// 10. robots.txt forbids it to everyone;
/// 11. its address is too long.
///
/// That another page has its address is decided by [`settle`], last.
pub fn judge(case: &PageCase<'_>, findings: &mut Vec<Finding>) -> JudgedPage {
    let exclusion = REASONS.iter().find_map(|reason| {
        let evidence = (reason.judge)(case, findings)?;
        Some(Box::new(Exclusion {
            reason,
            evidence: evidence.text,
            place: evidence.place,
        }))
    });
    let canonical = match (&exclusion, case.canonical.elsewhere()) {
        (Some(exclusion), Some(target)) if exclusion.reason.is(reason::CANONICAL_ELSEWHERE) => {
            Some(Box::new(target.clone()))
        }
        _ => None,
    };
    let alternates = if exclusion.is_none() {
        hreflang::versions(case, findings)
    } else {
        Box::default()
    };
    JudgedPage {
        file: case.page.file.clone(),
        url: case.url.clone(),
        verdict: exclusion.map_or(Verdict::Listed, Verdict::Excluded),
        canonical,
        alternates,
        fingerprint: case.facts.fingerprint,
    }
}

//! Decides for every page whether it is listed or excluded, with one reason and its evidence. Opens
//! no file.
//!
//! The first pass looks at each page alone and can run on any thread. The second pass (the
//! `resolve` module) looks at all pages together: canonical links to other pages, URLs claimed
//! twice, language alternates.

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
pub use resolve::{DecidedPage, resolve_verdicts};
pub use served_urls::{candidate_files, files_for_path, own_path, own_url, serves};

use page_signals::Stated;
use site_paths::finding::{Finding, Place};
use site_paths::{PageUrl, SitePath};

/// Verdict on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The page is listed in the sitemap.
    Listed,
    /// The page is excluded.
    Excluded(Box<Exclusion>),
}

/// Exclusion of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusion {
    /// The reason, one of [`REASONS`].
    pub reason: &'static Reason,
    /// The evidence: a tag's content, a URL, a rule of robots.txt.
    pub evidence: String,
    /// The place of the tag that states it.
    pub place: Option<Place>,
}

/// A page judged without regard to other pages.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    /// The page's file, relative to the output directory.
    pub file: SitePath,
    /// The URL under which it is or would be listed.
    pub url: PageUrl,
    /// The preliminary verdict.
    pub verdict: Verdict,
    /// The other page of this site that its canonical link names, and the origin of the link.
    pub canonical: Option<Box<CanonicalTarget>>,
    /// Its language alternates, resolved, in document order.
    pub alternates: Box<[Stated<LanguageVersion>]>,
    /// A hash of its bytes, if pages are compared by content.
    pub fingerprint: Option<u64>,
}

/// A language version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageVersion {
    /// The language code: `de`, `pt-BR`, `x-default`.
    pub hreflang: Box<str>,
    /// The URL of the version.
    pub url: PageUrl,
}

/// Judges a page without regard to other pages. Tries the reasons in the order of [`REASONS`]; the
/// first that applies decides:
///
/// 1. a rule excludes it;
/// 2. its front matter excludes it;
/// 3. it cannot be read;
/// 4. it is not a page: empty, binary, or a verification token;
/// 5. it is the host's error page;
/// 6. it redirects immediately, by itself or by a host rule;
/// 7. it opts out of indexing, by itself or by a host header;
/// 8. its canonical link names another page;
/// 9. its canonical link names the page on another host or scheme;
/// 10. robots.txt disallows it for all crawlers;
/// 11. its URL is too long.
///
/// The last reason, a URL that another page already has, is checked in the second pass.
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

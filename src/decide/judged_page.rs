//! A page with the verdict of the first pass.

use super::canonical_target::CanonicalTarget;
use super::language_version::LanguageVersion;
use super::verdict::Verdict;
use sitemaps::site_paths::{PageUrl, SitePath};

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
    pub alternates: Box<[LanguageVersion]>,
    /// A hash of its bytes, if pages are compared by content.
    pub fingerprint: Option<u64>,
}

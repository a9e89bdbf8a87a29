//! The statements of one answer about its URL: not to be indexed, a redirect, the canonical URL.
//!
//! Builds, `check` of a directory, `check` of a URL and the sample of pages that the base URL is found
//! by all judge what a page states by [`stated`] alone, so they agree about that; a build adds the files
//! of the host, and a check of a URL the response. It knows nothing of other pages and opens no file.
//! Language links are resolved by `hreflang.rs`, and only for pages that are listed.

use super::document::Document;
use super::host_headers::{SentHeader, canonical_targets, forbidding_header};
use super::robots_meta::forbidding_tag;
use crate::hosts::HeaderName;
use page_signals::{CanonicalLink, MetaTag, PageFacts, Refresh, Region, Stated, TagPlace};
use sitemaps::Now;
use sitemaps::site_paths::PageUrl;

/// The statements of an answer.
#[derive(Debug, Default)]
pub struct Statements<'a> {
    /// The statement that asks search engines not to index it.
    pub noindex: Option<NoindexStatement<'a>>,
    /// The URL to which it redirects at once; `None` if that is the page itself.
    pub redirect: Option<Stated<PageUrl>>,
    /// The result of its canonical links.
    pub canonical: Canonical,
}

/// A statement that asks search engines not to index a page.
#[derive(Debug)]
pub enum NoindexStatement<'a> {
    /// A robots tag.
    Tag(&'a Stated<MetaTag>),
    /// A header, by its index.
    Header(usize),
}

/// Target of a canonical link.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalTarget {
    /// The URL.
    pub url: PageUrl,
    /// The origin of the link.
    pub source: CanonicalSource,
}

/// Origin of a canonical link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CanonicalSource {
    /// A tag in the page.
    Tag(TagPlace),
    /// A header, by its index.
    Header(usize),
}

/// Result of the canonical links of a page.
#[derive(Debug, Default)]
pub enum Canonical {
    /// No link counts.
    #[default]
    None,
    /// The page itself, in the spelling of the link.
    Itself(PageUrl),
    /// The page itself, but with two slashes where one belongs. Not a form of its URL.
    ItselfDoubled(CanonicalTarget),
    /// The page itself, but on a host, port or scheme other than the site's.
    ItselfOutside(CanonicalTarget),
    /// Another page.
    Elsewhere(CanonicalTarget),
    /// Several links that disagree; search engines then ignore all of them (developers.google.com,
    /// "consolidate duplicate URLs").
    Conflict(CanonicalTarget),
}

impl Canonical {
    /// The URL that the links agree on.
    pub fn into_url(self) -> Option<PageUrl> {
        match self {
            Self::Itself(url) => Some(url),
            Self::ItselfDoubled(target) | Self::ItselfOutside(target) | Self::Elsewhere(target) => {
                Some(target.url)
            }
            Self::None | Self::Conflict(_) => None,
        }
    }
}

/// Reads the statements of an answer at `url`.
pub fn stated<'a>(
    document: &Document<'a>,
    headers: &[SentHeader<'_>],
    url: &PageUrl,
    now: Now,
) -> Statements<'a> {
    let by_tag = forbidding_tag(document.facts, now).map(NoindexStatement::Tag);
    Statements {
        noindex: by_tag.or_else(|| forbidding_header(headers, now).map(NoindexStatement::Header)),
        redirect: instant_target(document, url),
        canonical: canonical(document, headers, url),
    }
}

/// Resolves the canonical links that count: those in the head without hreflang, lang, media or type,
/// and those in headers, which are relative to the URL of the answer (RFC 8288 section 3.2).
fn canonical(document: &Document<'_>, headers: &[SentHeader<'_>], url: &PageUrl) -> Canonical {
    let in_head = counting_canonicals(document.facts).filter_map(|link| {
        // Most links name their own page, and parsing a URL is slow.
        let target = if link.value.href == url.as_str() {
            url.clone()
        } else {
            document.resolve(&link.value.href)?
        };
        Some((target, CanonicalSource::Tag(link.place)))
    });
    let in_headers = headers.iter().enumerate().flat_map(|(index, header)| {
        let hrefs = match header.name {
            HeaderName::Link => canonical_targets(header.value),
            _ => Vec::new(),
        };
        let targets = hrefs.into_iter().filter_map(|href| url.resolve(href));
        targets.map(move |target| (target, CanonicalSource::Header(index)))
    });
    let mut targets = in_head
        .chain(in_headers)
        .map(|(url, source)| CanonicalTarget { url, source });
    let Some(target) = targets.next() else {
        return Canonical::None;
    };
    let single = |url: &PageUrl| url.with_single_slashes().unwrap_or_else(|| url.clone());
    if let Some(other) = targets.find(|other| single(&other.url) != single(&target.url)) {
        return Canonical::Conflict(other);
    }
    let is_own = |target: &PageUrl| target == url || document.is_served_at(target);
    match target.url.with_single_slashes() {
        Some(single) if is_own(&single) => Canonical::ItselfDoubled(target),
        _ if is_own(&target.url) || document.is_misnamed_at(&target.url) => {
            Canonical::Itself(target.url)
        }
        _ if document.is_served_elsewhere_at(&target.url) => Canonical::ItselfOutside(target),
        _ => Canonical::Elsewhere(target),
    }
}

/// Returns the canonical links that search engines use.
pub(super) fn counting_canonicals(
    facts: &PageFacts,
) -> impl Iterator<Item = &Stated<CanonicalLink>> {
    facts
        .canonicals
        .iter()
        .filter(|link| link.value.region == Region::Head && !link.value.qualified)
}

/// Returns the URL that the page redirects to immediately; `None` if that is the page itself.
///
/// An instant meta refresh counts, and a delayed one if a script redirects to its target: readers with
/// scripts do not wait for it. In `<noscript>` only the latter counts, which is how
/// Zola and mike write their redirects. A script alone never does, but for that of Quarto's pages for
/// aliases. A refresh after some seconds is temporary and leaves the page listed (developers.google.com,
/// "redirects and Google Search"). Only the first valid one is run (HTML standard, "shared declarative refresh
/// steps").
fn instant_target(document: &Document<'_>, url: &PageUrl) -> Option<Stated<PageUrl>> {
    if let Some(alias) = &document.facts.alias_target {
        let value = document.resolve(&alias.value)?;
        let place = alias.place;
        return (!document.answers(&value, url)).then_some(Stated { value, place });
    }
    let script = document.facts.redirect_script.as_deref();
    for tag in &document.facts.refreshes {
        let Some(refresh) = Refresh::parse(&tag.value.content) else {
            continue;
        };
        let by_script = refresh
            .target
            .zip(script)
            .is_some_and(|(target, script)| has_literal(script, target));
        if tag.value.region == Region::Noscript && !by_script {
            continue;
        }
        // Without a target, the page reloads itself.
        let target = refresh.target?;
        let Some(value) = document.resolve(target) else {
            continue;
        };
        let is_instant = refresh.seconds == 0 || by_script;
        let place = tag.place;
        let is_itself = document.answers(&value, url);
        return (is_instant && !is_itself).then_some(Stated { value, place });
    }
    None
}

/// Whether a script contains a string of this text.
fn has_literal(script: &str, text: &str) -> bool {
    let quotes = ["\"", "'", "`"];
    quotes
        .iter()
        .any(|quote| script.contains(&format!("{quote}{text}{quote}")))
}

//! Judges the response to the request for a listed page.

use url::Url;

use super::fetched_body::{BodyEnd, FetchedBody};
use super::sample::SampledPage;
use crate::decide::{canonical_targets, counting_canonicals, forbidding_tag, header_forbids};
use crate::submit::{Hop, Trail, TrailEnd, harmless};
use page_signals::{PageFacts, PageReader, ReadOptions, Refresh, Region};
use sitemaps::Now;
use sitemaps::site_paths::finding::{Code, Finding, code, quoted};
use sitemaps::site_paths::{Hint, HintedError, PageUrl};

/// Maximum number of bytes read of a page: Google reads no more (developers.google.com, "Googlebot").
const MAX_PAGE_BYTES: u64 = 15 << 20;

/// The content types of pages (developers.google.com, "File types indexable by Google").
const PAGE_TYPES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Judges the responses to the request for a page. A page that is not answered has the finding
/// `live-unchecked`, because that says nothing about it.
pub(super) fn judge(page: &SampledPage, url: &Url, trail: Trail, now: Now) -> Vec<Finding> {
    let Trail { hops, end, .. } = trail;
    if !hops.is_empty() {
        return vec![redirected(page, &hops, &end)];
    }
    let mut response = match end {
        TrailEnd::Response(response) => response,
        TrailEnd::NoAnswer(why) => return vec![not_answered(page, &why.to_string(), Some(&why))],
        _ => return vec![not_answered(page, "no more requests are sent", None)],
    };
    if response.status != 200 {
        let message = format!("`{}` responds with {}", shown(page), response.status);
        let hint = "remove it from the sitemap, or publish the page";
        return vec![finding(code::LIVE_STATUS, page, message, hint)];
    }
    let body = FetchedBody::read(&mut response, MAX_PAGE_BYTES);
    if let BodyEnd::Broken(error) = &body.end {
        return vec![not_answered(page, error, None)];
    }
    let mut findings = Vec::new();
    if let Some(tag) = response
        .robots_tags
        .iter()
        .find(|tag| header_forbids(tag, now))
    {
        let tag = harmless(tag);
        let message = format!(
            "the server sends `X-Robots-Tag: {tag}` with `{}`",
            shown(page)
        );
        let hint = "remove the page from the sitemap, or the header from the server's settings";
        findings.push(finding(code::LOC_CONTRADICTED, page, message, hint));
    }
    if is_html(response.content_type.as_deref()) {
        let reader = PageReader::new(ReadOptions::default());
        let facts = reader.facts_of(&body.bytes);
        let statements = contradictions(url, &facts, &response.links, now).into_iter();
        findings.extend(statements.map(|(what, hint)| {
            let message = format!("the published page `{}` {what}", shown(page));
            finding(code::LOC_CONTRADICTED, page, message, hint)
        }));
    }
    findings
}

/// The statements of the page and of its `Link` headers that contradict the entry, with remedies.
fn contradictions(
    url: &Url,
    facts: &PageFacts,
    links: &[String],
    now: Now,
) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    if let Some(tag) = forbidding_tag(facts, now) {
        let (name, content) = (tag.value.name.trim(), &tag.value.content);
        let tag = format!(
            "has `<meta name=\"{}\" content=\"{}\">`",
            quoted(name),
            quoted(content)
        );
        found.push((
            tag,
            "remove the page from the sitemap, or the tag from the page",
        ));
    }
    let Ok(own) = PageUrl::from_url(url) else {
        return found;
    };
    let base = facts.base.as_ref();
    let base = base.and_then(|base| own.resolve(&base.value).ok());
    let base = base.as_ref().unwrap_or(&own);
    if let Some(target) = refreshed_to(facts, base).filter(|target| *target != own) {
        let target = quoted(target.as_str());
        let refresh = format!("redirects to `{target}` (`http-equiv=\"refresh\"`)");
        found.push((refresh, "list the target"));
    }
    if let Some(target) = canonical(facts, links, base, &own).filter(|target| *target != own) {
        let link = format!("has the canonical link `{}`", quoted(target.as_str()));
        found.push((link, "list the canonical page"));
    }
    found
}

/// The target of the canonical links, if they agree; otherwise search engines ignore them.
fn canonical(
    facts: &PageFacts,
    links: &[String],
    base: &PageUrl,
    own: &PageUrl,
) -> Option<PageUrl> {
    let in_head = counting_canonicals(facts).filter_map(|link| base.resolve(&link.value.href).ok());
    let in_headers = links.iter().flat_map(|value| canonical_targets(value));
    let in_headers = in_headers.filter_map(|href| own.resolve(href).ok());
    let mut targets = in_head.chain(in_headers);
    let first = targets.next()?;
    targets.all(|target| target == first).then_some(first)
}

/// The target of an instant `<meta http-equiv=refresh>`.
fn refreshed_to(facts: &PageFacts, base: &PageUrl) -> Option<PageUrl> {
    let tags = facts.refreshes.iter();
    let tags = tags.filter(|tag| tag.value.region != Region::Noscript);
    let mut targets = tags.filter_map(|tag| {
        let refresh = Refresh::parse(&tag.value.content).filter(|refresh| refresh.seconds == 0)?;
        base.resolve(refresh.target?).ok()
    });
    targets.next()
}

fn finding(code: &'static Code, page: &SampledPage, message: String, hint: &str) -> Finding {
    Finding::new(code, page.subject.clone(), message).with_hint(hint)
}

fn shown(page: &SampledPage) -> String {
    quoted(&page.url)
}

fn not_answered(page: &SampledPage, why: &str, error: Option<&HintedError>) -> Finding {
    let message = format!("`{}` is not answered: {}", shown(page), harmless(why));
    let mut found = Finding::new(code::LIVE_UNCHECKED, page.subject.clone(), message);
    found.hint = error.and_then(|error| Some(error.hint()?.into_owned()));
    found
}

/// The finding about a redirect, with all of its targets.
fn redirected(page: &SampledPage, hops: &[Hop], end: &TrailEnd) -> Finding {
    let steps: Vec<String> = hops
        .iter()
        .map(|hop| format!("to `{}` ({})", hop.target, hop.status))
        .collect();
    let rest = match end {
        TrailEnd::Response(response) if response.status == 200 => String::new(),
        TrailEnd::Response(response) => format!(", which responds with {}", response.status),
        TrailEnd::NotFollowed => ", which is on another host and not requested".to_owned(),
        _ => ", which leads to no response".to_owned(),
    };
    let message = format!(
        "`{}` redirects {}{rest}",
        shown(page),
        steps.join(", then ")
    );
    finding(
        code::LOC_CONTRADICTED,
        page,
        message,
        "list the target, if it is a page of this site",
    )
}

/// Whether a content type is that of a page; one that is missing counts as HTML, as in browsers.
fn is_html(content_type: Option<&str>) -> bool {
    content_type.is_none_or(|value| {
        let essence = value.split(';').next().unwrap_or_default().trim();
        PAGE_TYPES
            .iter()
            .any(|kind| kind.eq_ignore_ascii_case(essence))
    })
}

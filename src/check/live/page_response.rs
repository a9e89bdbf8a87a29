//! Judges the response to the request for a listed page.

use super::response_body::{read_body, unanswered};
use super::sample::ChosenPage;
use crate::decide::{canonical_targets, counting_canonicals, forbidding_tag, header_forbids};
use crate::submit::{Hop, Trail, TrailEnd, harmless};
use page_signals::{PageFacts, PageReader, ReadOptions, Refresh, Region};
use sitemaps::Now;
use sitemaps::site_paths::finding::{Code, Finding, code, quoted};
use sitemaps::site_paths::{Hint, PageUrl};

/// Maximum number of bytes read of a page: Google reads no more (developers.google.com, "Googlebot").
const MAX_PAGE_BYTES: u64 = 15 << 20;

/// The content types of pages (developers.google.com, "File types indexable by Google").
const PAGE_TYPES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Judges the responses to the request for a page. A page that is not answered has the finding
/// `live-unchecked`, because that says nothing about it.
pub(super) fn judge(page: &ChosenPage, trail: Trail, now: Now) -> Vec<Finding> {
    let shown = quoted(page.url.as_str());
    let finding = |code: &'static Code, message: String, hint: &str| {
        Finding::new(code, page.subject.clone(), message).with_hint(hint)
    };
    let not_answered =
        |why: &str, hint| unanswered(page.url.as_str(), page.subject.clone(), why, hint);
    let Trail { hops, end, .. } = trail;
    if !hops.is_empty() {
        let message = format!("`{shown}` redirects {}", steps(&hops, &end));
        let hint = "list the target, if it is a page of this site";
        return vec![finding(code::LOC_CONTRADICTED, message, hint)];
    }
    let mut response = match end {
        TrailEnd::Response(response) => response,
        TrailEnd::NoAnswer(why) => return vec![not_answered(&why.to_string(), why.hint())],
        _ => return vec![not_answered("no more requests are sent", None)],
    };
    if response.status != 200 {
        let message = format!("`{shown}` responds with {}", response.status);
        let hint = "remove it from the sitemap, or publish the page";
        return vec![finding(code::LIVE_STATUS, message, hint)];
    }
    let (body, broken) = read_body(&mut response, MAX_PAGE_BYTES);
    if let Some(why) = broken {
        return vec![not_answered(&why, None)];
    }
    let mut tags = response.robots_tags.iter();
    let header = tags.find(|tag| header_forbids(tag, now)).map(|tag| {
        let tag = harmless(tag);
        let message = format!("the server sends `X-Robots-Tag: {tag}` with `{shown}`");
        let hint = "remove the page from the sitemap, or the header from the server's settings";
        finding(code::LOC_CONTRADICTED, message, hint)
    });
    let mut findings: Vec<_> = header.into_iter().collect();
    if is_html(response.content_type.as_deref()) {
        let reader = PageReader::new(ReadOptions::default());
        let facts = reader.facts_of(&body);
        let statements = contradictions(&page.url, &facts, &response.links, now).into_iter();
        findings.extend(statements.map(|(what, hint)| {
            let message = format!("the published page `{shown}` {what}");
            finding(code::LOC_CONTRADICTED, message, hint)
        }));
    }
    findings
}

/// The statements of the page and of its `Link` headers that contradict the entry, with remedies.
fn contradictions(
    own: &PageUrl,
    facts: &PageFacts,
    links: &[String],
    now: Now,
) -> Vec<(String, &'static str)> {
    let base = facts.base.as_ref();
    let base = base.and_then(|base| own.resolve(&base.value).ok());
    let base = base.as_ref().unwrap_or(own);
    let tag = forbidding_tag(facts, now).map(|tag| {
        let [name, content] = [tag.value.name.trim(), &tag.value.content].map(quoted);
        let tag = format!("has `<meta name=\"{name}\" content=\"{content}\">`");
        let hint = "remove the page from the sitemap, or the tag from the page";
        (tag, hint)
    });
    let refresh = refreshed_to(facts, base).filter(|target| target != own);
    let refresh = refresh.map(|target| {
        let target = quoted(target.as_str());
        let refresh = format!("redirects to `{target}` (`http-equiv=\"refresh\"`)");
        (refresh, "list the target")
    });
    let link = canonical(facts, links, base, own).filter(|target| target != own);
    let link = link.map(|target| {
        let link = format!("has the canonical link `{}`", quoted(target.as_str()));
        (link, "list the canonical page")
    });
    [tag, refresh, link].into_iter().flatten().collect()
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

/// The target of an instant `<meta http-equiv=refresh>`, of which only the first valid one is run.
fn refreshed_to(facts: &PageFacts, base: &PageUrl) -> Option<PageUrl> {
    let tags = facts.refreshes.iter();
    let tags = tags.filter(|tag| tag.value.region != Region::Noscript);
    let mut valid = tags.filter_map(|tag| {
        let refresh = Refresh::parse(&tag.value.content)?;
        let target = refresh.target.map(|target| base.resolve(target));
        Some((refresh.seconds, target.transpose().ok()?))
    });
    let (seconds, target) = valid.next()?;
    target.filter(|_| seconds == 0)
}

/// All targets of a redirect, and the last response.
fn steps(hops: &[Hop], end: &TrailEnd) -> String {
    let steps = hops.iter();
    let steps = steps.map(|hop| format!("to `{}` ({})", hop.target, hop.status));
    let steps = steps.collect::<Vec<_>>().join(", then ");
    match end {
        TrailEnd::Response(response) if response.status == 200 => steps,
        TrailEnd::Response(response) => format!("{steps}, which responds with {}", response.status),
        TrailEnd::NotFollowed => format!("{steps}, which is on another host and not requested"),
        _ => format!("{steps}, which leads to no response"),
    }
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

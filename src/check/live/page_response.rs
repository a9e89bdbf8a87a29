//! Judges the response to the request for a listed page.

use std::borrow::Cow;

use super::sample::ChosenPage;
use crate::decide::{Canonical, Document, NoindexStatement, SentHeader, stated};
use crate::findings::{Code, Finding, Hint, Subject, code};
use crate::hosts::{HeaderName, files_for_path};
use crate::web::{Hop, Trail, TrailEnd, harmless};
use page_signals::{PageFacts, PageReader, ReadOptions};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{Now, quoted};

/// Maximum number of bytes read of a page: Google reads no more (developers.google.com, "Googlebot").
const MAX_PAGE_BYTES: u64 = 15 << 20;

/// The content types of pages (developers.google.com, "File types indexable by Google").
const PAGE_TYPES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// The finding that a server does not answer completely, which says nothing about the URL.
pub(in crate::check) fn unanswered(
    url: &str,
    subject: Subject,
    why: &str,
    hint: Option<Cow<'static, str>>,
) -> Finding {
    let message = format!("`{}` is not answered: {}", quoted(url), harmless(why));
    Finding {
        hint: hint.map(Cow::into_owned),
        ..Finding::new(code::LIVE_UNCHECKED, subject, message)
    }
}

/// Judges the responses to the request for a page. A page that is not answered has the finding
/// `live-unchecked`, because that says nothing about it.
pub(super) fn judge(page: &ChosenPage<'_>, trail: Trail, now: Now) -> Vec<Finding> {
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
    let (body, broken) = response.read_body(MAX_PAGE_BYTES);
    if let Some(why) = broken {
        return vec![not_answered(&why, None)];
    }
    // Headers count for every kind of file, tags only in pages.
    let facts = if is_html(response.content_type.as_deref()) {
        PageReader::new(ReadOptions::default()).facts_of(&body)
    } else {
        PageFacts::default()
    };
    let mut headers = Vec::new();
    for value in &response.robots_tags {
        headers.push(SentHeader::new(HeaderName::XRobotsTag, value));
    }
    for value in &response.links {
        headers.push(SentHeader::new(HeaderName::Link, value));
    }
    contradictions(page.url, &facts, &headers, now)
        .into_iter()
        .map(|(code, what, hint)| finding(code, format!("{what} `{shown}`"), hint))
        .collect()
}

/// The statements of an answer that contradict the entry, as they are followed by its URL, with
/// remedies.
fn contradictions(
    own: &PageUrl,
    facts: &PageFacts,
    headers: &[SentHeader<'_>],
    now: Now,
) -> Vec<(&'static Code, String, &'static str)> {
    let Some((base, file)) = address_of(own) else {
        return Vec::new();
    };
    let document = Document::new(facts, &base, &file, None);
    let statements = stated(&document, headers, own, now);
    let mut found = Vec::new();
    match statements.noindex {
        Some(NoindexStatement::Tag(tag)) => {
            let [name, content] = [tag.value.name.trim(), &tag.value.content].map(quoted);
            let what = format!("`<meta name=\"{name}\" content=\"{content}\">` is in");
            let hint = "remove the page from the sitemap, or the tag from the page";
            found.push((code::LOC_CONTRADICTED, what, hint));
        }
        Some(NoindexStatement::Header(index)) => {
            let value = harmless(headers[index].value);
            let what = format!("the server sends `X-Robots-Tag: {value}` with");
            let hint = "remove the page from the sitemap, or the header from the server's settings";
            found.push((code::LOC_CONTRADICTED, what, hint));
        }
        None => {}
    }
    if let Some(target) = statements.redirect {
        let target = quoted(target.value.as_str());
        let what = format!("a redirect to `{target}` (`http-equiv=\"refresh\"`) is in");
        found.push((code::LOC_CONTRADICTED, what, "list the target"));
    }
    match statements.canonical {
        Canonical::Elsewhere(target) | Canonical::ItselfOutside(target) => {
            let what = format!("the canonical link `{}` is in", quoted(target.url.as_str()));
            found.push((code::LOC_CONTRADICTED, what, "list the canonical page"));
        }
        Canonical::Itself(url) if url != *own => {
            let what = format!("`{}` is the canonical link of", quoted(url.as_str()));
            let hint = "list the URL in the form of the page's canonical link";
            found.push((code::LOC_SPELLING, what, hint));
        }
        Canonical::ItselfDoubled(target) => {
            let what = format!("two slashes are in `{}`, the canonical link of", target.url);
            let hint = "write one slash between the base URL and the path in the template";
            found.push((code::CANONICAL_IGNORED, what, hint));
        }
        Canonical::Itself(_) | Canonical::None | Canonical::Conflict(_) => {}
    }
    found
}

/// The file that most servers answer a URL with, and the root of its host.
fn address_of(url: &PageUrl) -> Option<(BaseUrl, SitePath)> {
    let base = BaseUrl::parse(&format!("{}/", url.origin())).ok()?;
    let path = url.path_and_query().split('?').next()?;
    let mut files = files_for_path(path.trim_start_matches('/')).into_iter();
    Some((base, files.find(SitePath::is_html)?))
}

/// All targets of a redirect, and the last response.
fn steps(hops: &[Hop], end: &TrailEnd) -> String {
    let steps = hops
        .iter()
        .map(|hop| format!("to `{}` ({})", hop.target, hop.status))
        .collect::<Vec<_>>()
        .join(", then ");
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

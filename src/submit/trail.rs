//! Follows the redirects of a URL, and records each.

use url::Url;

use super::error::NetworkError;
use super::outcome::harmless;
use super::response::HttpResponse;

/// Maximum number of redirects; more are a loop (RFC 9110 section 15.4 leaves the number to the
/// client).
const MOST_REDIRECTS: usize = 5;

/// The responses to a URL and to the targets of its redirects.
#[derive(Debug)]
pub struct Trail {
    /// The last URL that was requested.
    pub url: Url,
    /// The redirects that were followed, in order.
    pub hops: Vec<Hop>,
    /// The last response, or why there is none.
    pub end: TrailEnd,
}

/// A redirect.
#[derive(Debug, PartialEq, Eq)]
pub struct Hop {
    /// The HTTP status.
    pub status: u16,
    /// The target, without control characters.
    pub target: String,
}

/// The end of the redirects of a URL.
#[derive(Debug)]
pub enum TrailEnd {
    /// A response that is not a redirect.
    Response(HttpResponse),
    /// The target of the last redirect is on another site, or not a URL, and is not requested.
    NotFollowed,
    /// The last redirect leads to an earlier URL.
    Loop,
    /// There are too many redirects.
    TooMany,
    /// The last URL is not answered.
    NoAnswer(NetworkError),
    /// No more requests are sent.
    Stopped,
}

impl TrailEnd {
    /// The end after one request.
    pub(super) fn of(answer: Result<HttpResponse, NetworkError>) -> Self {
        answer.map_or_else(Self::NoAnswer, Self::Response)
    }
}

impl Trail {
    /// Requests a URL with `get`, and follows the redirects that `stays` accepts.
    pub(super) fn follow(
        url: Url,
        get: impl Fn(&Url) -> TrailEnd,
        stays: fn(&Url, &Url) -> bool,
    ) -> Self {
        let mut hops = Vec::new();
        let mut seen = vec![url.clone()];
        let mut url = url;
        let end = loop {
            let response = match get(&url) {
                TrailEnd::Response(response) => response,
                end => break end,
            };
            let HttpResponse {
                status: status @ (301 | 302 | 303 | 307 | 308),
                location: Some(location),
                ..
            } = &response
            else {
                break TrailEnd::Response(response);
            };
            let target = url.join(location).ok();
            let shown = target.as_ref().map_or(location.as_str(), Url::as_str);
            hops.push(Hop {
                status: *status,
                target: harmless(shown),
            });
            let next = match target.filter(|target| stays(&url, target)) {
                None => break TrailEnd::NotFollowed,
                Some(target) if seen.contains(&target) => break TrailEnd::Loop,
                Some(_) if hops.len() > MOST_REDIRECTS => break TrailEnd::TooMany,
                Some(target) => target,
            };
            url = next;
            seen.push(url.clone());
        };
        Self { url, hops, end }
    }
}

//! Follows the redirects of a URL on its host, and records each.

use url::Url;

use super::error::NetworkError;
use super::fetch::{MOST_REDIRECTS, is_same_site};
use super::outcome::harmless;
use super::polite_client::{PoliteClient, RequestFailure};
use super::response::HttpResponse;

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

impl PoliteClient<'_> {
    /// Requests a URL and follows its redirects on the same site: also from http to https, and
    /// between a host name and the same with `www.`.
    pub fn follow(&self, url: Url) -> Trail {
        let mut hops = Vec::new();
        let mut seen = vec![url.clone()];
        let mut url = url;
        let end = loop {
            let response = match self.get(&url) {
                Ok(response) => response,
                Err(RequestFailure::NoAnswer(why)) => break TrailEnd::NoAnswer(why),
                Err(RequestFailure::Stopped) => break TrailEnd::Stopped,
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
            let next = match target.filter(|target| is_same_site(&url, target)) {
                None => break TrailEnd::NotFollowed,
                Some(target) if seen.contains(&target) => break TrailEnd::Loop,
                Some(_) if hops.len() > MOST_REDIRECTS => break TrailEnd::TooMany,
                Some(target) => target,
            };
            url = next;
            seen.push(url.clone());
        };
        Trail { url, hops, end }
    }
}

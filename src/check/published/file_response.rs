//! The response to the request for a sitemap.

use std::borrow::Cow;

use url::Url;

use super::roots::PublishedRoots;
use crate::check::live::{BodyEnd, FetchedBody};
use crate::submit::{MAX_BYTES, NetworkError, PoliteClient, Trail, TrailEnd, harmless};
use sitemaps::set::SetFile;
use sitemaps::site_paths::Hint;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// The response to the request for a sitemap.
pub(super) enum FileResponse {
    /// The file.
    Body(FetchedBody),
    /// A status other than 200.
    Status(u16),
    /// A file larger than any sitemap.
    TooLarge,
    /// A redirect to another host, which is not followed.
    Elsewhere(String),
    /// Redirects without an end.
    Loop,
    /// No response.
    NoAnswer(NetworkError),
    /// The response ends early.
    Broken(String),
    /// No more requests are sent.
    Stopped,
}

impl FileResponse {
    /// Requests a sitemap.
    pub(super) fn to(client: &PoliteClient<'_>, url: &str) -> Self {
        let Ok(url) = Url::parse(url) else {
            return Self::Status(404);
        };
        let Trail { hops, end, .. } = client.follow(url);
        match end {
            TrailEnd::Response(mut response) if response.status == 200 => {
                let body = FetchedBody::read(&mut response, MAX_BYTES - 1);
                match body.end {
                    BodyEnd::Complete => Self::Body(body),
                    BodyEnd::OverLimit => Self::TooLarge,
                    BodyEnd::Broken(error) => Self::Broken(error),
                }
            }
            TrailEnd::Response(response) => Self::Status(response.status),
            TrailEnd::NotFollowed => {
                let target = hops.into_iter().next_back().map(|hop| hop.target);
                Self::Elsewhere(target.unwrap_or_default())
            }
            TrailEnd::Loop | TrailEnd::TooMany => Self::Loop,
            TrailEnd::NoAnswer(why) => Self::NoAnswer(why),
            TrailEnd::Stopped => Self::Stopped,
        }
    }

    /// Whether the server has no such file.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Status(404 | 410))
    }

    /// The finding about a file that is not read. What is not requested is counted for all files.
    pub(super) fn finding(&self, roots: &PublishedRoots, file: &SetFile) -> Option<Finding> {
        let url = file.place.to_string();
        let unpublished = "publish the sitemap, or remove what names it";
        let (code, what, hint) = match self {
            Self::Body(_) | Self::Stopped => return None,
            Self::Status(status) => {
                let is_missing = matches!(status, 404 | 410);
                let code = if is_missing {
                    code::SITEMAP_MISSING
                } else {
                    code::LIVE_UNCHECKED
                };
                let what = format!("responds with {status}");
                (code, what, is_missing.then(|| unpublished.into()))
            }
            Self::TooLarge => {
                let what = format!("has {MAX_BYTES} bytes or more");
                (code::SITEMAP_LIMITS, what, Some("split it".into()))
            }
            Self::Elsewhere(target) => {
                let what =
                    format!("redirects to `{target}`, which is on another host and not requested");
                (code::LIVE_UNCHECKED, what, Some("name that URL".into()))
            }
            Self::Loop => {
                let what = "redirects without an end".to_owned();
                (code::SITEMAP_INVALID, what, Some(unpublished.into()))
            }
            Self::NoAnswer(why) => {
                let what = format!("is not answered: {}", harmless(&why.to_string()));
                (code::LIVE_UNCHECKED, what, why.hint())
            }
            Self::Broken(why) => {
                let what = format!("is not answered: {}", harmless(why));
                (code::LIVE_UNCHECKED, what, None)
            }
        };
        let named_by = if file.parent.is_none() && roots.in_robots.contains(&url) {
            ", but robots.txt names it"
        } else {
            ""
        };
        let subject = Subject::Url(url.clone(), None);
        let mut finding = Finding::new(code, subject, format!("`{url}` {what}{named_by}"));
        finding.hint = hint.map(Cow::into_owned);
        Some(finding)
    }
}

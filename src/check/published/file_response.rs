//! The response to the request for a sitemap.

use std::borrow::Cow;

use url::Url;

use super::roots::PublishedRoots;
use crate::check::live::{BodyEnd, FetchedBody};
use crate::submit::{MAX_BYTES, NetworkError, PoliteClient, Trail, TrailEnd, harmless};
use site_paths::Hint;
use site_paths::finding::{Finding, Subject, code};
use sitemaps::set::SetFile;

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
            _ if client.stop_reason().is_some() => Self::Stopped,
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

    /// Why nothing is known of the file, in words after its URL.
    pub(super) fn unread_reason(&self) -> Option<String> {
        match self {
            Self::Body(_) | Self::Status(404 | 410) | Self::TooLarge | Self::Loop => None,
            Self::Status(status) => Some(format!("responds with {status}")),
            Self::Elsewhere(target) => Some(format!(
                "redirects to `{target}`, which is on another host and not requested"
            )),
            Self::NoAnswer(why) => Some(format!("is not answered: {}", harmless(&why.to_string()))),
            Self::Broken(why) => Some(format!("is not answered: {}", harmless(why))),
            Self::Stopped => Some("is not requested".to_owned()),
        }
    }

    /// The finding about a file that is not read. A limit of the run is reported once, for all files.
    pub(super) fn finding(self, roots: &PublishedRoots, file: &SetFile) -> Option<Finding> {
        let url = file.place.to_string();
        let is_in_robots = file.parent.is_none() && roots.in_robots.contains(&url);
        let (code, what) = match &self {
            Self::Body(_) | Self::Stopped => return None,
            Self::Status(status @ (404 | 410)) => {
                let code = if is_in_robots {
                    code::ROBOTS_TXT_SITEMAP_UNREADABLE
                } else {
                    code::SITEMAP_MISSING
                };
                (code, Some(format!("responds with {status}")))
            }
            Self::Status(_) => (code::LIVE_STATUS, None),
            Self::TooLarge => (
                code::SITEMAP_LIMITS,
                Some(format!("has {MAX_BYTES} bytes or more")),
            ),
            Self::Elsewhere(_) => (code::SITEMAP_ELSEWHERE, None),
            Self::Loop => (
                code::SITEMAP_INVALID,
                Some("redirects without an end".to_owned()),
            ),
            Self::NoAnswer(_) | Self::Broken(_) => (code::LIVE_UNCHECKED, None),
        };
        let what = what.or_else(|| self.unread_reason()).unwrap_or_default();
        let hint = match &self {
            Self::NoAnswer(why) => why.hint().map(Cow::into_owned),
            Self::Broken(_) => None,
            _ => Some("publish the sitemap, or remove what names it".to_owned()),
        };
        let subject = Subject::Url(url.clone(), None);
        let mut finding = Finding::new(code, subject, format!("`{url}` {what}"));
        finding.hint = hint;
        Some(finding)
    }
}

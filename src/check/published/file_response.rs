//! The response to the request for a sitemap.

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
        let Trail { hops, end } = client.follow(url);
        match end {
            _ if client.stop_reason().is_some() => Self::Stopped,
            TrailEnd::Response(response) if response.status == 200 => {
                let body = FetchedBody::read(response.text, MAX_BYTES - 1);
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

    /// The finding about a file that is not read. A limit of the run is reported once, for all files.
    pub(super) fn finding(self, roots: &PublishedRoots, file: &SetFile) -> Option<Finding> {
        let url = file.place.to_string();
        let (code, what) = match self {
            Self::Body(_) | Self::Stopped => return None,
            Self::Status(status @ 500..) => (code::LIVE_STATUS, format!("responds with {status}")),
            Self::Status(status) => {
                let code = if file.parent.is_some() {
                    code::SITEMAP_MISSING
                } else if roots.in_robots.contains(&url) {
                    code::ROBOTS_TXT_SITEMAP_UNREADABLE
                } else {
                    code::SITEMAP_MISSING
                };
                (code, format!("responds with {status}"))
            }
            Self::TooLarge => (
                code::SITEMAP_LIMITS,
                format!("has {MAX_BYTES} bytes or more"),
            ),
            Self::Elsewhere(target) => (
                code::SITEMAP_ELSEWHERE,
                format!("redirects to `{target}`, which is on another host and not requested"),
            ),
            Self::Loop => (code::SITEMAP_INVALID, "redirects without an end".to_owned()),
            Self::NoAnswer(why) => {
                return Some(not_answered(&url, &why.to_string(), why.hint().as_deref()));
            }
            Self::Broken(why) => return Some(not_answered(&url, &why, None)),
        };
        let hint = "publish the sitemap, or remove what names it";
        let subject = Subject::Url(url.clone(), None);
        Some(Finding::new(code, subject, format!("`{url}` {what}")).with_hint(hint))
    }
}

fn not_answered(url: &str, why: &str, hint: Option<&str>) -> Finding {
    let message = format!("`{url}` is not answered: {}", harmless(why));
    let subject = Subject::Url(url.to_owned(), None);
    let mut finding = Finding::new(code::LIVE_UNCHECKED, subject, message);
    finding.hint = hint.map(str::to_owned);
    finding
}

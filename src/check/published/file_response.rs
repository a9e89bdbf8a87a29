//! The response to the request for a sitemap.

use std::borrow::Cow;

use url::Url;

use crate::check::live::{BodyEnd, FetchedBody};
use crate::submit::{MAX_BYTES, PoliteClient, Trail, TrailEnd, harmless};
use sitemaps::site_paths::Hint;
use sitemaps::site_paths::finding::{Code, Finding, Subject, code};

/// The remedy for a name that leads nowhere.
const UNPUBLISHED: &str = "publish the sitemap, or remove what names it";

/// Why a sitemap is not read.
pub(super) struct UnreadFile {
    pub(super) code: &'static Code,
    what: String,
    hint: Option<Cow<'static, str>>,
}

impl UnreadFile {
    fn new(code: &'static Code, what: impl Into<String>, hint: &'static str) -> Self {
        Self {
            code,
            what: what.into(),
            hint: Some(hint.into()),
        }
    }

    fn unanswered(why: &str, hint: Option<Cow<'static, str>>) -> Self {
        Self {
            code: code::LIVE_UNCHECKED,
            what: format!("is not answered: {}", harmless(why)),
            hint,
        }
    }

    /// The finding about the file.
    pub(super) fn finding(self, url: &str, is_named_by_robots: bool) -> Finding {
        let named_by = if is_named_by_robots {
            ", but robots.txt names it"
        } else {
            ""
        };
        let message = format!("`{url}` {}{named_by}", self.what);
        let mut finding = Finding::new(self.code, Subject::Url(url.to_owned(), None), message);
        finding.hint = self.hint.map(Cow::into_owned);
        finding
    }
}

/// Requests a sitemap; `Err(None)` if no more requests are sent.
pub(super) fn fetch_file(
    client: &PoliteClient<'_>,
    url: &str,
) -> Result<FetchedBody, Option<UnreadFile>> {
    let missing = |status: u16| {
        let what = format!("responds with {status}");
        UnreadFile::new(code::SITEMAP_MISSING, what, UNPUBLISHED)
    };
    let url = Url::parse(url).map_err(|_| missing(404))?;
    let Trail { mut hops, end, .. } = client.follow(url);
    Err(Some(match end {
        TrailEnd::Response(mut response) if response.status == 200 => {
            let body = FetchedBody::read(&mut response, MAX_BYTES - 1);
            match &body.end {
                BodyEnd::Complete => return Ok(body),
                BodyEnd::OverLimit => {
                    let what = format!("has {MAX_BYTES} bytes or more");
                    UnreadFile::new(code::SITEMAP_LIMITS, what, "split it")
                }
                BodyEnd::Broken(why) => UnreadFile::unanswered(why, None),
            }
        }
        TrailEnd::Response(response) => match response.status {
            status @ (404 | 410) => missing(status),
            status => UnreadFile {
                code: code::LIVE_UNCHECKED,
                what: format!("responds with {status}"),
                hint: None,
            },
        },
        TrailEnd::NotFollowed => {
            let target = hops.pop().map(|hop| hop.target).unwrap_or_default();
            let what =
                format!("redirects to `{target}`, which is on another host and not requested");
            UnreadFile::new(code::LIVE_UNCHECKED, what, "name that URL")
        }
        TrailEnd::Endless => UnreadFile::new(
            code::SITEMAP_INVALID,
            "redirects without an end",
            UNPUBLISHED,
        ),
        TrailEnd::NoAnswer(why) => UnreadFile::unanswered(&why.to_string(), why.hint()),
        TrailEnd::Stopped => return Err(None),
    }))
}

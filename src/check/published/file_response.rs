//! The response to the request for a sitemap.

use std::borrow::Cow;
use std::fmt::Display;

use url::Url;

use crate::check::live::{BodyEnd, FetchedBody};
use crate::submit::{MAX_BYTES, PoliteClient, Trail, TrailEnd, harmless};
use sitemaps::site_paths::Hint;
use sitemaps::site_paths::finding::{Code, Finding, Subject, code};

/// The remedy for a name that leads nowhere.
const UNPUBLISHED: &str = "publish the sitemap, or remove what names it";

/// The finding about a sitemap that is not read.
fn unread(
    code: &'static Code,
    url: &str,
    what: impl Display,
    hint: Option<Cow<'static, str>>,
) -> Finding {
    let subject = Subject::Url(url.to_owned(), None);
    let mut finding = Finding::new(code, subject, format!("`{url}` {what}"));
    finding.hint = hint.map(Cow::into_owned);
    finding
}

/// Requests a sitemap; `Err(None)` if no more requests are sent.
pub(super) fn fetch_file(client: &PoliteClient<'_>, url: &str) -> Result<Vec<u8>, Option<Finding>> {
    let missing = |status: u16| {
        let what = format!("responds with {status}");
        unread(code::SITEMAP_MISSING, url, what, Some(UNPUBLISHED.into()))
    };
    let unanswered = |why: &str, hint| {
        let what = format!("is not answered: {}", harmless(why));
        unread(code::LIVE_UNCHECKED, url, what, hint)
    };
    let parsed = Url::parse(url).map_err(|_| missing(404))?;
    let Trail { mut hops, end, .. } = client.follow(parsed);
    Err(Some(match end {
        TrailEnd::Response(mut response) if response.status == 200 => {
            let body = FetchedBody::read(&mut response, MAX_BYTES - 1);
            match &body.end {
                BodyEnd::Complete => return Ok(body.bytes),
                BodyEnd::OverLimit => {
                    let what = format!("has {MAX_BYTES} bytes or more");
                    unread(code::SITEMAP_LIMITS, url, what, Some("split it".into()))
                }
                BodyEnd::Broken(why) => unanswered(why, None),
            }
        }
        TrailEnd::Response(response) => match response.status {
            status @ (404 | 410) => missing(status),
            status => {
                let what = format!("responds with {status}");
                unread(code::LIVE_UNCHECKED, url, what, None)
            }
        },
        TrailEnd::NotFollowed => {
            let target = hops.pop().map(|hop| hop.target).unwrap_or_default();
            let what =
                format!("redirects to `{target}`, which is on another host and not requested");
            unread(
                code::LIVE_UNCHECKED,
                url,
                what,
                Some("name that URL".into()),
            )
        }
        TrailEnd::Endless => {
            let what = "redirects without an end";
            unread(code::SITEMAP_INVALID, url, what, Some(UNPUBLISHED.into()))
        }
        TrailEnd::NoAnswer(why) => unanswered(&why.to_string(), why.hint()),
        TrailEnd::Stopped => return Err(None),
    }))
}

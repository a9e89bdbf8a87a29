//! The response to the request for a sitemap.

use url::Url;

use crate::check::live::{read_body, unanswered};
use crate::web::{MAX_BYTES, PoliteClient, Trail, TrailEnd};
use sitemaps::findings::{Code, Finding, Subject, code};
use sitemaps::site_paths::Hint;

/// The remedy for a name that leads nowhere.
const UNPUBLISHED: &str = "publish the sitemap, or remove what names it";

/// The outcome of a request for a sitemap.
pub(super) enum FetchedFile {
    /// Its bytes.
    Body(Vec<u8>),
    /// Why there are none.
    Unread(Finding),
    /// No more requests are sent.
    NotRequested,
}

/// Requests a sitemap.
pub(super) fn fetch_file(client: &PoliteClient<'_>, url: &str) -> FetchedFile {
    let subject = || Subject::Url(url.to_owned(), None);
    let unread = |code: &'static Code, what: String, hint: Option<&str>| Finding {
        hint: hint.map(str::to_owned),
        ..Finding::new(code, subject(), format!("`{url}` {what}"))
    };
    let missing = |status: u16| {
        let what = format!("responds with {status}");
        unread(code::SITEMAP_MISSING, what, Some(UNPUBLISHED))
    };
    let Ok(parsed) = Url::parse(url) else {
        return FetchedFile::Unread(missing(404));
    };
    let Trail { mut hops, end, .. } = client.follow(parsed);
    FetchedFile::Unread(match end {
        TrailEnd::Response(mut response) if response.status == 200 => {
            match read_body(&mut response, MAX_BYTES - 1) {
                (_, Some(why)) => unanswered(url, subject(), &why, None),
                (bytes, None) if bytes.len() as u64 == MAX_BYTES => {
                    let what = format!("has {MAX_BYTES} bytes or more");
                    unread(code::SITEMAP_LIMITS, what, Some("split it"))
                }
                (bytes, None) => return FetchedFile::Body(bytes),
            }
        }
        TrailEnd::Response(response) => match response.status {
            status @ (404 | 410) => missing(status),
            status => unread(
                code::LIVE_UNCHECKED,
                format!("responds with {status}"),
                None,
            ),
        },
        TrailEnd::NotFollowed => {
            let target = hops.pop().map(|hop| hop.target).unwrap_or_default();
            let what =
                format!("redirects to `{target}`, which is on another host and not requested");
            unread(code::LIVE_UNCHECKED, what, Some("name that URL"))
        }
        TrailEnd::Endless => {
            let what = "redirects without an end".to_owned();
            unread(code::SITEMAP_INVALID, what, Some(UNPUBLISHED))
        }
        TrailEnd::NoAnswer(why) => unanswered(url, subject(), &why.to_string(), why.hint()),
        TrailEnd::Stopped => return FetchedFile::NotRequested,
    })
}

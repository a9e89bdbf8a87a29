//! Requests URLs, follows their redirects, and records each. A client for a server that serves others at the
//! same time sends one request after the other, a few per second, and no more once the server is too busy.

use std::cell::{Cell, RefCell};
use std::io::Read;
use std::thread::sleep;
use std::time::Duration;

use url::Url;

use super::Network;
use super::response::{HttpResponse, harmless};
use crate::findings::HintedError;

/// Maximum number of redirects; more are a loop (RFC 9110 section 15.4 leaves the number to the
/// client).
const MOST_REDIRECTS: usize = 5;

/// Pause before every request but the first: at most four per second.
const INTERVAL: Duration = Duration::from_millis(250);

/// The responses to a URL and to the targets of its redirects.
pub struct Trail {
    /// The last URL that was requested.
    pub url: Url,
    /// The redirects that were followed, in order.
    pub hops: Vec<Hop>,
    /// The last response, or why there is none.
    pub end: TrailEnd,
}

/// A redirect.
#[derive(Debug)]
pub struct Hop {
    /// The HTTP status.
    pub status: u16,
    /// The target, without control characters.
    pub target: String,
}

/// The end of the redirects of a URL.
pub enum TrailEnd {
    /// A response that is not a redirect.
    Response(HttpResponse),
    /// The target of the last redirect is on another site, or not a URL, and is not requested.
    NotFollowed,
    /// The redirects lead to an earlier URL, or there are too many.
    Endless,
    /// The last URL is not answered.
    NoAnswer(HintedError),
    /// No more requests are sent.
    Stopped,
}

impl Network {
    /// Fetches a URL, and follows its redirects on the same site.
    ///
    /// A compressed body is returned as it is: `sitemaps::read_sitemap` decompresses it within its
    /// own limits.
    pub fn fetch(&self, address: &str) -> Result<Box<dyn Read>, HintedError> {
        let url = parse_address(address)?;
        let Trail { mut hops, end, .. } =
            Trail::follow(url.clone(), |url| TrailEnd::of(self.get(url)));
        let (why, hint) = match end {
            TrailEnd::Response(response) if response.status == 200 => return Ok(response.text),
            TrailEnd::Response(HttpResponse { status, .. }) => (
                format!("cannot be fetched: the server responded with {status}"),
                "name the URL of a published sitemap",
            ),
            TrailEnd::NoAnswer(why) => (format!("cannot be fetched: {why}"), "try again later"),
            TrailEnd::NotFollowed => {
                let target = hops.pop().map(|hop| hop.target).unwrap_or_default();
                (
                    format!("redirects to `{target}`, which is not followed"),
                    "use the target of the redirect",
                )
            }
            TrailEnd::Endless | TrailEnd::Stopped => (
                "redirects too many times".to_owned(),
                "use the target of the redirects",
            ),
        };
        Err(HintedError::new(format!("`{url}` {why}"), hint))
    }
}

impl TrailEnd {
    /// The end after one request.
    fn of(answer: Result<HttpResponse, HintedError>) -> Self {
        answer.map_or_else(Self::NoAnswer, Self::Response)
    }
}

impl Trail {
    /// Requests a URL with `get`, and follows the redirects on the same site.
    fn follow(mut url: Url, get: impl Fn(&Url) -> TrailEnd) -> Self {
        let mut hops = Vec::new();
        let mut seen = vec![url.clone()];
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
            match target.filter(|target| is_same_site(&url, target)) {
                None => break TrailEnd::NotFollowed,
                Some(target) if seen.contains(&target) || hops.len() > MOST_REDIRECTS => {
                    break TrailEnd::Endless;
                }
                Some(target) => url = target,
            }
            seen.push(url.clone());
        };
        Self { url, hops, end }
    }
}

/// An HTTP client that limits the load on the server.
pub struct PoliteClient<'a> {
    network: &'a Network,
    /// Whether a request was sent.
    has_started: Cell<bool>,
    /// Why no more requests are sent.
    stopped: RefCell<Option<String>>,
}

impl<'a> PoliteClient<'a> {
    /// A client that has sent nothing yet.
    pub fn new(network: &'a Network) -> Self {
        Self {
            network,
            has_started: Cell::new(false),
            stopped: RefCell::new(None),
        }
    }

    /// Why no more requests are sent, if so.
    pub fn stop_reason(&self) -> Option<String> {
        self.stopped.borrow().clone()
    }

    /// Requests a URL and follows its redirects on the same site.
    pub fn follow(&self, url: Url) -> Trail {
        Trail::follow(url, |url| self.get(url))
    }

    /// Requests a URL. The response of a server that is too busy is returned, but is the last one.
    fn get(&self, url: &Url) -> TrailEnd {
        if self.stopped.borrow().is_some() {
            return TrailEnd::Stopped;
        }
        if self.has_started.replace(true) {
            sleep(INTERVAL);
        }
        let end = TrailEnd::of(self.network.get(url));
        if let TrailEnd::Response(response) = &end
            && (response.status == 429 || response.status == 503 && response.retry_after.is_some())
        {
            // The server asks for fewer requests (RFC 6585 section 4, RFC 9110 section 15.6.4).
            let reason = format!("the server responds with {}", response.status);
            *self.stopped.borrow_mut() = Some(reason);
        }
        end
    }
}

/// Parses an http or https URL as browsers do (WHATWG URL). A user name or password would be shown
/// and sent on.
pub fn parse_address(address: &str) -> Result<Url, HintedError> {
    match Url::parse(address)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    {
        Some(url) if url.username().is_empty() && url.password().is_none() => Ok(url),
        Some(url) => Err(HintedError::new(
            format!(
                "the URL on `{}` contains a user name or password",
                url.host_str().unwrap_or_default()
            ),
            "use the public URL",
        )),
        None => Err(HintedError::new(
            format!("`{}` is not an http or https URL", address.escape_debug()),
            "name a URL such as `https://example.com/sitemap.xml`",
        )),
    }
}

/// Whether a redirect stays on its site: the same scheme, host name with or without `www.`, and port;
/// or from http to https on the default ports.
fn is_same_site(from: &Url, to: &Url) -> bool {
    let [from_host, to_host] = [from, to].map(|url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host)
    });
    let has_default_ports = from.port().is_none() && to.port().is_none();
    let is_same_scheme =
        from.scheme() == to.scheme() || (from.scheme() == "http" && to.scheme() == "https");
    let has_name = !to.username().is_empty() || to.password().is_some();
    let is_renamed = has_default_ports && is_same_scheme && from_host == to_host;
    !has_name && (from.origin() == to.origin() || is_renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_followed_only_on_the_same_site() {
        let check = |from: &str, to: &str, expected: bool| {
            let [from, to] = [from, to].map(|url| Url::parse(url).expect("a valid URL"));
            assert_eq!(is_same_site(&from, &to), expected, "{from} {to}");
        };
        check("https://example.com/a", "https://example.com/b", true);
        check("http://example.com/a", "https://example.com/a", true);
        check("https://example.com/a", "http://example.com/a", false);
        check("https://example.com/a", "https://example.com:444/a", false);
        check("https://example.com/a", "https://u:p@example.com/a", false);
        check("https://example.com/a", "file:///etc/passwd", false);
        check("http://example.com/", "https://www.example.com/", true);
        check("https://www.example.com/", "https://example.com/", true);
        check("https://www.example.com/", "http://example.com/", false);
        check("https://example.com/", "https://docs.example.com/", false);
        check("https://example.com/", "https://www.example.org/", false);
        check(
            "http://example.com:80/",
            "http://www.example.com:81/",
            false,
        );
    }

    #[test]
    fn only_http_and_https_urls_are_fetched() {
        let check = |address: &str, expected: &str| {
            assert_eq!(
                parse_address(address).map_err(|error| error.to_string()),
                Err(expected.to_owned())
            );
        };
        check("sitemap.xml", "`sitemap.xml` is not an http or https URL");
        check(
            "ftp://example.com/",
            "`ftp://example.com/` is not an http or https URL",
        );
        check(
            "https://u:secret@example.com/",
            "the URL on `example.com` contains a user name or password",
        );
    }
}

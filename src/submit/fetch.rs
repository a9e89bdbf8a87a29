//! Fetches a URL, with limits on time and size, and only from the requested host.

use url::Url;

use super::Network;
use super::error::FetchError;
use super::response::{HttpResponse, ResponseBody};
use super::trail::{Hop, Trail, TrailEnd};

impl Network {
    /// Fetches a URL. Redirects are followed on the same host, and never from https to http.
    ///
    /// A compressed body is returned as it is: `sitemaps::read_sitemap` decompresses it within its
    /// own limits.
    pub fn fetch(&self, address: &str) -> Result<ResponseBody, FetchError> {
        let url = parse(address)?;
        let shown = url.to_string();
        match self.follow(url)? {
            HttpResponse {
                status: 200, text, ..
            } => Ok(text),
            HttpResponse { status, .. } => Err(FetchError::Refused { url: shown, status }),
        }
    }

    /// Requests a URL, and returns the first response that is not a redirect.
    pub fn follow(&self, url: Url) -> Result<HttpResponse, FetchError> {
        let shown = url.to_string();
        let get = |url: &Url| TrailEnd::of(self.get(url));
        let Trail { mut hops, end, .. } = Trail::follow(url, get, is_same_host);
        match (end, hops.pop()) {
            (TrailEnd::Response(response), _) => Ok(response),
            (TrailEnd::NoAnswer(why), _) => Err(FetchError::NoAnswer { url: shown, why }),
            (TrailEnd::NotFollowed, Some(Hop { target, .. })) => {
                Err(FetchError::Elsewhere { url: shown, target })
            }
            _ => Err(FetchError::TooManyRedirects(shown)),
        }
    }
}

/// Parses a URL as browsers do (WHATWG URL).
pub fn parse(address: &str) -> Result<Url, FetchError> {
    let none = || FetchError::NotAUrl(address.escape_debug().to_string());
    let url = Url::parse(address).map_err(|_| none())?;
    let host = url
        .host_str()
        .filter(|_| matches!(url.scheme(), "http" | "https"))
        .ok_or_else(none)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::Credentials(host.to_owned()));
    }
    Ok(url)
}

/// Whether a redirect stays on its host: the same scheme and port, or from http to https on the
/// default ports.
pub(super) fn is_same_host(from: &Url, to: &Url) -> bool {
    let is_upgrade = from.scheme() == "http"
        && to.scheme() == "https"
        && from.port().is_none()
        && to.port().is_none();
    let has_name = !to.username().is_empty() || to.password().is_some();
    !has_name && (from.origin() == to.origin() || (is_upgrade && from.host() == to.host()))
}

/// Like [`is_same_host`], also between `example.com` and `www.example.com` on the default ports.
pub(super) fn is_same_site(from: &Url, to: &Url) -> bool {
    let bare = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    let has_default_ports = from.port().is_none() && to.port().is_none();
    let mut on_host = to.clone();
    let is_renamed =
        has_default_ports && bare(from) == bare(to) && on_host.set_host(from.host_str()).is_ok();
    is_same_host(from, if is_renamed { &on_host } else { to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_followed_only_on_the_same_host() {
        let check = |from: &str, to: &str, expected: bool| {
            let [from, to] = [from, to].map(|url| Url::parse(url).expect("a valid URL"));
            assert_eq!(is_same_host(&from, &to), expected, "{from} {to}");
        };
        check("https://example.com/a", "https://example.com/b", true);
        check("http://example.com/a", "https://example.com/a", true);
        check("https://example.com/a", "http://example.com/a", false);
        check("https://example.com/a", "https://www.example.com/a", false);
        check("https://example.com/a", "https://example.com:444/a", false);
        check("https://example.com/a", "https://u:p@example.com/a", false);
        check("https://example.com/a", "file:///etc/passwd", false);
    }

    #[test]
    fn a_site_has_its_host_name_with_and_without_www() {
        let check = |from: &str, to: &str, expected: bool| {
            let [from, to] = [from, to].map(|url| Url::parse(url).expect("a valid URL"));
            assert_eq!(is_same_site(&from, &to), expected, "{from} {to}");
        };
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
                parse(address).map_err(|error| error.to_string()),
                Err(expected.to_owned())
            );
        };
        check(
            "sitemap.xml",
            "`sitemap.xml` is not a URL that starts with `https://` or `http://`",
        );
        check(
            "ftp://example.com/",
            "`ftp://example.com/` is not a URL that starts with `https://` or `http://`",
        );
        check(
            "https://u:secret@example.com/",
            "the URL on `example.com` contains a user name or password",
        );
    }
}

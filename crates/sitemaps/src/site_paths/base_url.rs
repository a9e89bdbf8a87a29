//! URL at which the output directory is served.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use url::{Host, ParseError, Url};

use super::percent::{encode_segments, is_encoded_already};
use super::shared_bytes::SharedBytes;
use super::{PageUrl, SitePath, UrlPart, encode_path, normalize};

/// URL of the output directory: scheme and host in normal form (punycode, no default port), a path
/// that ends in `/`, no query and no fragment.
///
/// The path matters: `https://user.github.io/repo/` is a normal base URL, and every page is below
/// `/repo/`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct BaseUrl(PageUrl);

/// Reason why a text is not a base URL.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct BaseUrlError(String);

/// The second line of the error is the base URL that is probably meant.
impl TryFrom<String> for BaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).map_err(|error| {
            let meant = with_scheme(&text);
            let hint = meant.map(|url| format!("\ndid you mean `{url}`?"));
            format!("is invalid: {error}{}", hint.unwrap_or_default())
        })
    }
}

/// The URL that a text without a scheme means: `example.com`, `localhost:8080/docs`, `https//example.com`.
fn with_scheme(text: &str) -> Option<BaseUrl> {
    let text = text.trim();
    let rest = text
        .strip_prefix("https//")
        .unwrap_or(text)
        .trim_start_matches('/');
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let is_host = host == "localhost" || (host.contains('.') && !host.starts_with('.'));
    let url = format!("https://{rest}");
    is_host.then(|| BaseUrl::parse(&url).ok())?
}

impl From<BaseUrl> for String {
    fn from(base: BaseUrl) -> Self {
        base.to_string()
    }
}

impl BaseUrl {
    /// Parses a base URL. A missing final slash is added, and an IDN host becomes punycode.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let wrong = |why: &str| Err(BaseUrlError(format!("`{}` {why}", text.escape_debug())));
        if text.trim().is_empty() {
            return Err(BaseUrlError(
                "it is empty: is the variable of its value set?".to_owned(),
            ));
        }
        let url = match Url::parse(text.trim()) {
            Ok(url) => url,
            Err(ParseError::InvalidPort) => {
                return wrong("has an invalid port: ports go up to 65535");
            }
            Err(_) => {
                return wrong(
                    "is not an absolute URL: it must begin with `https://` or `http://` and a host",
                );
            }
        };
        if !matches!(url.scheme(), "http" | "https") {
            let scheme = url.scheme();
            return wrong(&format!(
                "begins with `{scheme}:`, but sitemaps list only `http:` and `https:` URLs"
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return wrong("has a query or a fragment, which the URLs below it cannot keep");
        }
        if !url.username().is_empty() || url.password().is_some() {
            let message = "the base URL contains a user name or password, which would be published";
            return Err(BaseUrlError(message.to_owned()));
        }
        if url.domain().is_some_and(|domain| !is_domain(domain)) {
            return wrong("has an invalid host: a domain has only letters, digits, `-` and `.`");
        }
        let origin = url.origin().ascii_serialization();
        let mut path = normalize(url.path(), UrlPart::Path);
        // `https://example.com//` comes of two parts that both have the slash.
        path.truncate(path.trim_end_matches('/').len() + usize::from(path.ends_with('/')));
        if names_file(&path) {
            return wrong("names a file, but the base URL is a directory");
        }
        if !path.ends_with('/') {
            path.push('/');
        }
        Ok(Self(PageUrl::from_normal(&(origin + &path))))
    }

    /// The whole URL, with the final slash.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Scheme, host and port: `https://example.com`.
    pub fn origin(&self) -> &str {
        self.0.origin()
    }

    /// Host and port: `example.com`.
    pub fn host(&self) -> &str {
        self.0.host()
    }

    /// The path; `/` at the root of a host.
    pub fn path(&self) -> &str {
        self.0.path_and_query()
    }

    /// Whether the host is the local machine: `localhost`, as written by development servers.
    pub fn is_local(&self) -> bool {
        Url::parse(self.as_str()).is_ok_and(|url| is_local_url(&url))
    }

    /// Whether the output directory is the root of the host, so that its robots.txt is the host's.
    pub fn is_host_root(&self) -> bool {
        self.path() == "/"
    }

    /// URL of a file in the output directory, under its own name.
    pub fn file_url(&self, file: &SitePath) -> PageUrl {
        self.prefix_url(file, file.as_bytes().len())
    }

    /// URL of a path below the output directory; a path that ends in `/` is a directory.
    pub fn path_url(&self, path: &[u8]) -> PageUrl {
        let mut text = String::with_capacity(self.as_str().len() + path.len());
        text.push_str(self.as_str());
        encode_path(path, &mut text);
        PageUrl::from_normal(&text)
    }

    /// URL of a path below the output directory in which only the `/` between the segments and
    /// unreserved characters are not encoded, as by JavaScript's `encodeURIComponent`.
    pub fn encoded_url(&self, path: &[u8]) -> PageUrl {
        let mut text = self.to_string();
        encode_segments(path, &mut text);
        PageUrl::from_normal(&text)
    }

    /// URL of the first `len` bytes of a file's path: the file itself, its directory, or its name
    /// without the extension.
    pub fn prefix_url(&self, file: &SitePath, len: usize) -> PageUrl {
        let path = &file.as_bytes()[..len];
        if is_encoded_already(path)
            && let Some(piece) = file.0.prefix_with(self.0.as_bytes(), len)
        {
            return PageUrl(piece);
        }
        self.path_url(path)
    }

    /// Moves paths in the output directory to memory that they share with each other and with their
    /// URLs.
    pub fn move_together<'f>(&self, files: impl Iterator<Item = &'f mut SitePath>) {
        let mut pieces: Vec<_> = files.map(|file| &mut file.0).collect();
        SharedBytes::move_together(&mut pieces, self.0.as_bytes());
    }

    /// Resolves a URL, absolute or relative to the home page, as a browser does.
    pub fn resolve(&self, href: &str) -> Option<PageUrl> {
        self.0.resolve(href)
    }

    /// Returns the part of a page's URL after this base, still encoded; `None` if the page is
    /// outside.
    ///
    /// The base without its final slash counts as inside, with an empty path.
    pub fn path_below<'u>(&self, url: &'u PageUrl) -> Option<&'u str> {
        let (text, base) = (url.as_str(), self.as_str());
        match text.strip_prefix(base) {
            Some(rest) => Some(rest),
            None if Some(text) == base.strip_suffix('/') => Some(""),
            None => None,
        }
    }
}

/// Whether a URL refers to the local machine (RFC 6761 section 6.3, the loopback addresses, and the
/// unspecified addresses, which development servers print when they listen on all interfaces).
pub fn is_local_url(url: &Url) -> bool {
    let is_own = |address: core::net::Ipv4Addr| address.is_loopback() || address.is_unspecified();
    match url.host() {
        Some(Host::Domain(name)) => {
            let host = name.strip_suffix('.').unwrap_or(name);
            host == "localhost" || host.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => is_own(address),
        Some(Host::Ipv6(address)) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.to_ipv4_mapped().is_some_and(is_own)
        }
        None => false,
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Whether a host, in the form of punycode, can be a domain. `_` is common in names of staging hosts;
/// `*`, `$` and `{` are of patterns and templates.
fn is_domain(host: &str) -> bool {
    host.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
}

/// Whether a path ends in the name of a page, a sitemap or robots.txt.
fn names_file(path: &str) -> bool {
    let (_, name) = path.rsplit_once('/').unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        ["html", "htm", "xml", "txt"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_normalized() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                BaseUrl::parse(text).map(|base| base.to_string()).as_deref(),
                Ok(expected)
            );
        };
        check("https://example.com", "https://example.com/");
        check("HTTPS://EXAMPLE.com:443/docs", "https://example.com/docs/");
        check("https://example.com:8443/", "https://example.com:8443/");
        check("https://bücher.example/", "https://xn--bcher-kva.example/");
    }

    #[test]
    fn urls_of_the_local_machine_are_detected() {
        let check = |text: &str, expected: bool| {
            assert_eq!(
                is_local_url(&Url::parse(text).expect("a valid URL")),
                expected,
                "{text}"
            );
        };
        for host in [
            "localhost:4000",
            "localhost.",
            "a.localhost",
            "127.0.0.1",
            "0.0.0.0:4000",
            "0",
            "[::1]",
            "[::]",
        ] {
            check(&format!("http://{host}/"), true);
        }
        check("http://[::ffff:127.0.0.1]/", true);
        check("http://192.168.0.1/", false);
        check("https://localhost.example.com/", false);
    }

    #[test]
    fn a_url_that_cannot_be_a_base_is_rejected() {
        let check = |text: &str| assert!(BaseUrl::parse(text).is_err(), "{text}");
        check("file:///srv/www/");
        check("example.com");
        check("/docs/");
        check("https://user:secret@example.com/");
        check("https://example.com/?x=1");
    }
}

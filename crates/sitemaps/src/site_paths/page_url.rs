//! URL of a page in normal form.

use std::fmt;

use url::Url;

use super::percent::is_encoded_already;
use super::shared_bytes::SharedBytes;
use super::{UrlPart, normalize};

/// Maximum length of a `<loc>` in characters, before XML escapes: it must be shorter than 2,048
/// (sitemaps.org protocol, `<loc>`).
pub const MAX_URL_CHARS: usize = 2047;

/// Maximum number of URLs in a sitemap, and of sitemaps in an index (sitemaps.org protocol).
pub const MAX_SITEMAP_ENTRIES: usize = 50_000;

/// Maximum size of either in bytes, uncompressed: 50 MiB (sitemaps.org protocol, since November
/// 2016).
pub const MAX_SITEMAP_BYTES: usize = 52_428_800;

/// An absolute http(s) URL in normal form (RFC 3986 section 6.2.2): scheme and host in lower case,
/// no default port, no dot segments, normalized percent-encoding, no fragment, ASCII only.
///
/// Two URLs that are equivalent by RFC 3986 are equal as text. A clone shares the text, like that
/// of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageUrl(pub(super) SharedBytes);

impl PageUrl {
    /// Creates a URL from a text in normal form.
    pub(super) fn from_normal(text: &str) -> Self {
        Self(SharedBytes::alone(text.as_bytes()))
    }

    /// Resolves an attribute's value against this base as a browser does; a fragment is dropped. `None` if it
    /// does not give the URL of a page.
    pub fn resolve(&self, href: &str) -> Option<Self> {
        let origin = self.origin();
        match plain_path(origin, href) {
            Some(path) if path.len() < href.len() => Some(Self::from_normal(href)),
            Some(path) => Some(Self::from_normal(&[origin, path].concat())),
            None => self.resolve_by_parser(href),
        }
    }

    fn resolve_by_parser(&self, href: &str) -> Option<Self> {
        Self::from_url(&Url::parse(self.as_str()).ok()?.join(href).ok()?)
    }

    /// Parses and normalizes an absolute URL.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_url(&Url::parse(text).ok()?)
    }

    /// Normalizes a parsed URL; `None` for `mailto:`, `javascript:` and other schemes than http and https.
    pub fn from_url(url: &Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let mut text = url.origin().ascii_serialization();
        text.push_str(&normalize(url.path(), UrlPart::Path));
        if let Some(query) = url.query() {
            text.push('?');
            text.push_str(&normalize(query, UrlPart::Query));
        }
        Some(Self::from_normal(&text))
    }

    /// The URL as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("a normalized URL is ASCII")
    }

    /// The bytes of the text, which need no check and sort like it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.as_str()[..self.path_start()]
    }

    /// Path and query.
    pub fn path_and_query(&self) -> &str {
        &self.as_str()[self.path_start()..]
    }

    /// The URL with one slash wherever its path has several: a setting that ends in a slash, before a
    /// path that begins with one. `None` if it has no such place.
    pub fn with_single_slashes(&self) -> Option<Self> {
        let all = self.path_and_query();
        let (path, query) = all.split_at(all.find('?').unwrap_or(all.len()));
        if !path.contains("//") {
            return None;
        }
        let mut text = self.origin().to_owned();
        for part in path.split('/').skip(1).filter(|part| !part.is_empty()) {
            text.push('/');
            text.push_str(part);
        }
        if path.ends_with('/') {
            text.push('/');
        }
        Some(Self::from_normal(&(text + query)))
    }

    /// Host and port: `example.com`.
    pub fn host(&self) -> &str {
        without_scheme(self.origin())
    }

    /// Where the path begins: after the host, which no other slash precedes.
    fn path_start(&self) -> usize {
        let url = self.as_bytes();
        let host = "https://".len() - usize::from(url.starts_with(b"http:"));
        let path = url[host..].iter().position(|&byte| byte == b'/');
        path.map_or(url.len(), |at| host + at)
    }
}

/// Returns the path of an `href` that parsing would not change: a path from the root, alone or in a URL of
/// the same origin, already in normal form. Most are, and parsing is slow.
fn plain_path<'h>(origin: &str, href: &'h str) -> Option<&'h str> {
    let path = href.strip_prefix(origin).unwrap_or(href);
    let is_alone = path.len() == href.len();
    let is_path = path.starts_with('/') && !(is_alone && path.starts_with("//"));
    (is_path && is_encoded_already(path.as_bytes()) && !path.contains("/.")).then_some(path)
}

/// Whether a text begins with the scheme of a web page, as URLs are written.
pub fn has_web_scheme(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// The part of a URL after `://`; the whole text if it has none.
pub fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

impl fmt::Display for PageUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Debug for PageUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubled_slash_is_taken_out_of_a_path_and_not_of_a_query() {
        let check = |path: &str, expected: Option<&str>| {
            let url = PageUrl::from_normal(&format!("https://example.com{path}"));
            let single = url.with_single_slashes();
            let single = single.as_ref().map(PageUrl::path_and_query);
            assert_eq!(single, expected, "{path}");
        };
        check("/", None);
        check("/a/", None);
        check("/a?u=//b", None);
        check("//", Some("/"));
        check("//a/", Some("/a/"));
        check("///a//b.html", Some("/a/b.html"));
        check("/a//?u=//b", Some("/a/?u=//b"));
    }
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    #[test]
    fn an_href_is_resolved_as_in_a_browser() {
        let page = BaseUrl::parse("https://example.com/")
            .expect("a valid base URL")
            .path_url(b"a/p.html");
        let check = |href: &str, expected: Option<&str>| {
            let found = page.resolve(href);
            assert_eq!(found.as_ref().map(PageUrl::as_str), expected, "{href}");
        };
        check("q.html#top", Some("https://example.com/a/q.html"));
        check(
            "HTTPS://EXAMPLE.com:443/a/../%70.html",
            Some("https://example.com/p.html"),
        );
        check(
            " \nhttps://example.com/p\n.html\t",
            Some("https://example.com/p.html"),
        );
        check(
            r"https:\\example.com\p.html",
            Some("https://example.com/p.html"),
        );
        check(
            "/café.html?a=[1]|2",
            Some("https://example.com/caf%C3%A9.html?a=%5B1%5D%7C2"),
        );
        check("//bücher.example/", Some("https://xn--bcher-kva.example/"));
        check("https://[bad/", None);
        check("mailto:a@b.example", None);
    }

    proptest! {
        #[test]
        fn a_url_resolved_without_the_parser_is_the_same_as_with_it(
            href in "(https://example[.]com(:8080)?|https:)?(/{0,2}\
                     ([a.%:;@'?# \\\\|é~-]|%2e|[.]{1,2}/|e[.]com){0,6}){0,3}",
        ) {
            for base in ["https://example.com/", "https://example.com:8080/b/"] {
                let page = BaseUrl::parse(base).expect("a valid base URL").path_url(b"a/p.html");
                prop_assert_eq!(page.resolve(&href), page.resolve_by_parser(&href));
            }
        }
    }
}

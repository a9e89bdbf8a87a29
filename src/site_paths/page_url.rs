//! The address of one page, in the form in which it is written.

use std::fmt;

use thiserror::Error;
use url::Url;

use super::normalize;
use super::percent::is_encoded_already;
use super::shared_bytes::SharedBytes;

/// A `<loc>` is shorter than 2,048 characters (sitemaps.org protocol, `<loc>`), before XML escapes.
pub const MAX_URL_CHARS: usize = 2047;

/// How many addresses a sitemap may hold, and how many sitemaps an index may name (sitemaps.org protocol).
pub const MAX_SITEMAP_ENTRIES: usize = 50_000;

/// How many bytes either may have before it is compressed: 50 MiB (sitemaps.org protocol, since November 2016).
pub const MAX_SITEMAP_BYTES: usize = 52_428_800;

/// An absolute http(s) URL in its normal form (RFC 3986 section 6.2.2): scheme and host in lower case, no default
/// port, no dot segments, one spelling of percent-encoding, no fragment, ASCII only.
///
/// Two addresses that name the same thing by RFC 3986 are equal as text. A clone shares the text, as that of a path does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageUrl(SharedBytes);

/// Why an `href` names no page.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
pub enum ResolveError {
    /// The WHATWG URL parser refuses it.
    #[error("does not parse as a URL")]
    Invalid,
    /// Another scheme than http or https: `mailto:`, `javascript:`, …
    #[error("is no `http:` or `https:` address")]
    Scheme,
    /// Longer than whoever asks takes; [`PageUrl::resolve`] itself takes any length.
    #[error("is too long")]
    TooLong,
}

impl PageUrl {
    /// Takes a text that is in the normal form already.
    pub(super) fn from_normal(text: &str) -> Self {
        Self(SharedBytes::alone(text.as_bytes()))
    }

    /// Takes a piece that is ASCII and in the normal form already.
    pub(super) fn from_piece(piece: SharedBytes) -> Self {
        Self(piece)
    }

    /// Resolves what stands in an attribute against the document's base, as a browser does; a fragment is dropped.
    pub fn resolve(&self, href: &str) -> Result<Self, ResolveError> {
        if let Some(path) = self.plain_path(href) {
            return Ok(Self::from_normal(&[self.origin(), path].concat()));
        }
        self.resolve_by_parser(href)
    }

    /// What parsing would leave as it is: a path from the host's root, alone or in an address of this very origin, of
    /// which nothing is to be decoded, encoded or folded. Most addresses are, and it takes long to parse one.
    fn plain_path<'h>(&self, href: &'h str) -> Option<&'h str> {
        let path = href.strip_prefix(self.origin()).unwrap_or(href);
        let is_alone = path.len() == href.len();
        let is_path = path.starts_with('/') && !(is_alone && path.starts_with("//"));
        (is_path && is_encoded_already(path.as_bytes()) && !path.contains("/.")).then_some(path)
    }

    fn resolve_by_parser(&self, href: &str) -> Result<Self, ResolveError> {
        let base = Url::parse(self.as_str()).map_err(|_| ResolveError::Invalid)?;
        let url = base.join(href).map_err(|_| ResolveError::Invalid)?;
        Self::from_url(&url)
    }

    /// Brings a parsed URL to the normal form.
    pub fn from_url(url: &Url) -> Result<Self, ResolveError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ResolveError::Scheme);
        }
        let mut text = url.origin().ascii_serialization();
        text.push_str(&normalize(url.path(), b""));
        if let Some(query) = url.query() {
            text.push('?');
            text.push_str(&normalize(query, b"?"));
        }
        Ok(Self::from_normal(&text))
    }

    /// The URL as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.0.as_bytes()).expect("an address is ASCII")
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.as_str()[..self.path_start()]
    }

    /// Path and query.
    pub fn path_and_query(&self) -> &str {
        &self.as_str()[self.path_start()..]
    }

    /// Host and port: `example.com`.
    pub fn host(&self) -> &str {
        without_scheme(self.origin())
    }

    fn path_start(&self) -> usize {
        let text = self.as_str();
        let host = text.len() - without_scheme(text).len();
        text[host..].find('/').map_or(text.len(), |at| host + at)
    }
}

/// What follows the `://` of an address; all of a text that has none.
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
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    #[test]
    fn an_href_is_resolved_as_a_browser_would() {
        let page = BaseUrl::parse("https://example.com/")
            .expect("a base")
            .of_path(b"a/p.html");
        let check = |href: &str, expected: Result<&str, ResolveError>| {
            assert_eq!(
                page.resolve(href)
                    .as_ref()
                    .map(PageUrl::as_str)
                    .map_err(|&error| error),
                expected,
                "{href}"
            );
        };
        check("q.html#top", Ok("https://example.com/a/q.html"));
        check(
            "HTTPS://EXAMPLE.com:443/a/../%70.html",
            Ok("https://example.com/p.html"),
        );
        check(
            " \nhttps://example.com/p\n.html\t",
            Ok("https://example.com/p.html"),
        );
        check(
            r"https:\\example.com\p.html",
            Ok("https://example.com/p.html"),
        );
        check(
            "/café.html?a=[1]|2",
            Ok("https://example.com/caf%C3%A9.html?a=%5B1%5D%7C2"),
        );
        check("//bücher.example/", Ok("https://xn--bcher-kva.example/"));
        check("https://[bad/", Err(ResolveError::Invalid));
        check("mailto:a@b.example", Err(ResolveError::Scheme));
    }

    proptest! {
        #[test]
        fn an_address_that_needs_no_parser_is_the_one_that_it_would_give(
            href in "(https://example[.]com(:8080)?|https:)?(/{0,2}([a.%:;@'?# \\\\|é~-]|%2e|[.]{1,2}/|e[.]com){0,6}){0,3}",
        ) {
            for base in ["https://example.com/", "https://example.com:8080/b/"] {
                let page = BaseUrl::parse(base).expect("a base").of_path(b"a/p.html");
                prop_assert_eq!(page.resolve(&href), page.resolve_by_parser(&href));
            }
        }
    }
}

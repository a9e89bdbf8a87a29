//! The address at which the output folder is served.

use std::fmt;

use thiserror::Error;
use url::{Host, Url};

use super::percent::is_encoded_already;
use super::shared_bytes::SharedBytes;
use super::{PageUrl, SitePath, encode_path, normalize, without_scheme};

/// The URL of the output folder: scheme and host in their normal form (punycode, no default port), a path that ends
/// in `/`, and nothing after it.
///
/// The path counts: `https://user.github.io/repo/` is a normal base URL, and every page lies below `/repo/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl {
    text: String,
    /// Where the path begins in `text`: just after the host and port.
    path_start: usize,
}

/// Why a text is no base URL.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BaseUrlError {
    /// It does not parse as an absolute URL.
    #[error("`{0}` is not an absolute URL: it begins with `https://` or `http://` and a host")]
    NotAbsolute(String),
    /// It has another scheme than http or https.
    #[error("`{0}` begins with `{1}:`, but a sitemap lists only `http:` and `https:` addresses")]
    Scheme(String, String),
    /// It has a query or a fragment.
    #[error("`{0}` has a query or a fragment, which no page below it could keep")]
    Query(String),
    /// It has a user name or password.
    #[error("the base URL holds a user name or password, which would be published")]
    Credentials,
}

impl BaseUrl {
    /// Reads a base URL; a missing final slash is added, and an IDN host becomes punycode.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let shown = || text.escape_debug().to_string();
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotAbsolute(shown()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BaseUrlError::Scheme(shown(), url.scheme().to_owned()));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Query(shown()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials);
        }
        let origin = url.origin().ascii_serialization();
        let mut path = normalize(url.path(), b"");
        if !path.ends_with('/') {
            path.push('/');
        }
        Ok(Self {
            path_start: origin.len(),
            text: origin + &path,
        })
    }

    /// The whole URL, with its final slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port: `https://example.com`.
    pub fn origin(&self) -> &str {
        &self.text[..self.path_start]
    }

    /// Host and port: `example.com`.
    pub fn host(&self) -> &str {
        without_scheme(self.origin())
    }

    /// The path, `/` at a host's root.
    pub fn path(&self) -> &str {
        &self.text[self.path_start..]
    }

    /// Whether the host is the very machine on which a browser runs: `localhost`, as servers of drafts write it.
    pub fn is_of_this_machine(&self) -> bool {
        Url::parse(&self.text).is_ok_and(|url| is_of_this_machine(&url))
    }

    /// Whether the output folder is what the host serves at its root, so that its robots.txt is the host's.
    pub fn is_host_root(&self) -> bool {
        self.path() == "/"
    }

    /// The address of a file of the output folder, under its own name.
    pub fn of_file(&self, file: &SitePath) -> PageUrl {
        self.of_path(file.as_bytes())
    }

    /// The address of a path below the output folder; a path that ends in `/` names a folder.
    pub fn of_path(&self, path: &[u8]) -> PageUrl {
        let mut text = String::with_capacity(self.text.len() + path.len());
        text.push_str(&self.text);
        encode_path(path, &mut text);
        PageUrl::from_normal(&text)
    }

    /// The address of the first `len` bytes of a file's path: of the file itself, of its folder, or of its name without
    /// the ending.
    pub fn of_beginning(&self, file: &SitePath, len: usize) -> PageUrl {
        let path = &file.as_bytes()[..len];
        let shared = || file.piece().beginning_with(self.text.as_bytes(), len);
        match is_encoded_already(path).then(shared).flatten() {
            Some(piece) => PageUrl::from_piece(piece),
            None => self.of_path(path),
        }
    }

    /// Moves files of the output folder to memory that they share with each other and with their addresses.
    pub fn move_together<'f>(&self, files: impl Iterator<Item = &'f mut SitePath>) {
        let mut pieces: Vec<_> = files.map(SitePath::piece_mut).collect();
        SharedBytes::move_together(&mut pieces, self.text.as_bytes());
    }

    /// What follows this base in a page's address, still encoded; `None` where the page lies outside it.
    ///
    /// The folder's own address without its final slash is inside, as the empty path.
    pub fn path_below<'u>(&self, url: &'u PageUrl) -> Option<&'u str> {
        let text = url.as_str();
        match text.strip_prefix(self.text.as_str()) {
            Some(rest) => Some(rest),
            None if Some(text) == self.text.strip_suffix('/') => Some(""),
            None => None,
        }
    }
}

/// Whether an address leads to the very machine that asks for it (RFC 6761 section 6.3, the loopback addresses, and those
/// by which servers of drafts say that they listen everywhere).
pub fn is_of_this_machine(url: &Url) -> bool {
    let is_own = |address: core::net::Ipv4Addr| address.is_loopback() || address.is_unspecified();
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
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
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_brought_to_its_normal_form() {
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
    fn addresses_of_this_very_machine_are_known() {
        let check = |text: &str, expected: bool| {
            assert_eq!(
                is_of_this_machine(&Url::parse(text).expect("a URL")),
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
    fn what_no_page_can_lie_below_is_refused() {
        let check = |text: &str| assert!(BaseUrl::parse(text).is_err(), "{text}");
        check("file:///srv/www/");
        check("example.com");
        check("/docs/");
        check("https://user:secret@example.com/");
        check("https://example.com/?x=1");
    }
}

//! An HTTP response, with a body that fails if it is too long or too slow.

use std::io::Read;

use sitemaps::site_paths::escaped;

/// Maximum number of bytes read of one response. A sitemap has at most 50 MiB uncompressed
/// (sitemaps.org protocol).
pub const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of characters shown of a text from a server.
const MOST_SHOWN: usize = 200;

/// The first response to a request, whatever its status.
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The `Location` header, as received.
    pub location: Option<String>,
    /// The `Retry-After` header, as received.
    pub retry_after: Option<String>,
    /// The `Content-Type` header, as received.
    pub content_type: Option<String>,
    /// The `Content-Encoding` header, as received. The body is not decoded.
    pub content_encoding: Option<String>,
    /// The values of all `X-Robots-Tag` headers, as received.
    pub robots_tags: Vec<String>,
    /// The values of all `Link` headers, as received.
    pub links: Vec<String>,
    /// The body, of which at most [`MAX_BYTES`] can be read.
    pub text: Box<dyn Read>,
}

/// Makes a text from a remote server safe to show in a terminal: truncated, with control characters
/// escaped.
pub fn harmless(text: &str) -> String {
    escaped(&text.chars().take(MOST_SHOWN).collect::<String>()).into_owned()
}

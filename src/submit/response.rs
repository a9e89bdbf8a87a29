//! An HTTP response, with a body that fails if it is too long or too slow.

use std::fmt;
use std::io::{self, Read};

/// Maximum number of bytes read of one response. A sitemap has at most 50 MiB uncompressed
/// (sitemaps.org protocol).
pub const MAX_BYTES: u64 = 64 << 20;

/// The first response to a request, whatever its status.
#[derive(Debug)]
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
    /// The body.
    pub text: ResponseBody,
}

/// A response body, limited to [`MAX_BYTES`].
pub struct ResponseBody {
    body: Box<dyn Read>,
    left: u64,
}

impl ResponseBody {
    /// Limits a body to [`MAX_BYTES`].
    pub fn new(body: Box<dyn Read>) -> Self {
        Self {
            body,
            left: MAX_BYTES,
        }
    }
}

impl Read for ResponseBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left
            .ok_or_else(|| io::Error::other(format!("the response exceeds {MAX_BYTES} bytes")))?;
        Ok(read)
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ResponseBody {{ left: {} }}", self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_body_fails_at_the_limit() {
        let read = io::copy(
            &mut ResponseBody::new(Box::new(io::repeat(b'x'))),
            &mut io::sink(),
        );
        assert_eq!(
            read.map_err(|error| error.to_string()),
            Err("the response exceeds 67108864 bytes".to_owned())
        );
    }
}

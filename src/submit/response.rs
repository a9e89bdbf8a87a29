//! An answer as it comes: what its head says, and a body that ends with an error where it is too long or too slow.

use std::fmt;
use std::io::{self, Read};

/// No more than this is read of one answer. A sitemap has 50 MiB at most (sitemaps.org protocol), before it is packed.
pub const MOST_BYTES: u64 = 64 << 20;

/// The first answer to a request, whatever it says.
#[derive(Debug)]
pub struct HttpResponse {
    /// The status of HTTP.
    pub status: u16,
    /// `Location`: where it leads, as it is written.
    pub location: Option<String>,
    /// `Retry-After`: when to come again, as it is written.
    pub retry_after: Option<String>,
    /// What follows the head.
    pub text: ResponseBody,
}

/// The body of an answer, as it comes.
pub struct ResponseBody {
    body: Box<dyn Read>,
    left: u64,
}

impl ResponseBody {
    /// Binds a body to [`MOST_BYTES`].
    pub fn new(body: Box<dyn Read>) -> Self {
        Self {
            body,
            left: MOST_BYTES,
        }
    }
}

impl Read for ResponseBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left
            .ok_or_else(|| io::Error::other(format!("there is no end after {MOST_BYTES} bytes")))?;
        Ok(read)
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Text {{ left: {} }}", self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_for_ever() {
        let read = io::copy(
            &mut ResponseBody::new(Box::new(io::repeat(b'x'))),
            &mut io::sink(),
        );
        assert_eq!(
            read.map_err(|error| error.to_string()),
            Err("there is no end after 67108864 bytes".to_owned())
        );
    }
}

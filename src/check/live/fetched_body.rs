//! A response body in memory, up to a limit.

use std::io::Read;

use crate::submit::HttpResponse;
use sitemaps::gzip;

/// The beginning of a body, and why the rest is missing.
#[derive(Debug)]
pub(in crate::check) struct FetchedBody {
    /// The bytes that were received.
    pub(in crate::check) bytes: Vec<u8>,
    /// Why there are no more.
    pub(in crate::check) end: BodyEnd,
}

/// The end of a body.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::check) enum BodyEnd {
    /// It is complete.
    Complete,
    /// It is longer than the limit.
    OverLimit,
    /// The connection failed, or the time is over.
    Broken(String),
}

impl FetchedBody {
    /// Reads up to `limit` bytes of a response's body.
    pub(in crate::check) fn read(response: &mut HttpResponse, limit: u64) -> Self {
        let mut bytes = Vec::new();
        let encoding = response.content_encoding.as_deref();
        let is_gzip = encoding.is_some_and(|encoding| encoding.eq_ignore_ascii_case("gzip"));
        let end = match response
            .text
            .by_ref()
            .take(limit + 1)
            .read_to_end(&mut bytes)
        {
            Err(error) => BodyEnd::Broken(error.to_string()),
            Ok(_) if is_gzip && !bytes.starts_with(&gzip::MAGIC) => {
                BodyEnd::Broken("its body is not gzip, as its `Content-Encoding` says".to_owned())
            }
            Ok(_) if bytes.len() as u64 > limit => BodyEnd::OverLimit,
            Ok(_) => BodyEnd::Complete,
        };
        Self { bytes, end }
    }
}

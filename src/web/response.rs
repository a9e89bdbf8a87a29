//! An HTTP response, with a body that fails if it is too long or too slow; and the reply that it is to a
//! submission: its outcome for the exit code, and its meaning in words.

use std::io::Read;

use serde::Serialize;

use crate::findings::HintedError;
use sitemaps::gzip;
use sitemaps::site_paths::escaped;

/// Maximum number of bytes read of one response. A sitemap has at most 50 MiB uncompressed
/// (sitemaps.org protocol).
pub const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of characters shown of a text from a server.
const MOST_SHOWN: usize = 200;

/// Maximum number of body bytes searched for the first line.
const MOST_TEXT: u64 = 4096;

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

impl HttpResponse {
    /// Reads the body up to one byte over `limit`. Returns the bytes that were received, and why the rest
    /// of them is missing.
    pub fn read_body(&mut self, limit: u64) -> (Vec<u8>, Option<String>) {
        let mut bytes = Vec::new();
        let read = self.text.by_ref().take(limit + 1).read_to_end(&mut bytes);
        let encoding = self.content_encoding.as_deref();
        let is_gzip = encoding.is_some_and(|encoding| encoding.eq_ignore_ascii_case("gzip"));
        let broken = match read {
            Err(error) => Some(error.to_string()),
            Ok(_) if is_gzip && !bytes.starts_with(&gzip::MAGIC) => {
                Some("its body is not gzip, as its `Content-Encoding` says".to_owned())
            }
            Ok(_) => None,
        };
        (bytes, broken)
    }
}

/// Makes a text from a remote server safe to show in a terminal: truncated, with control characters
/// escaped.
pub fn harmless(text: &str) -> String {
    escaped(&text.chars().take(MOST_SHOWN).collect::<String>()).into_owned()
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestOutcome {
    /// It was accepted.
    #[serde(rename = "taken")]
    Accepted,
    /// It was rejected, and would be rejected again if sent unchanged.
    Refused,
    /// There was no response, or one that may differ later.
    #[default]
    Transient,
}

/// The response to a request, for users and scripts.
#[derive(Debug, Default, Serialize)]
pub struct Reply {
    /// The outcome for the sender of the request.
    pub outcome: RequestOutcome,
    /// The HTTP status; `None` if there was no response.
    pub status: Option<u16>,
    /// When to retry: seconds or a date as received, without control characters.
    pub retry_after: Option<String>,
    /// The redirect target.
    pub location: Option<String>,
    /// The first non-blank line of the body, truncated, without control characters.
    pub text: Option<String>,
    /// Why there was no response.
    pub error: Option<String>,
}

impl Reply {
    /// Summarizes a response, or its absence.
    pub fn of(answer: Result<HttpResponse, HintedError>) -> Self {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return Self {
                    error: Some(error.to_string()),
                    ..Self::default()
                };
            }
        };
        let outcome = match answer.status {
            200..=299 => RequestOutcome::Accepted,
            408 | 425 | 429 | 500..=599 => RequestOutcome::Transient,
            _ => RequestOutcome::Refused,
        };
        let mut text = Vec::new();
        // The status is valid even if the body cannot be read.
        let _ = answer.text.take(MOST_TEXT).read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        Self {
            outcome,
            status: Some(answer.status),
            retry_after: answer.retry_after.as_deref().map(harmless),
            location: answer.location.as_deref().map(harmless),
            text: line.map(harmless),
            error: None,
        }
    }

    /// The meaning of the status in IndexNow (indexnow.org, "Documentation", response codes).
    pub fn meaning(&self) -> &'static str {
        match self.status {
            Some(202) => "accepted; the key is not verified yet",
            Some(400) => "rejected: the message format is invalid",
            Some(403) => {
                "rejected: the key is not valid; its file is not published yet, \
                 or contains another key"
            }
            Some(422) => "rejected: a URL is not on this host, or the key format is invalid",
            Some(429) => "too many requests; try again later",
            Some(200..=299) => "accepted",
            Some(300..=399) => "redirected, which is not followed",
            Some(408 | 425 | 500..=599) => "server error; try again later",
            _ => "rejected",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, text: &'static [u8]) -> Reply {
        Reply::of(Ok(HttpResponse {
            status,
            location: None,
            retry_after: Some("1\u{1b}[2J".to_owned()),
            content_type: None,
            content_encoding: None,
            robots_tags: Vec::new(),
            links: Vec::new(),
            text: Box::new(text),
        }))
    }

    #[test]
    fn every_status_has_one_of_three_outcomes() {
        let check = |statuses: &[u16], expected: RequestOutcome| {
            for &status in statuses {
                assert_eq!(reply(status, b"").outcome, expected, "{status}");
            }
        };
        check(&[200, 202, 204], RequestOutcome::Accepted);
        check(
            &[301, 302, 307, 400, 401, 403, 404, 405, 410, 413, 422],
            RequestOutcome::Refused,
        );
        check(&[408, 429, 500, 502, 503, 504], RequestOutcome::Transient);
    }

    #[test]
    fn a_response_cannot_control_the_terminal() {
        let check = |text: &'static [u8], expected: Option<&str>| {
            assert_eq!(reply(200, text).text.as_deref(), expected);
        };
        check(b"", None);
        check(b"\r\n  OK \nmore", Some("OK"));
        check(
            b"\x1b]0;title\x07\xff",
            Some("\\u{1b}]0;title\\u{7}\u{fffd}"),
        );
        assert_eq!(
            reply(200, &[b'x'; 9999]).text.map(|line| line.len()),
            Some(200)
        );
        assert_eq!(reply(429, b"").retry_after.as_deref(), Some("1\\u{1b}[2J"));
    }
}

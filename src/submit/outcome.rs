//! Interprets a response: its outcome for the exit code, and its meaning in words.

use std::io::Read;

use serde::Serialize;

use super::response::HttpResponse;
use sitemaps::site_paths::escaped;

/// Maximum number of body bytes searched for the first line.
const MOST_TEXT: u64 = 4096;

/// Maximum number of characters shown of the first line.
const MOST_SHOWN: usize = 200;

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestOutcome {
    /// It was accepted.
    #[serde(rename = "taken")]
    Accepted,
    /// It was rejected, and would be rejected again if sent unchanged.
    Refused,
    /// There was no response, or one that may differ later.
    Transient,
}

/// A summary of a response, for users and scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplySummary {
    /// The HTTP status.
    pub status: u16,
    /// When to retry: seconds or a date as received, without control characters.
    pub retry_after: Option<String>,
    /// The redirect target.
    pub location: Option<String>,
    /// The first non-blank line of the body, truncated, without control characters; if the body
    /// cannot be read, the error in parentheses.
    #[serde(rename = "text")]
    pub first_line: Option<String>,
}

impl ReplySummary {
    /// Summarizes a response.
    pub fn read(answer: HttpResponse) -> Self {
        let mut text = Vec::new();
        // The status is valid even if the body cannot be read.
        let read = answer.text.take(MOST_TEXT).read_to_end(&mut text);
        let first_line = first_line(&String::from_utf8_lossy(&text)).or_else(|| {
            let error = read.err()?;
            Some(harmless(&format!("(the body cannot be read: {error})")))
        });
        let [retry_after, location] =
            [answer.retry_after, answer.location].map(|text| text.map(|text| harmless(&text)));
        Self {
            status: answer.status,
            retry_after,
            location,
            first_line,
        }
    }

    /// The outcome for the sender of the request.
    pub fn outcome(&self) -> RequestOutcome {
        match self.status {
            200..=299 => RequestOutcome::Accepted,
            408 | 425 | 429 | 500..=599 => RequestOutcome::Transient,
            _ => RequestOutcome::Refused,
        }
    }

    /// The meaning of the status in IndexNow (indexnow.org, "Documentation", response codes).
    pub fn meaning(&self) -> &'static str {
        match self.status {
            202 => "accepted; the key is not verified yet",
            400 => "rejected: the message format is invalid",
            403 => {
                "rejected: the key is not valid; its file is not published yet, \
                 or contains another key"
            }
            422 => "rejected: a URL is not on this host, or the key format is invalid",
            429 => "too many requests; try again later",
            200..=299 => "accepted",
            300..=399 => "redirected, which is not followed",
            408 | 425 | 500..=599 => "server error; try again later",
            _ => "rejected",
        }
    }
}

fn first_line(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(harmless)
}

/// Makes a text from a remote server safe to show in a terminal: truncated, with control characters
/// escaped.
pub fn harmless(text: &str) -> String {
    escaped(&text.chars().take(MOST_SHOWN).collect::<String>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submit::response::ResponseBody;

    fn reply(status: u16, text: &'static [u8]) -> ReplySummary {
        let text = ResponseBody::new(Box::new(text));
        ReplySummary::read(HttpResponse {
            status,
            location: None,
            retry_after: Some("1\u{1b}[2J".to_owned()),
            content_type: None,
            content_encoding: None,
            robots_tags: Vec::new(),
            links: Vec::new(),
            text,
        })
    }

    #[test]
    fn every_status_has_one_of_three_outcomes() {
        let check = |statuses: &[u16], expected: RequestOutcome| {
            for &status in statuses {
                assert_eq!(reply(status, b"").outcome(), expected, "{status}");
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
            assert_eq!(reply(200, text).first_line.as_deref(), expected);
        };
        check(b"", None);
        check(b"\r\n  OK \nmore", Some("OK"));
        check(
            b"\x1b]0;title\x07\xff",
            Some("\\u{1b}]0;title\\u{7}\u{fffd}"),
        );
        assert_eq!(
            reply(200, &[b'x'; 9999]).first_line.map(|line| line.len()),
            Some(MOST_SHOWN)
        );
        assert_eq!(reply(429, b"").retry_after.as_deref(), Some("1\\u{1b}[2J"));
    }
}

//! An answer → what it means, in words and for the exit code.

use std::io::Read;

use super::index_now::IndexNowSender;
use super::response::HttpResponse;
use crate::site_paths::escaped;

/// So much of an answer's text is looked at for its first line.
const MOST_TEXT: u64 = 4096;

/// So many characters of the first line are shown.
const MOST_SHOWN: usize = 200;

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestOutcome {
    /// It was taken.
    Taken,
    /// It was refused: sent again as it is, it would be refused again.
    Refused,
    /// There was no answer, or one that may be another later.
    Transient,
}

/// What came back, as far as people and machines want to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplySummary {
    /// The status of HTTP.
    pub status: u16,
    /// When to come again: seconds or a date, as the answer has it, without control characters.
    pub retry_after: Option<String>,
    /// Where it leads.
    pub location: Option<String>,
    /// The first line of text that is not blank, cut short, without control characters.
    pub first_line: Option<String>,
}

impl RequestOutcome {
    /// The outcome in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Refused => "refused",
            Self::Transient => "transient",
        }
    }
}

impl ReplySummary {
    /// The same without the sender's key, which an answer may repeat.
    #[must_use]
    pub fn masked(mut self, sender: &IndexNowSender) -> Self {
        for text in [
            &mut self.retry_after,
            &mut self.location,
            &mut self.first_line,
        ]
        .into_iter()
        .flatten()
        {
            *text = sender.masked(text);
        }
        self
    }

    /// Reads what an answer says of itself.
    pub fn read(answer: HttpResponse) -> Self {
        let mut text = Vec::new();
        // The status stands whatever becomes of the text.
        let first_line = match answer.text.take(MOST_TEXT).read_to_end(&mut text) {
            Ok(_) | Err(_) => first_line(&String::from_utf8_lossy(&text)),
        };
        let [retry_after, location] =
            [answer.retry_after, answer.location].map(|text| text.map(|text| harmless(&text)));
        Self {
            status: answer.status,
            retry_after,
            location,
            first_line,
        }
    }

    /// What it means for whoever sent the request.
    pub fn outcome(&self) -> RequestOutcome {
        match self.status {
            200..=299 => RequestOutcome::Taken,
            408 | 425 | 429 | 500..=599 => RequestOutcome::Transient,
            _ => RequestOutcome::Refused,
        }
    }

    /// What it means in IndexNow (indexnow.org, "Documentation", response codes).
    pub fn meaning(&self) -> &'static str {
        match self.status {
            202 => "taken; the key is still to be checked",
            400 => "refused: the message has a form that it does not know",
            403 => {
                "refused: the key is not valid: its file is not at its address yet, or holds another key"
            }
            422 => {
                "refused: an address is not of this host, or the key is not of the protocol's form"
            }
            429 => "too many requests: come later",
            200..=299 => "taken",
            300..=399 => "it is redirected, and that is not followed",
            408 | 425 | 500..=599 => "the engine has trouble of its own: come later",
            _ => "refused",
        }
    }
}

fn first_line(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(harmless)
}

/// A text of a stranger's as it may be shown on a terminal: short, and nothing in it steers.
pub fn harmless(text: &str) -> String {
    escaped(&text.chars().take(MOST_SHOWN).collect::<String>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submit::ResponseBody;

    fn reply(status: u16, text: &'static [u8]) -> ReplySummary {
        let text = ResponseBody::new(Box::new(text));
        ReplySummary::read(HttpResponse {
            status,
            location: None,
            retry_after: Some("1\u{1b}[2J".to_owned()),
            text,
        })
    }

    #[test]
    fn every_status_means_one_of_three_things() {
        let check = |statuses: &[u16], expected: RequestOutcome| {
            for &status in statuses {
                assert_eq!(reply(status, b"").outcome(), expected, "{status}");
            }
        };
        check(&[200, 202, 204], RequestOutcome::Taken);
        check(
            &[301, 302, 307, 400, 401, 403, 404, 405, 410, 413, 422],
            RequestOutcome::Refused,
        );
        check(&[408, 429, 500, 502, 503, 504], RequestOutcome::Transient);
    }

    #[test]
    fn what_a_stranger_says_cannot_steer_a_terminal() {
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

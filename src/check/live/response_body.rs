//! The body of a response in memory, and the finding that there is none.

use std::borrow::Cow;
use std::io::Read;

use crate::findings::{Finding, Subject, code};
use crate::web::{HttpResponse, harmless};
use sitemaps::{gzip, quoted};

/// Reads a body up to one byte over `limit`. Returns the bytes that were received, and why the rest
/// of them is missing.
pub(in crate::check) fn read_body(
    response: &mut HttpResponse,
    limit: u64,
) -> (Vec<u8>, Option<String>) {
    let mut bytes = Vec::new();
    let mut body = response.text.by_ref().take(limit + 1);
    let read = body.read_to_end(&mut bytes);
    let encoding = response.content_encoding.as_deref();
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

/// The finding that a server does not answer completely, which says nothing about the URL.
pub(in crate::check) fn unanswered(
    url: &str,
    subject: Subject,
    why: &str,
    hint: Option<Cow<'static, str>>,
) -> Finding {
    let message = format!("`{}` is not answered: {}", quoted(url), harmless(why));
    Finding {
        hint: hint.map(Cow::into_owned),
        ..Finding::new(code::LIVE_UNCHECKED, subject, message)
    }
}

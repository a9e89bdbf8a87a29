//! Sends HTTP requests. No other file uses ureq.
//!
//! Returns the first response, whatever its status; a redirect is a response too. Certificates are
//! checked against Mozilla's root certificates. Proxies are taken from the environment, as in curl.

use std::io::{self, Read};
use std::time::Duration;

use ureq::http::{HeaderMap, HeaderName, Response, header};
use ureq::{Agent, Body};
use url::Url;

use super::response::{HttpResponse, MAX_BYTES};
use crate::findings::HintedError;
use crate::release;

/// An HTTP client.
#[derive(Debug)]
pub struct Network {
    agent: Agent,
    timeout: Duration,
}

impl Network {
    /// Creates a client with a time limit for each request, including the whole response.
    pub fn new(timeout: Duration) -> Result<Self, HintedError> {
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .max_redirects(0)
            .http_status_as_error(false)
            // Open a new connection for every request, so that a dead one is never mistaken for a
            // response.
            .max_idle_connections(0)
            .user_agent(release::user_agent())
            .build();
        Ok(Self {
            agent: Agent::new_with_config(config),
            timeout,
        })
    }

    /// Sends a GET request.
    pub fn get(&self, url: &Url) -> Result<HttpResponse, HintedError> {
        self.answer(self.agent.get(url.as_str()).call())
    }

    /// Sends a POST request with this body.
    pub fn post(
        &self,
        url: &Url,
        content_type: &str,
        text: &str,
    ) -> Result<HttpResponse, HintedError> {
        let request = self.agent.post(url.as_str());
        self.answer(
            request
                .header(header::CONTENT_TYPE, content_type)
                .send(text),
        )
    }

    fn answer(
        &self,
        response: Result<Response<Body>, ureq::Error>,
    ) -> Result<HttpResponse, HintedError> {
        let (head, body) = response.map_err(|error| self.error(&error))?.into_parts();
        Ok(HttpResponse {
            status: head.status.as_u16(),
            location: first_field(&head.headers, header::LOCATION),
            retry_after: first_field(&head.headers, header::RETRY_AFTER),
            content_type: first_field(&head.headers, header::CONTENT_TYPE),
            content_encoding: first_field(&head.headers, header::CONTENT_ENCODING),
            robots_tags: fields(&head.headers, HeaderName::from_static("x-robots-tag")),
            links: fields(&head.headers, header::LINK),
            text: Box::new(PlainBody {
                reader: body.into_with_config().limit(MAX_BYTES).reader(),
                timeout: self.timeout,
            }),
        })
    }

    fn error(&self, error: &ureq::Error) -> HintedError {
        HintedError::new(
            plain_words(error, self.timeout),
            "try again later, or check the URL, the server and the proxy",
        )
    }
}

/// A body whose errors are in plain words.
struct PlainBody<R> {
    reader: R,
    timeout: Duration,
}

impl<R: Read> Read for PlainBody<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader
            .read(buffer)
            .map_err(|error| io::Error::other(plain_words(&error.into(), self.timeout)))
    }
}

/// Why there is no response, or only a part of it.
fn plain_words(error: &ureq::Error, timeout: Duration) -> String {
    let message = match error {
        ureq::Error::Timeout(_) => {
            return format!("no complete response within {} s", timeout.as_secs());
        }
        ureq::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    };
    // rustls has the names of its types in the message.
    let Some((_, reason)) = message.split_once("invalid peer certificate: ") else {
        return message;
    };
    let reason = match reason {
        "UnknownIssuer" => "its issuer is unknown",
        reason if reason.contains("CaUsedAsEndEntity") => "it is signed by itself",
        reason if reason.starts_with("certificate expired") => "it has expired",
        reason => reason.trim_start_matches("certificate "),
    };
    format!("the certificate of the server is not trusted: {reason}")
}

/// The value of the first header field with this name.
fn first_field(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    fields(headers, name).into_iter().next()
}

/// The values of all header fields with this name.
fn fields(headers: &HeaderMap, name: HeaderName) -> Vec<String> {
    headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect()
}

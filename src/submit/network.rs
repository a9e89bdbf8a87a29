//! Sends HTTP requests. No other file uses ureq.
//!
//! Returns the first response, whatever its status; a redirect is a response too. Certificates are
//! checked against Mozilla's root certificates, or those that the user names. Proxies are taken from
//! the environment, as in curl.

use std::io::{self, Read};
use std::time::Duration;

use ureq::http::{HeaderMap, HeaderName, Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, Proxy};
use url::Url;

use super::error::NetworkError;
use super::response::{HttpResponse, ResponseBody};
use sitemaps::site_paths::is_local_url;

/// An HTTP client.
#[derive(Debug)]
pub struct Network {
    agent: Agent,
    timeout: Duration,
}

impl Network {
    /// Creates a client with a time limit for each request, including the whole response. It trusts
    /// the root certificates in a PEM file, or Mozilla's.
    pub fn new(timeout: Duration, certificates: Option<&[u8]>) -> Result<Self, NetworkError> {
        let roots = certificates.map(root_certificates).transpose()?;
        let tls = TlsConfig::builder().root_certs(roots.unwrap_or(RootCerts::WebPki));
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .tls_config(tls.build())
            .max_redirects(0)
            .proxy(None)
            .http_status_as_error(false)
            // Open a new connection for every request, so that a dead one is never mistaken for a
            // response.
            .max_idle_connections(0)
            .user_agent(concat!(
                "waypost/",
                env!("CARGO_PKG_VERSION"),
                " (+",
                env!("CARGO_PKG_REPOSITORY"),
                ")"
            ))
            .build();
        Ok(Self {
            agent: Agent::new_with_config(config),
            timeout,
        })
    }

    /// Sends a GET request.
    pub fn get(&self, url: &Url) -> Result<HttpResponse, NetworkError> {
        let request = self
            .agent
            .get(url.as_str())
            .config()
            .proxy(proxy_for(url))
            .build();
        let response = request.call();
        response
            .map(|response| self.answer(response))
            .map_err(|error| self.error(error))
    }

    /// Sends a POST request with this body.
    pub fn post(
        &self,
        url: &Url,
        content_type: &str,
        text: &str,
    ) -> Result<HttpResponse, NetworkError> {
        let request = self
            .agent
            .post(url.as_str())
            .config()
            .proxy(proxy_for(url))
            .build();
        let request = request.header(header::CONTENT_TYPE, content_type);
        request
            .send(text)
            .map(|response| self.answer(response))
            .map_err(|error| self.error(error))
    }

    fn answer(&self, response: Response<Body>) -> HttpResponse {
        let (head, body) = response.into_parts();
        let field = |name| fields(&head.headers, name).into_iter().next();
        let body = WatchedBody {
            body: body.into_reader(),
            patience: self.timeout,
        };
        HttpResponse {
            status: head.status.as_u16(),
            location: field(header::LOCATION),
            retry_after: field(header::RETRY_AFTER),
            content_type: field(header::CONTENT_TYPE),
            content_encoding: field(header::CONTENT_ENCODING),
            robots_tags: fields(&head.headers, HeaderName::from_static("x-robots-tag")),
            links: fields(&head.headers, header::LINK),
            text: ResponseBody::new(Box::new(body)),
        }
    }

    fn error(&self, error: ureq::Error) -> NetworkError {
        match error {
            ureq::Error::Timeout(_) => NetworkError::TimedOut(self.timeout),
            ureq::Error::HostNotFound => NetworkError::HostNotFound,
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                NetworkError::TimedOut(self.timeout)
            }
            ureq::Error::Io(error) if is_untrusted(&error) => {
                NetworkError::Certificate(error.to_string())
            }
            ureq::Error::Io(error) => NetworkError::Connection(error),
            other => NetworkError::Protocol(other.to_string()),
        }
    }
}

/// The values of all header fields with this name.
fn fields(headers: &HeaderMap, name: HeaderName) -> Vec<String> {
    let values = headers.get_all(name).iter();
    values
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect()
}

/// The certificates in a file of OpenSSL's format (PEM).
fn root_certificates(pem: &[u8]) -> Result<RootCerts, NetworkError> {
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|_| NetworkError::NoCertificate)? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        Err(NetworkError::NoCertificate)
    } else {
        Ok(RootCerts::new_with_certs(&certificates))
    }
}

/// Whether a connection failed because of the server's certificate. rustls reports it as an error of
/// this kind with this text.
fn is_untrusted(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
        && error.to_string().starts_with("invalid peer certificate")
}

/// The proxy set in the environment; none for requests to this machine.
fn proxy_for(url: &Url) -> Option<Proxy> {
    if is_local_url(url) {
        None
    } else {
        Proxy::try_from_env()
    }
}

/// A response body that reports a timeout as our own error.
struct WatchedBody<R> {
    body: R,
    patience: Duration,
}

impl<R: Read> Read for WatchedBody<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body
            .read(buffer)
            .map_err(|error| match ureq::Error::from(error) {
                ureq::Error::Timeout(_) => io::Error::other(NetworkError::TimedOut(self.patience)),
                other => other.into_io(),
            })
    }
}

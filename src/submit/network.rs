//! Sends HTTP requests. No other file uses ureq.
//!
//! Returns the first response, whatever its status; a redirect is a response too. Certificates are
//! checked against Mozilla's root certificates, or those that the user names. Proxies are taken from
//! the environment, as in curl.

use std::io::{self, Read};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::{HeaderMap, HeaderName, Response, Uri, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Proxy};
use url::Url;

use super::error::NetworkError;
use super::network_options::NetworkOptions;
use super::reach::NetworkReach;
use super::response::{HttpResponse, ResponseBody};
use site_paths::is_local_url;

/// An HTTP client.
#[derive(Debug)]
pub struct Network {
    agent: Agent,
    timeout: Duration,
    reach: NetworkReach,
}

impl Network {
    /// Creates a client.
    pub fn new(options: NetworkOptions) -> Result<Self, NetworkError> {
        let NetworkOptions {
            timeout,
            certificates,
            reach,
        } = options;
        let roots = certificates.as_deref().map(root_certificates).transpose()?;
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
        let resolver = WatchedResolver {
            inner: DefaultResolver::default(),
            reach: reach.clone(),
        };
        Ok(Self {
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            timeout,
            reach,
        })
    }

    /// Sends a GET request.
    pub fn get(&self, url: &Url) -> Result<HttpResponse, NetworkError> {
        if !self.reach.allows_literal(url) {
            let host = url.host_str().unwrap_or_default();
            return Err(NetworkError::Connection(private_address(host)));
        }
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

fn private_address(host: &str) -> io::Error {
    io::Error::other(format!(
        "`{host}` is a private address, which is only requested if the command line names it"
    ))
}

/// Resolves names, and drops the addresses that requests may not go to.
#[derive(Debug)]
struct WatchedResolver {
    inner: DefaultResolver,
    reach: NetworkReach,
}

impl Resolver for WatchedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let host = uri.host().unwrap_or_default();
        // The user names the proxy, which resolves the hosts of requests itself.
        let is_proxy = config
            .proxy()
            .is_some_and(|proxy| proxy.uri().host() == uri.host());
        let mut allowed = self.empty();
        for address in &found {
            if is_proxy || self.reach.allows(host, address.ip()) {
                allowed.push(*address);
            }
        }
        if allowed.is_empty() {
            return Err(ureq::Error::Io(private_address(host)));
        }
        Ok(allowed)
    }
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

//! Errors of requests.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use thiserror::Error;

use super::outcome::RequestOutcome;
use sitemaps::site_paths::Hint;

/// Reason for a missing response.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The program was built without network support.
    #[error("this build of waypost has no network support (feature `submit`)")]
    NotBuiltIn,
    /// The response took too long.
    #[error("no complete response within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The host name cannot be resolved.
    #[error("the host name cannot be resolved")]
    HostNotFound,
    /// The connection failed: refused or closed.
    #[error("{0}")]
    Connection(io::Error),
    /// The server's certificate is not trusted.
    #[error("{0}")]
    Certificate(String),
    /// The file of root certificates has none.
    #[error("the file that `SSL_CERT_FILE` names has no certificate in PEM format")]
    NoCertificate,
    /// The file of root certificates cannot be read.
    #[error("`{file}`, which `SSL_CERT_FILE` names, cannot be read: {source}")]
    CertificateFile {
        /// The file, for display.
        file: String,
        /// The I/O error.
        source: io::Error,
    },
    /// The response is not HTTP.
    #[error("the response is not valid HTTP: {0}")]
    Protocol(String),
}

/// Reason that a URL could not be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// It is not an http or https URL.
    #[error("`{0}` is not a URL that starts with `https://` or `http://`")]
    NotAUrl(String),
    /// It contains a user name or password, which would be shown and sent on.
    #[error("the URL on `{0}` contains a user name or password")]
    Credentials(String),
    /// There was no response.
    #[error("`{url}` cannot be fetched: {why}")]
    NoAnswer {
        /// The URL.
        url: String,
        /// The error.
        why: NetworkError,
    },
    /// The response has another status than 200.
    #[error("`{url}` cannot be fetched: the server responded with {status}")]
    Refused {
        /// The URL.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// It redirects to another host, or from https to http.
    #[error("`{url}` redirects to `{target}`, which is not followed")]
    Elsewhere {
        /// The URL.
        url: String,
        /// The target of the redirect.
        target: String,
    },
    /// It redirects too many times.
    #[error("`{0}` redirects too many times")]
    TooManyRedirects(String),
}

impl Hint for NetworkError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::NotBuiltIn => {
                Some("install waypost with its default features: `cargo install waypost`".into())
            }
            Self::TimedOut(_) => Some("try again later, or increase `--timeout SECONDS`".into()),
            Self::Certificate(_) => Some(
                "if the certificate is your own, set `SSL_CERT_FILE` to a PEM file with its issuer"
                    .into(),
            ),
            Self::NoCertificate | Self::CertificateFile { .. } => {
                Some("name a readable file with certificates in PEM format, or unset it".into())
            }
            Self::HostNotFound | Self::Connection(_) | Self::Protocol(_) => None,
        }
    }
}

impl FetchError {
    /// The outcome for the caller: whether a later attempt may succeed.
    pub fn outcome(&self) -> RequestOutcome {
        match self {
            Self::NoAnswer { .. }
            | Self::Refused {
                status: 429 | 500..=599,
                ..
            } => RequestOutcome::Transient,
            _ => RequestOutcome::Refused,
        }
    }
}

impl Hint for FetchError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::NotAUrl(_) | Self::Refused { .. } | Self::TooManyRedirects(_) => None,
            Self::Credentials(_) => Some("use the public URL".into()),
            Self::NoAnswer { why, .. } => why.hint(),
            Self::Elsewhere { .. } => Some("use the target of the redirect".into()),
        }
    }
}

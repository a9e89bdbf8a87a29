//! Why something could not be sent or fetched.

use std::io;
use std::time::Duration;

use thiserror::Error;

use super::outcome::RequestOutcome;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// This program has no network.
    #[error(
        "this waypost was built without the feature `submit`, so it neither sends nor fetches anything"
    )]
    NotBuiltIn,
    /// The answer took too long.
    #[error("there was no whole answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// No name server knows the host.
    #[error("its host is not known")]
    HostNotFound,
    /// The connection failed: refused, closed, or no certificate that can be trusted.
    #[error("{0}")]
    Connection(io::Error),
    /// What came back is no answer in HTTP.
    #[error("it does not answer in HTTP: {0}")]
    Protocol(String),
}

/// Why an address could not be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// It is no address.
    #[error("`{0}` is no address that begins with `https://` or `http://`")]
    NotAnAddress(String),
    /// It holds a user name or a password, which would be shown and sent on.
    #[error("the address on `{0}` holds a user name or password")]
    Credentials(String),
    /// There was no answer.
    #[error("`{url}` cannot be fetched: {why}")]
    NoAnswer {
        /// The address.
        url: String,
        /// Why not.
        why: NetworkError,
    },
    /// The answer is that it is not to be had.
    #[error("`{url}` cannot be fetched: the answer is {status}")]
    Refused {
        /// The address.
        url: String,
        /// The status of HTTP.
        status: u16,
    },
    /// It leads to another host, or from https to http.
    #[error("`{url}` is redirected to `{target}`, where it is not followed")]
    Elsewhere {
        /// The address.
        url: String,
        /// Where it leads.
        target: String,
    },
    /// It leads on and on.
    #[error("`{0}` is redirected again and again")]
    TooManyRedirects(String),
}

impl NetworkError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotBuiltIn => {
                Some("install it with its default features: `cargo install waypost`")
            }
            Self::TimedOut(_) => Some("try again later, or wait longer by `--timeout SECONDS`"),
            Self::HostNotFound | Self::Connection(_) | Self::Protocol(_) => None,
        }
    }
}

impl FetchError {
    /// What it means for who asked: whether it may be another later.
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

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotAnAddress(_) | Self::Refused { .. } | Self::TooManyRedirects(_) => None,
            Self::Credentials(_) => Some("name the public address"),
            Self::NoAnswer { why, .. } => why.hint(),
            Self::Elsewhere { .. } => Some("name the address it leads to"),
        }
    }
}

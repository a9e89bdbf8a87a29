//! Replaces the network in builds without the `submit` feature.

use std::time::Duration;

use url::Url;

use super::error::NetworkError;
use super::response::HttpResponse;

/// An HTTP client that cannot be created.
#[derive(Debug)]
pub struct Network(std::convert::Infallible);

impl Network {
    /// Always fails, because network support is not built in.
    pub fn new(_: Duration, _: Option<&[u8]>) -> Result<Self, NetworkError> {
        Err(NetworkError::NotBuiltIn)
    }

    /// Unreachable, because no client exists.
    pub fn get(&self, _: &Url) -> Result<HttpResponse, NetworkError> {
        match self.0 {}
    }

    /// Unreachable, because no client exists.
    pub fn post(&self, _: &Url, _: &str, _: &str) -> Result<HttpResponse, NetworkError> {
        match self.0 {}
    }
}

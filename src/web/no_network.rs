//! Replaces the network in builds without the `submit` feature.

use std::time::Duration;

use url::Url;

use super::response::HttpResponse;
use crate::findings::HintedError;

/// An HTTP client that cannot be created.
#[derive(Debug)]
pub struct Network(std::convert::Infallible);

impl Network {
    /// Always fails, because network support is not built in.
    pub fn new(_: Duration) -> Result<Self, HintedError> {
        Err(HintedError::new(
            "this build of waypost has no network support (feature `submit`)",
            "install waypost with its default features, without `--no-default-features`",
        ))
    }

    /// Unreachable, because no client exists.
    pub fn get(&self, _: &Url) -> Result<HttpResponse, HintedError> {
        match self.0 {}
    }

    /// Unreachable, because no client exists.
    pub fn post(&self, _: &Url, _: &str, _: &str) -> Result<HttpResponse, HintedError> {
        match self.0 {}
    }
}

//! Part of the manifest that is parsed when it is first used.

use std::ops::Deref;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

/// A value, and the JSON that it is parsed from when it is first used. Panics if the JSON is
/// malformed, which a test of the manifest rules out.
#[derive(Debug, Clone)]
pub struct LazyPart<T> {
    json: &'static str,
    parsed: OnceLock<T>,
}

impl<T> LazyPart<T> {
    pub(super) fn new(json: &'static str) -> Self {
        Self {
            json,
            parsed: OnceLock::new(),
        }
    }
}

impl<T: DeserializeOwned> Deref for LazyPart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.parsed.get_or_init(|| parse(self.json))
    }
}

/// Parses a part of the manifest.
pub(super) fn parse<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect("a test parses every part of the manifest")
}

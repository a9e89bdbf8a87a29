//! Builds ping URLs from a pattern given by the user and the URL of a sitemap.

use std::borrow::Cow;

use thiserror::Error;
use url::Url;
use url::form_urlencoded::byte_serialize;

use super::error::FetchError;
use super::fetch::parse;
use super::pings::Ping;
use site_paths::Hint;

/// The placeholder for the sitemap URL in a pattern.
pub const PLACEHOLDER: &str = "{sitemap}";

/// Reason for not sending anything to a URL.
#[derive(Debug, Error)]
pub enum TargetError {
    /// It is not a URL that can be requested.
    #[error(transparent)]
    Address(#[from] FetchError),
    /// The pattern has no placeholder for the sitemap URL.
    #[error("`{0}` does not contain the placeholder `{{sitemap}}`")]
    NoPlaceholder(String),
    /// The engine no longer accepts pings.
    #[error("{}'s ping no longer accepts sitemaps: {}", .0.engine, .0.since)]
    Gone(&'static Ping),
    /// An undocumented ping was requested by name.
    #[error("{}'s ping cannot be selected by name: {}", .0.engine, .0.since)]
    Doubtful(&'static Ping),
    /// It is not the name of an engine.
    #[error("unknown search engine `{0}`")]
    UnknownEngine(String),
}

impl Hint for TargetError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Address(error) => return error.hint(),
            Self::NoPlaceholder(_) => {
                format!("use `--ping 'https://engine.example/ping?sitemap={PLACEHOLDER}'`")
            }
            Self::Gone(ping) | Self::Doubtful(ping) => format!("instead: {}", ping.instead),
            Self::UnknownEngine(_) => {
                "run `waypost submit --list` for all names, or use `--endpoint URL`".to_owned()
            }
        };
        Some(hint.into())
    }
}

/// Inserts the URL of a sitemap into a pattern.
pub fn ping_url(pattern: &str, sitemap: &str) -> Result<Url, TargetError> {
    if !pattern.contains(PLACEHOLDER) {
        return Err(TargetError::NoPlaceholder(
            pattern.escape_debug().to_string(),
        ));
    }
    let encoded: String = byte_serialize(sitemap.as_bytes()).collect();
    target_url(&pattern.replace(PLACEHOLDER, &encoded))
}

/// Parses a URL that a request may be sent to.
pub fn target_url(address: &str) -> Result<Url, TargetError> {
    let url = parse(address)?;
    match Ping::gone_at(&url) {
        Some(ping) => Err(TargetError::Gone(ping)),
        None => Ok(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sitemap_is_encoded_as_one_value() {
        let check = |pattern: &str, sitemap: &str, expected: &str| {
            assert_eq!(
                ping_url(pattern, sitemap)
                    .expect("a valid pattern")
                    .as_str(),
                expected
            );
        };
        check(
            "https://engine.example/ping?sitemap={sitemap}",
            "https://example.com/a/sitemap.xml",
            "https://engine.example/ping?sitemap=https%3A%2F%2Fexample.com%2Fa%2Fsitemap.xml",
        );
        check(
            "http://engine.example/{sitemap}?x",
            "http://e.example/%20?a&b",
            "http://engine.example/http%3A%2F%2Fe.example%2F%2520%3Fa%26b?x",
        );
    }

    #[test]
    fn an_unusable_pattern_is_rejected() {
        let check = |pattern: &str, expected: &str| {
            let error = ping_url(pattern, "https://example.com/sitemap.xml")
                .expect_err("an unusable pattern");
            assert!(error.to_string().contains(expected), "{error}");
            assert!(error.hint().is_some());
        };
        check(
            "https://engine.example/ping",
            "does not contain the placeholder `{sitemap}`",
        );
        check(
            "https://www.google.com/ping?sitemap={sitemap}",
            "Google's ping no longer accepts sitemaps",
        );
        check(
            "https://u:p@engine.example/?{sitemap}",
            "user name or password",
        );
    }
}

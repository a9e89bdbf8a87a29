//! The address of a ping: a pattern of the user's, filled with the address of a sitemap. Pure.

use thiserror::Error;
use url::Url;
use url::form_urlencoded::byte_serialize;

use super::error::FetchError;
use super::fetch::parse;
use super::pings::Ping;

/// What stands in a pattern for the address of the sitemap.
pub const PLACEHOLDER: &str = "{sitemap}";

/// Why nothing is sent to an address.
#[derive(Debug, Error)]
pub enum TargetError {
    /// It is no address.
    #[error(transparent)]
    Address(#[from] FetchError),
    /// It has no place for the sitemap.
    #[error("`{0}` does not say where the sitemap's address belongs")]
    NoPlaceholder(String),
    /// Nobody takes anything there any more.
    #[error("{}'s ping takes no sitemaps any more: {}", .0.engine, .0.since)]
    Gone(&'static Ping),
    /// A ping that nobody documents was asked for by name.
    #[error("{}'s ping cannot be asked for by name: {}", .0.engine, .0.since)]
    Doubtful(&'static Ping),
    /// It is no engine's name.
    #[error("no search engine is known as `{0}`")]
    UnknownEngine(String),
}

impl TargetError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Address(error) => error.hint().map(str::to_owned),
            Self::NoPlaceholder(_) => Some(format!(
                "write `--ping 'https://engine.example/ping?sitemap={PLACEHOLDER}'`"
            )),
            Self::Gone(ping) | Self::Doubtful(ping) => Some(format!("instead: {}", ping.instead)),
            Self::UnknownEngine(_) => Some(
                "`waypost submit --list` names all of them; others take `--endpoint URL`"
                    .to_owned(),
            ),
        }
    }
}

/// Fills a pattern with the address of a sitemap.
pub fn ping_of(pattern: &str, sitemap: &str) -> Result<Url, TargetError> {
    if !pattern.contains(PLACEHOLDER) {
        return Err(TargetError::NoPlaceholder(
            pattern.escape_debug().to_string(),
        ));
    }
    let encoded: String = byte_serialize(sitemap.as_bytes()).collect();
    target(&pattern.replace(PLACEHOLDER, &encoded))
}

/// An address that something may be sent to.
pub fn target(address: &str) -> Result<Url, TargetError> {
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
                ping_of(pattern, sitemap).expect("a ping").as_str(),
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
    fn what_cannot_be_pinged_is_refused_before_anything_is_sent() {
        let check = |pattern: &str, expected: &str| {
            let error =
                ping_of(pattern, "https://example.com/sitemap.xml").expect_err("it is refused");
            assert!(error.to_string().contains(expected), "{error}");
            assert!(error.hint().is_some());
        };
        check(
            "https://engine.example/ping",
            "does not say where the sitemap's address belongs",
        );
        check(
            "https://www.google.com/ping?sitemap={sitemap}",
            "Google's ping takes no sitemaps any more",
        );
        check(
            "https://u:p@engine.example/?{sitemap}",
            "user name or password",
        );
    }
}

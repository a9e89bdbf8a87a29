//! Builds IndexNow messages (indexnow.org, "Documentation").

use serde::Serialize;

use crate::settings::SubmitKey;
use sitemaps::site_paths::BaseUrl;

/// Maximum number of URLs in a message.
pub const MAX_URLS: usize = 10_000;

/// The content type of every message.
pub const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// The host and key that messages are sent for.
#[derive(Debug, Clone)]
pub struct IndexNowSender {
    host: String,
    key: SubmitKey,
    key_location: Option<String>,
}

#[derive(Serialize)]
struct IndexNowMessage<'a, U> {
    host: &'a str,
    key: &'a str,
    #[serde(rename = "keyLocation", skip_serializing_if = "Option::is_none")]
    key_location: Option<&'a str>,
    #[serde(rename = "urlList")]
    url_list: &'a [U],
}

impl IndexNowSender {
    /// Creates the sender for a site. `key_location` is required if the key file is not at the root
    /// of the host.
    pub fn new(base: &BaseUrl, key: SubmitKey, key_location: Option<String>) -> Self {
        Self {
            host: base.host().to_owned(),
            key,
            key_location,
        }
    }

    /// Formats one message as JSON.
    pub fn message<U: Serialize>(&self, urls: &[U]) -> String {
        let (host, key, key_location) =
            (&self.host, self.key.as_str(), self.key_location.as_deref());
        let message = IndexNowMessage {
            host,
            key,
            key_location,
            url_list: urls,
        };
        serde_json::to_string(&message)
            .expect("strings and arrays of strings can always be serialized")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_form_of_the_protocol() {
        let key = || SubmitKey::parse("a1b2c3d4").expect("a valid key");
        let check = |base: &str, location: Option<&str>, expected: &str| {
            let base = BaseUrl::parse(base).expect("a valid base URL");
            let sender = IndexNowSender::new(&base, key(), location.map(str::to_owned));
            assert_eq!(sender.message(&["https://example.com/a"]), expected);
        };
        check(
            "https://example.com/",
            None,
            r#"{"host":"example.com","key":"a1b2c3d4","urlList":["https://example.com/a"]}"#,
        );
        check(
            "http://example.com:8080/docs/",
            Some("http://example.com:8080/docs/a1b2c3d4.txt"),
            r#"{"host":"example.com:8080","key":"a1b2c3d4","keyLocation":"http://example.com:8080/docs/a1b2c3d4.txt","urlList":["https://example.com/a"]}"#,
        );
    }
}

//! Addresses → the messages of IndexNow (indexnow.org, "Documentation"). Pure.

use serde::Serialize;

use crate::config::SubmitKey;
use crate::site_paths::BaseUrl;

/// No message holds more addresses than this.
pub const MOST_URLS: usize = 10_000;

/// The type of every message.
pub const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// In whose name messages are sent.
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
    /// The sender of a site. A key whose file does not lie at the host's root needs the file's address.
    pub fn new(base: &BaseUrl, key: SubmitKey, key_location: Option<String>) -> Self {
        Self {
            host: base.host().to_owned(),
            key,
            key_location,
        }
    }

    /// One message.
    pub fn message<U: Serialize>(&self, urls: &[U]) -> String {
        let (host, key, key_location) =
            (&self.host, self.key.reveal(), self.key_location.as_deref());
        let message = IndexNowMessage {
            host,
            key,
            key_location,
            url_list: urls,
        };
        serde_json::to_string(&message).expect("texts and lists of texts can always be written")
    }

    /// A text of ours as it may be shown.
    pub fn masked(&self, text: &str) -> String {
        self.key.mask_in(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_form_of_the_protocol() {
        let key = || SubmitKey::parse("a1b2c3d4").expect("a key");
        let check = |base: &str, location: Option<&str>, expected: &str| {
            let base = BaseUrl::parse(base).expect("a base");
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

    #[test]
    fn what_is_shown_holds_no_key() {
        let base = BaseUrl::parse("https://example.com/").expect("a base");
        let location = "https://example.com/a/a1b2c3d4.txt".to_owned();
        let sender = IndexNowSender::new(
            &base,
            SubmitKey::parse("a1b2c3d4").expect("a key"),
            Some(location),
        );
        assert!(
            !sender
                .masked(&sender.message(&["https://example.com/"]))
                .contains("a1b2c3d4")
        );
        assert!(!format!("{sender:?}").contains("key: a1b2"));
    }
}

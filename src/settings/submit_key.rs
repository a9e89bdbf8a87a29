//! The IndexNow key, which proves that requests come from the site's owner, and the URL of its
//! file.
//!
//! The key is public: anyone can read its file.

use serde::{Deserialize, Serialize};
use url::Url;

/// An IndexNow key: 8 to 128 characters from `a-z`, `A-Z`, `0-9` and `-` (indexnow.org, "Protocol:
/// key").
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct SubmitKey(String);

/// The URL of the key file, if it is not the file that waypost writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct KeyLocation(String);

impl SubmitKey {
    /// Parses a key.
    pub fn parse(text: &str) -> Option<Self> {
        let is_key = (8..=128).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_key.then(|| Self(text.to_owned()))
    }

    /// The key itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the key file in the output directory.
    pub fn file_name(&self) -> String {
        format!("{}.txt", self.0)
    }
}

impl KeyLocation {
    /// The URL itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL of its directory, with the trailing slash. The key covers the URLs below it
    /// (indexnow.org, "Option 2").
    pub fn dir_url(&self) -> &str {
        let text = &self.0;
        text.rfind('/').map_or(text, |slash| &text[..=slash])
    }
}

impl TryFrom<String> for SubmitKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or(
            "must be 8 to 128 letters, digits and hyphens\n\
             generate one at indexnow.org or with `openssl rand -hex 16`",
        )
    }
}

impl TryFrom<String> for KeyLocation {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match Url::parse(&text) {
            Ok(url)
                if matches!(url.scheme(), "http" | "https")
                    && url.username().is_empty()
                    && url.password().is_none()
                    && url.query().is_none()
                    && url.fragment().is_none() =>
            {
                Ok(Self(url.into()))
            }
            _ => Err(
                "must be an absolute `http:` or `https:` URL without user name, query or fragment\n\
                 remove it to use the key file that `waypost build` writes",
            ),
        }
    }
}

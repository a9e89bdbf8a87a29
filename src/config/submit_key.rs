//! The key by which a site proves to IndexNow that it is itself, and where the file that holds it lies.
//!
//! The key is public once its file is, but nothing of ours shows it: whoever reads a log could send in the site's name.

use std::fmt;

use url::Url;

/// What is shown in place of a key.
pub const MASK: &str = "********";

/// A key of IndexNow: 8 to 128 of `a-z`, `A-Z`, `0-9` and `-` (indexnow.org, "Protocol: key").
#[derive(Clone, PartialEq, Eq)]
pub struct SubmitKey(String);

/// The address of the file that holds the key, where it is not the one that waypost writes.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyLocation(Url);

impl SubmitKey {
    /// Takes a text that is a key.
    pub fn parse(text: &str) -> Option<Self> {
        let is_key = (8..=128).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_key.then(|| Self(text.to_owned()))
    }

    /// The key itself, to be sent or written and never to be shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The name of the file that holds it in the output folder.
    pub fn file_name(&self) -> String {
        format!("{}.txt", self.0)
    }

    /// A text with every key in it masked.
    pub fn mask_in(&self, text: &str) -> String {
        text.replace(&self.0, MASK)
    }
}

impl KeyLocation {
    /// Takes an absolute http or https address without a user name, a query or a fragment.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        is_plain.then_some(Self(url))
    }

    /// The address itself, to be sent and never to be shown: its last part is the key, as a rule.
    pub fn reveal(&self) -> &str {
        self.0.as_str()
    }

    /// The address of its folder, with the final slash: the key speaks for what lies below (indexnow.org, "Option 2").
    pub fn folder(&self) -> &str {
        let text = self.0.as_str();
        text.rfind('/').map_or(text, |slash| &text[..=slash])
    }
}

impl fmt::Debug for SubmitKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MASK)
    }
}

impl fmt::Display for KeyLocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{MASK}", self.folder())
    }
}

impl fmt::Debug for KeyLocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

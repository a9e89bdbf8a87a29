//! The publication of a news sitemap: name and language, as Google News defines them.

use thiserror::Error;

/// The name and language of a news publication.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Publication {
    /// The name as shown on news.google.com.
    pub name: String,
    /// The language: an ISO 639 code, `zh-cn` or `zh-tw`.
    pub language: String,
}

/// Error for an invalid publication.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PublicationError {
    /// The name is empty or contains control characters.
    #[error("the publication name is empty or contains control characters")]
    Name,
    /// The language is not an ISO 639 code
    /// (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
    #[error(
        "`{0}` is not a supported language code; \
         use two or three letters (ISO 639), `zh-cn` or `zh-tw`"
    )]
    Language(String),
}

impl Publication {
    /// Validates the name and the language, which is case-insensitive.
    pub fn new(name: &str, language: &str) -> Result<Self, PublicationError> {
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_control) {
            return Err(PublicationError::Name);
        }
        let lower = language.to_ascii_lowercase();
        let is_iso_639 =
            matches!(lower.len(), 2 | 3) && lower.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_iso_639 && !["zh-cn", "zh-tw"].contains(&lower.as_str()) {
            return Err(PublicationError::Language(
                language.escape_debug().to_string(),
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            language: lower,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_must_be_known_to_google_news() {
        let check = |language: &str, expected: Option<&str>| {
            let found = Publication::new(" The Example ", language).ok();
            assert_eq!(
                found
                    .as_ref()
                    .map(|publication| publication.language.as_str()),
                expected,
                "{language}"
            );
        };
        check("en", Some("en"));
        check("DE", Some("de"));
        check("fil", Some("fil"));
        check("zh-CN", Some("zh-cn"));
        check("en-US", None);
        check("english", None);
        check("", None);
        assert_eq!(Publication::new(" ", "en"), Err(PublicationError::Name));
    }
}

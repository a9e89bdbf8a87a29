//! A publication as Google News knows it: the name and language that stand with every page of a news sitemap.

use thiserror::Error;

/// A publication: its name and its language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Publication {
    /// The name as it stands on news.google.com.
    pub name: String,
    /// Its language: by ISO 639, or `zh-cn`, `zh-tw`.
    pub language: String,
}

/// Why something is no publication.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PublicationError {
    /// The name is empty, or holds control characters.
    #[error("a publication has a name, without control characters")]
    Name,
    /// The language is none of ISO 639 (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
    #[error("`{0}` is no language: write two or three letters by ISO 639, `zh-cn` or `zh-tw`")]
    Language(String),
}

impl Publication {
    /// Checks name and language; the language may be in any case.
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
    fn a_language_is_one_that_google_news_knows() {
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

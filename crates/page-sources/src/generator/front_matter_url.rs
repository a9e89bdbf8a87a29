//! The URL that the front matter of a page sets.

use super::convention_input::ConventionInput;
use super::front_matter_keys::BareUrl;
use super::path_urls::{PathUrls, without_empty_parts};
use super::permalinks::HugoPageKind;
use super::url_path::UrlPath;
use super::url_pattern::UrlPattern;

/// The URL of a page as far as its front matter sets one.
pub(super) enum FrontMatterUrl {
    /// It sets none.
    Unset,
    /// It sets a URL that cannot be resolved statically.
    Unclear,
    /// It sets this URL.
    Set(UrlPath),
}

impl FrontMatterUrl {
    /// The URL that the front matter sets: a whole path, or a URL with tokens.
    pub(super) fn of(
        urls: &PathUrls<'_>,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
    ) -> Self {
        if !urls.may_be_set(content) {
            return Self::Unset;
        }
        let keys = &urls.generator.front_matter;
        let text = |key: &Option<String>| content.front_matter.text(key.as_ref()?);
        if let Some(path) = text(&keys.path) {
            return Self::Set(UrlPath::Folder(path.trim_matches('/').to_owned()));
        }
        match text(&keys.url).filter(|url| !url.is_empty()) {
            None => Self::Unset,
            Some(url) if url.contains(['{', '<']) => Self::Unclear,
            Some(url) => Self::filled(urls, content, kind, url),
        }
    }

    /// The URL with values in place of its tokens.
    fn filled(
        urls: &PathUrls<'_>,
        content: &ConventionInput<'_>,
        kind: HugoPageKind,
        url: &str,
    ) -> Self {
        let filled = urls
            .permalink_input(content, kind)
            .as_written(&UrlPattern::parse(url));
        let Some(url) = filled.filter(|url| !url.contains("://")) else {
            return Self::Unclear;
        };
        // With a leading slash the URL starts at the site root, without one at the language's root.
        let is_absolute = url.starts_with('/') && !urls.languages.have_hosts();
        let within = if is_absolute {
            String::new()
        } else {
            urls.languages.prefix(content.name.language)
        };
        let path = within + &without_empty_parts(&url);
        Self::Set(url_path(urls.generator.front_matter.bare_url, path, &url))
    }
}

fn url_path(bare: BareUrl, path: String, url: &str) -> UrlPath {
    let trimmed = || path.trim_matches('/').to_owned();
    match bare {
        _ if url.ends_with('/') => UrlPath::Folder(trimmed()),
        _ if path.contains('.') => UrlPath::File(path),
        BareUrl::Dir => UrlPath::Folder(trimmed()),
        BareUrl::Exact => UrlPath::File(path),
    }
}

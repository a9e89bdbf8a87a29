//! Parses a sitemap argument of the command line: where to read the sitemap, and at which URL it is
//! served.

use std::fs;
use std::path::{Path, PathBuf};

use url::Url;

use super::MergePurpose;
use super::error::MergeError;
use crate::submit::FetchError;
use site_paths::{PageUrl, SitePath};
use sitemaps::set::SetPlace;

/// A sitemap named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapArgument {
    /// Where to read it.
    pub source: SitemapSource,
    /// The URL where it is served, if the argument contains one.
    pub url: Option<PageUrl>,
}

/// The source of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SitemapSource {
    /// A file.
    File(PathBuf),
    /// A URL, as typed.
    Url(String),
}

impl SitemapArgument {
    /// Parses an argument: a file, a URL, or `FILE=URL` for a file that is served at the URL.
    pub fn parse(typed: &Path) -> Result<Self, MergeError> {
        let Some(text) = typed.to_str() else {
            return Ok(Self {
                source: SitemapSource::File(typed.to_owned()),
                url: None,
            });
        };
        if is_address(text) {
            let url = parse_url(text)
                .ok_or_else(|| FetchError::NotAUrl(text.escape_debug().to_string()))?;
            return Ok(Self {
                source: SitemapSource::Url(text.to_owned()),
                url: Some(url),
            });
        }
        match text.split_once('=').filter(|(_, url)| is_address(url)) {
            Some((file, url)) => {
                let url = parse_url(url)
                    .ok_or_else(|| MergeError::NotAnAddress(text.escape_debug().to_string()))?;
                Ok(Self {
                    source: SitemapSource::File(PathBuf::from(file)),
                    url: Some(url),
                })
            }
            None => Ok(Self {
                source: SitemapSource::File(typed.to_owned()),
                url: None,
            }),
        }
    }

    /// The URL where it is served. A file in the output directory has the URL of its place below
    /// the base URL.
    pub(super) fn served_at(&self, purpose: &MergePurpose<'_>) -> Result<PageUrl, MergeError> {
        let file = match (&self.url, &self.source) {
            (Some(url), _) => return Ok(url.clone()),
            (None, SitemapSource::Url(text)) => {
                return Err(FetchError::NotAUrl(text.clone()).into());
            }
            (None, SitemapSource::File(file)) => file,
        };
        match SitePath::below(&real(purpose.output_dir)?, &real(file)?) {
            Some(path) => Ok(purpose.base.of_file(&path)),
            None => Err(MergeError::NoAddress {
                path: file.clone(),
                folder: purpose.output_dir.to_owned(),
            }),
        }
    }
}

impl SitemapSource {
    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Url(url) => url.clone(),
        }
    }

    /// The path used in findings.
    pub(super) fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Url(url) => PathBuf::from(url),
        }
    }
}

impl From<&SetPlace> for SitemapSource {
    fn from(place: &SetPlace) -> Self {
        match place {
            SetPlace::Below(path) => Self::File(path.to_relative().into_owned()),
            SetPlace::File(path) => Self::File(path.clone()),
            SetPlace::Url(url) => Self::Url(url.clone()),
        }
    }
}

/// Resolves symlinks and `..`, so that two paths to one file are equal.
pub(super) fn real(path: &Path) -> Result<PathBuf, MergeError> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    fs::canonicalize(path).map_err(|source| MergeError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Parses and normalizes an http or https URL.
pub(super) fn parse_url(text: &str) -> Option<PageUrl> {
    PageUrl::from_url(&Url::parse(text).ok()?).ok()
}

fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_a_file_a_url_or_both() {
        let check = |typed: &str, source: SitemapSource, url: Option<&str>| {
            let named = SitemapArgument::parse(Path::new(typed)).expect("a valid argument");
            assert_eq!(
                (named.source, named.url.as_ref().map(PageUrl::as_str)),
                (source, url),
                "{typed}"
            );
        };
        let file = |path: &str| SitemapSource::File(PathBuf::from(path));
        let web = |url: &str| SitemapSource::Url(url.to_owned());
        check("a/sitemap.xml", file("a/sitemap.xml"), None);
        check("a=b.xml", file("a=b.xml"), None);
        check(
            "HTTPS://Example.com/s.xml",
            web("HTTPS://Example.com/s.xml"),
            Some("https://example.com/s.xml"),
        );
        let query = "https://example.com/s?to=https://example.org/";
        check(query, web(query), Some(query));
        check(
            "d/s.xml=https://docs.example.com/s.xml",
            file("d/s.xml"),
            Some("https://docs.example.com/s.xml"),
        );
        assert!(SitemapArgument::parse(Path::new("s.xml=https://")).is_err());
        assert!(SitemapArgument::parse(Path::new("https://")).is_err());
    }
}

//! Parses a sitemap argument of the command line: where to read the sitemap, and at which URL it is
//! served.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::IndexError;
use super::listed_child::{ListedPages, parse_url};
use super::purpose::IndexPurpose;
use crate::check::{
    CheckedFile, CheckedSet, PublishedSite, PublishedTarget, check_file, check_published,
};
use site_paths::{PageUrl, SitePath};

/// A sitemap named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapArgument {
    pub(super) source: SitemapSource,
    /// The URL where a file is served, if the argument contains one.
    url: Option<PageUrl>,
}

/// The source of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SitemapSource {
    /// A file.
    File(PathBuf),
    /// A URL.
    Url(PublishedTarget),
}

impl SitemapArgument {
    /// Parses an argument: a file, a URL, or `FILE=URL` for a file that is served at the URL.
    pub fn parse(typed: &Path) -> Result<Self, IndexError> {
        let text = typed.to_str().unwrap_or_default();
        if is_address(text) {
            return Ok(Self {
                source: SitemapSource::Url(PublishedTarget::parse(text)?),
                url: None,
            });
        }
        let (file, url) = match text.split_once('=').filter(|(_, url)| is_address(url)) {
            Some((file, url)) => {
                let invalid = || IndexError::NotAnAddress(text.escape_debug().to_string());
                (Path::new(file), Some(parse_url(url).ok_or_else(invalid)?))
            }
            None => (typed, None),
        };
        Ok(Self {
            source: SitemapSource::File(file.to_owned()),
            url,
        })
    }

    /// Whether it is named by its URL.
    pub fn is_url(&self) -> bool {
        matches!(self.source, SitemapSource::Url(_))
    }

    /// Checks it, and the sitemaps that it names.
    pub(super) fn check(
        &self,
        purpose: &IndexPurpose<'_>,
    ) -> Result<CheckedSet<ListedPages>, IndexError> {
        let now = purpose.now;
        match &self.source {
            SitemapSource::File(path) => {
                let visit = |pages: &mut ListedPages, listed: &_| pages.see(listed, now);
                let set = check_file(path, now, visit);
                set.map_err(|source| IndexError::Read {
                    path: path.clone(),
                    source,
                })
            }
            SitemapSource::Url(target) => {
                let client = purpose.client.expect("a URL is only named with a client");
                let site = PublishedSite::find(client, target)?;
                let set =
                    check_published(client, &site, now, |pages: &mut ListedPages, listed, _| {
                        pages.see(listed, now);
                    })?;
                if let Some(unread) = set.unread.into_iter().next() {
                    return Err(IndexError::Unread(unread));
                }
                Ok(CheckedSet {
                    files: set.files,
                    findings: set.findings,
                })
            }
        }
    }

    /// The URL where a file of the set is served that is not named by an index.
    pub(super) fn served_at(
        &self,
        file: &CheckedFile<ListedPages>,
        purpose: &IndexPurpose<'_>,
    ) -> Result<PageUrl, IndexError> {
        match &self.source {
            SitemapSource::Url(_) => {
                parse_url(&file.name).ok_or_else(|| IndexError::NotAnAddress(file.name.clone()))
            }
            SitemapSource::File(path) => {
                let url = self.file_url(path, purpose)?;
                url.ok_or_else(|| IndexError::NoAddress {
                    path: path.clone(),
                    dir: purpose.output_dir.to_owned(),
                })
            }
        }
    }

    /// The URL of the file: the one that is given, or that of its place in the output directory.
    pub(super) fn file_url(
        &self,
        file: &Path,
        purpose: &IndexPurpose<'_>,
    ) -> Result<Option<PageUrl>, IndexError> {
        if self.url.is_some() {
            return Ok(self.url.clone());
        }
        let below = SitePath::below(&real(purpose.output_dir)?, &real(file)?);
        Ok(below.map(|path| purpose.base.of_file(&path)))
    }
}

/// Resolves symlinks and `..`, so that two paths to one file are equal.
pub(super) fn real(path: &Path) -> Result<PathBuf, IndexError> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    fs::canonicalize(path).map_err(|source| IndexError::Read {
        path: path.to_owned(),
        source,
    })
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
        let web = |url: &str| SitemapSource::Url(PublishedTarget::parse(url).expect("a URL"));
        check("a/sitemap.xml", file("a/sitemap.xml"), None);
        check("a=b.xml", file("a=b.xml"), None);
        let url = "HTTPS://Example.com/s.xml";
        check(url, web(url), None);
        let query = "https://example.com/s?to=https://example.org/";
        check(query, web(query), None);
        check(
            "d/s.xml=https://docs.example.com/s.xml",
            file("d/s.xml"),
            Some("https://docs.example.com/s.xml"),
        );
        assert!(SitemapArgument::parse(Path::new("s.xml=https://")).is_err());
        assert!(SitemapArgument::parse(Path::new("https://")).is_err());
    }
}

//! Parses a sitemap argument of the command line: where to read the sitemap, and at which URL it is
//! served.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::listed_child::parse_url;
use super::purpose::IndexPurpose;
use crate::check::{CheckedSet, KeptPages, check_file};
use sitemaps::site_paths::{HintedError, PageUrl, SitePath};

/// A sitemap named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapArgument {
    pub(super) path: PathBuf,
    /// The URL where the file is served, if the argument contains one.
    url: Option<PageUrl>,
}

impl SitemapArgument {
    /// Parses an argument: a file, or `FILE=URL` for a file that is served at the URL.
    pub fn parse(typed: &Path) -> Result<Self, HintedError> {
        let text = typed.to_str().unwrap_or_default();
        if is_address(text) {
            let url = text.escape_debug();
            return Err(HintedError::new(
                format!("`{url}` is not a file, and nothing is requested for an index"),
                format!("download it: `curl -O {url}`, and name it as `FILE={url}`"),
            ));
        }
        let (file, url) = match text.split_once('=').filter(|(_, url)| is_address(url)) {
            Some((file, url)) => {
                let invalid = || {
                    HintedError::new(
                        format!(
                            "`{}` does not have a URL after the `=`",
                            text.escape_debug()
                        ),
                        "use `FILE=https://example.com/sitemap.xml`",
                    )
                };
                (Path::new(file), Some(parse_url(url).ok_or_else(invalid)?))
            }
            None => (typed, None),
        };
        Ok(Self {
            path: file.to_owned(),
            url,
        })
    }

    /// Checks it, and the sitemaps that it names.
    pub(super) fn check(&self, purpose: &IndexPurpose<'_>) -> Result<CheckedSet, HintedError> {
        let set = check_file(&self.path, purpose.now, KeptPages::All);
        set.map_err(|error| unreadable(&self.path, &error))
    }

    /// The URL where the file is served, which no index names.
    pub(super) fn served_at(&self, purpose: &IndexPurpose<'_>) -> Result<PageUrl, HintedError> {
        let url = self.file_url(&self.path, purpose)?;
        url.ok_or_else(|| {
            let (path, dir) = (self.path.display(), purpose.output_dir.display());
            HintedError::new(
                format!("`{path}` is outside `{dir}`, so it has no URL below the base URL"),
                format!("add its URL: `{path}=https://example.com/sitemap.xml`; or copy it there"),
            )
        })
    }

    /// The URL of the file: the one that is given, or that of its place in the output directory.
    pub(super) fn file_url(
        &self,
        file: &Path,
        purpose: &IndexPurpose<'_>,
    ) -> Result<Option<PageUrl>, HintedError> {
        if self.url.is_some() {
            return Ok(self.url.clone());
        }
        let below = SitePath::below(&real(purpose.output_dir)?, &real(file)?);
        Ok(below.map(|path| purpose.base.of_file(&path)))
    }
}

/// Resolves symlinks and `..`, so that two paths to one file are equal.
pub(super) fn real(path: &Path) -> Result<PathBuf, HintedError> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    fs::canonicalize(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> HintedError {
    HintedError::new(
        format!("`{}` cannot be read: {error}", path.display()),
        "name a file that the user who runs waypost can read",
    )
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
    fn an_argument_is_a_file_or_a_file_and_its_url() {
        let check = |typed: &str, path: &str, url: Option<&str>| {
            let named = SitemapArgument::parse(Path::new(typed)).expect("a valid argument");
            assert_eq!(
                (
                    named.path.as_path(),
                    named.url.as_ref().map(PageUrl::as_str)
                ),
                (Path::new(path), url),
                "{typed}"
            );
        };
        check("a/sitemap.xml", "a/sitemap.xml", None);
        check("a=b.xml", "a=b.xml", None);
        check(
            "d/s.xml=https://docs.example.com/s.xml",
            "d/s.xml",
            Some("https://docs.example.com/s.xml"),
        );
        for wrong in ["s.xml=https://", "HTTPS://Example.com/s.xml"] {
            assert!(SitemapArgument::parse(Path::new(wrong)).is_err(), "{wrong}");
        }
    }
}

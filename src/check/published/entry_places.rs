//! Checks where the pages of a published sitemap are: on its host, and below its directory.

use url::Url;

use crate::check::tally::FindingTally;
use site_paths::PageUrl;
use site_paths::finding::{Subject, code, quoted};
use sitemaps::ListedEntry;

/// Checks the URLs of one file.
pub(super) struct EntryPlaces<'a> {
    file: &'a str,
    /// Scheme, host and port of the site.
    origin: String,
    /// The directory in which the URLs must be; `None` if robots.txt names the file or its index
    /// (sitemaps.org protocol, "Sitemap file location").
    dir: Option<&'a str>,
    pub(super) tally: FindingTally,
}

impl<'a> EntryPlaces<'a> {
    pub(super) fn new(site: &Url, file: &'a str, is_in_robots: bool) -> Self {
        let path = file.split(['?', '#']).next().unwrap_or_default();
        let dir = path.rfind('/').map(|at| &path[..=at]);
        Self {
            file,
            origin: site.origin().ascii_serialization(),
            dir: dir.filter(|_| !is_in_robots),
            tally: FindingTally::default(),
        }
    }

    /// Checks an entry. A URL that is invalid is reported elsewhere.
    pub(super) fn see(&mut self, listed: &ListedEntry) {
        let loc = listed.loc.as_str();
        let is_inside = self.dir.is_none_or(|dir| loc.starts_with(dir));
        if is_inside
            && loc.starts_with(self.origin.as_str())
            && loc[self.origin.len()..].starts_with('/')
        {
            return;
        }
        let Some(url) = Url::parse(loc)
            .ok()
            .and_then(|url| PageUrl::from_url(&url).ok())
        else {
            return;
        };
        let (file, origin) = (self.file, &self.origin);
        let subject = || Subject::Url(file.to_owned(), Some(listed.place));
        if url.origin() != origin {
            let message = || {
                format!(
                    "`{}` is not on the host of the sitemap, `{origin}`",
                    quoted(loc)
                )
            };
            let hint = "list the URLs of a site in a sitemap on its own host";
            self.tally
                .report(code::LOC_ELSEWHERE, subject(), message, hint);
        } else if let Some(dir) = self.dir.filter(|dir| !url.as_str().starts_with(dir)) {
            let message = || {
                format!(
                    "`{file}` lists `{}`, which is not below `{dir}`",
                    quoted(loc)
                )
            };
            let hint = "move the sitemap to the top of the site, or name it in robots.txt";
            self.tally
                .report(code::SITEMAP_ELSEWHERE, subject(), message, hint);
        }
    }
}

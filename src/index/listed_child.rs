//! A sitemap that the index lists: its URL, its newest date, and the pages that it lists itself.

use std::fs;

use url::Url;

use crate::check::CheckedFile;
use sitemaps::LastMod;
use sitemaps::set::SitemapFileKind;
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::{Code, Finding, Subject, code};

/// A sitemap that the index lists.
#[derive(Debug)]
pub struct ListedChild {
    /// Its path or URL, as the user would name it.
    pub name: String,
    /// Where it is served.
    pub url: PageUrl,
    /// Its kind by its content.
    pub kind: SitemapFileKind,
    /// The number of entries.
    pub entries: usize,
    /// Its newest date.
    pub newest: Option<LastMod>,
    subject: Subject,
    pages: Vec<Box<str>>,
}

impl ListedChild {
    /// The file that is served at a URL.
    pub(super) fn of(file: &mut CheckedFile, url: PageUrl) -> Self {
        Self {
            name: file.name.clone(),
            url,
            kind: file.kind,
            entries: file.entries,
            newest: file.newest,
            subject: file.subject.clone(),
            // A feed lists the newest pages again.
            pages: match file.kind {
                SitemapFileKind::Feed(_) => Vec::new(),
                _ => std::mem::take(&mut file.pages),
            },
        }
    }

    /// The pages that it lists, without those of a feed.
    pub(super) fn pages(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().map(AsRef::as_ref)
    }

    /// Whether both are one file.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        match (&self.subject, &other.subject) {
            (Subject::File(one, _), Subject::File(other, _)) => {
                let [one, other] = [one, other].map(fs::canonicalize);
                one.is_ok_and(|one| other.is_ok_and(|other| one == other))
            }
            (one, other) => one == other,
        }
    }

    /// The findings about pages outside the directory in which it is served (sitemaps.org protocol,
    /// "Sitemap file location"): for each kind, the first page.
    pub(super) fn pages_elsewhere(&self) -> Vec<Finding> {
        let (host, dir) = (format!("{}/", self.url.origin()), dir_of(&self.url));
        let on_other_host = self.pages().find(|page| !page.starts_with(&host));
        let in_other_dir = self
            .pages()
            .find(|page| page.starts_with(&host) && !page.starts_with(dir));
        let finding = |code: &'static Code, page: &str, home: &str, hint: &str| {
            let message = format!(
                "`{}` lists `{page}`, which is not below `{home}`",
                self.name
            );
            Finding::new(code, self.subject.clone(), message).with_hint(hint)
        };
        let host = on_other_host.map(|page| {
            let hint = "use one base URL for all builds";
            finding(code::LOC_ELSEWHERE, page, &host, hint)
        });
        let dir = in_other_dir.map(|page| {
            let hint = "serve it from a directory above everything that it lists";
            finding(code::SITEMAP_ELSEWHERE, page, dir, hint)
        });
        host.into_iter().chain(dir).collect()
    }

    /// The finding that it is on another host than the index.
    pub(super) fn on_other_host(&self, index: &str) -> Option<Finding> {
        (self.url.origin() != index).then(|| {
            let message = format!(
                "`{}` is on another host, scheme or port than the index at `{index}`",
                self.url
            );
            let hint = "write one index per host, or verify all hosts with each search engine and \
                        set `loc-elsewhere = \"allow\"` in `[levels]`";
            Finding::new(code::LOC_ELSEWHERE, self.subject.clone(), message).with_hint(hint)
        })
    }
}

/// Parses and normalizes an http or https URL.
pub(super) fn parse_url(text: &str) -> Option<PageUrl> {
    PageUrl::from_url(&Url::parse(text).ok()?).ok()
}

/// A URL up to its last slash.
fn dir_of(url: &PageUrl) -> &str {
    let text = url.as_str();
    let path = text.split(['?', '#']).next().unwrap_or(text);
    &path[..=path.rfind('/').expect("a URL has a path")]
}

//! The facts of the entries of one sitemap or index: the form, the spelling and the place of URLs,
//! repetitions, dates, images and language links. They are the same for a file, a URL and a site.

use std::collections::HashSet;

use twox_hash::XxHash3_64;

use super::file_source::FileSource;
use crate::decide::is_language_code;
use crate::findings::{Code, Subject, code};
use sitemaps::site_paths::{BaseUrl, MAX_URL_CHARS, PageUrl};
use sitemaps::{
    DateError, LastMod, ListedEntry, MAX_IMAGES, Now, ParsedDate, SitemapListing, is_full_url,
    quoted,
};

/// The hash of a URL in normal form. Sets of millions of URLs would not fit in memory as text; two
/// URLs of such a set share a hash with a probability below one in a million.
pub(super) type UrlHash = u64;

/// When search engines accept a sitemap with URLs of another host (sitemaps.org, "Sitemaps & Cross
/// Submits"; developers.google.com, "Manage your sitemaps").
pub const OTHER_HOST: &str = "accepted if both hosts are verified with the search engine, or if the robots.txt of \
                              the other host names this sitemap";

/// Where the URLs of a sitemap have to be.
#[derive(Debug)]
pub(super) enum SetHome<'a> {
    /// Below the base URL of a site.
    Site(&'a BaseUrl),
    /// On the host that published the sitemap: scheme, host and port.
    Host(&'a str),
    /// On the host of its first URL: where a file is published is unknown.
    FirstUrl,
}

/// Where the URLs of a file have to be, and the current time.
#[derive(Debug)]
pub(super) struct EntryRules<'a> {
    pub(super) home: SetHome<'a>,
    /// The directory in which its URLs must be (sitemaps.org protocol, "Sitemap file location");
    /// `None` if robots.txt names the sitemap, if it is at the top, or if its URL is unknown.
    pub(super) dir: Option<String>,
    pub(super) now: Now,
    pub(super) pages: KeptPages,
}

/// Whether the check of a file keeps the URLs of its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptPages {
    /// An index over the file compares them.
    All,
    /// They are only checked.
    None,
}

/// Receives a listed page with its URL in normal form, if it has one.
pub(super) type VisitPage<'v> = dyn FnMut(&ListedEntry, Option<&PageUrl>) + 'v;

/// The name of a file, and the facts of its entries.
#[derive(Debug)]
pub struct EntryFacts {
    /// Its path or URL, as the user would name it.
    pub name: String,
    /// The subject of findings about all of it.
    pub subject: Subject,
    /// Whether a flaw at one place makes readers reject all of it.
    pub is_rejected: bool,
    /// The newest date.
    pub newest: Option<LastMod>,
    /// The URLs of pages in normal form, if they are kept.
    pub pages: Vec<Box<str>>,
    /// The listed URLs, until the whole set is checked.
    pub(super) urls: HashSet<UrlHash>,
    /// The links from an entry to the language version at another URL, until then.
    pub(super) version_links: Vec<(UrlHash, UrlHash)>,
}

impl EntryFacts {
    /// The facts of a file of which nothing was read.
    pub(super) fn of(source: &FileSource<'_>) -> Self {
        Self {
            name: source.name.clone(),
            subject: source.subject.clone(),
            is_rejected: false,
            newest: None,
            pages: Vec::new(),
            urls: HashSet::new(),
            version_links: Vec::new(),
        }
    }
}

/// Checks the entries of one file, in their order.
pub(super) struct EntryChecks<'a, 'f> {
    pub(super) source: &'a FileSource<'f>,
    pub(super) rules: EntryRules<'a>,
    listing: SitemapListing,
    first_url: Option<PageUrl>,
    last_date: String,
    pub(super) facts: EntryFacts,
}

pub(super) fn hash_of(url: &PageUrl) -> UrlHash {
    XxHash3_64::oneshot(url.as_str().as_bytes())
}

/// The URL of an entry, however it is spelled; `None` if it is not an absolute http or https URL.
/// `near` is any URL: those of the same host need no parser.
pub(super) fn url_of(loc: &str, near: Option<&PageUrl>) -> Option<PageUrl> {
    let near = near.filter(|near| {
        let path = loc.strip_prefix(near.origin());
        path.is_some_and(|path| path.starts_with('/'))
    });
    let url = match near {
        Some(near) => near.resolve(loc)?,
        None => PageUrl::parse(loc)?,
    };
    (!url.host().contains("..")).then_some(url)
}

impl<'a, 'f> EntryChecks<'a, 'f> {
    pub(super) fn new(source: &'a FileSource<'f>, rules: EntryRules<'a>) -> Self {
        Self {
            source,
            rules,
            listing: SitemapListing::Pages,
            first_url: None,
            last_date: String::new(),
            facts: EntryFacts::of(source),
        }
    }

    /// Checks an entry, and returns its URL in normal form.
    pub(super) fn check(
        &mut self,
        listing: SitemapListing,
        listed: &ListedEntry,
    ) -> Option<PageUrl> {
        self.listing = listing;
        self.check_date(listed);
        if listed.loc.len() > MAX_URL_CHARS {
            self.check_length(listed);
        }
        let url = self.check_form(listed)?;
        self.check_home(&url, listed);
        if self.rules.pages == KeptPages::All && listing == SitemapListing::Pages {
            self.facts.pages.push(url.as_str().into());
        }
        let hash = hash_of(&url);
        if !self.facts.urls.insert(hash) {
            let message = format!("`{}` is listed twice", quoted(&listed.loc));
            self.report(code::LOC_TWICE, listed, message, "list each URL once");
        }
        self.check_versions(&url, hash, listed);
        self.check_images(listed);
        Some(url)
    }

    /// Reports a finding about an entry.
    fn report(&self, code: &'static Code, listed: &ListedEntry, message: String, hint: &str) {
        self.source.report(code, listed.place, message, hint);
    }

    /// Reports a date in the future; the schema judges its form. Of consecutive equal dates only the
    /// first is reported.
    fn check_date(&mut self, listed: &ListedEntry) {
        let date = listed.lastmod.as_str();
        if date.is_empty() || date == self.last_date {
            return;
        }
        date.clone_into(&mut self.last_date);
        let parsed = LastMod::parse(date, self.rules.now);
        self.facts.newest = self.facts.newest.max(parsed.date());
        // In some time zones, the last days of 9999 are outside the range of timestamps.
        if parsed == ParsedDate::Invalid(DateError::Future) || date.starts_with("9999-") {
            let message = format!("the date `{}` is in the future", quoted(date));
            let hint =
                "use the date of the last modification, as the protocol defines it, or omit it";
            self.report(code::LASTMOD_UNTRUE, listed, message, hint);
        }
    }

    fn check_length(&mut self, listed: &ListedEntry) {
        let chars = listed.loc.chars().count();
        if chars > MAX_URL_CHARS {
            let message = format!("a URL has {chars} characters; the protocol allows 2,047");
            let hint = "shorten the URL of the page";
            self.report(code::LOC_INVALID, listed, message, hint);
        }
    }

    fn check_form(&mut self, listed: &ListedEntry) -> Option<PageUrl> {
        let loc = listed.loc.as_str();
        let url = url_of(loc, self.first_url.as_ref()).filter(|_| is_full_url(loc));
        let Some(url) = url else {
            let message = format!(
                "`{}` is not an absolute http or https URL (RFC 3986)",
                quoted(loc)
            );
            let hint = "use the full URL, with scheme and host, and percent-encode it";
            self.report(code::LOC_INVALID, listed, message, hint);
            return None;
        };
        // The form of the file explains an entity that cannot be read.
        let is_unread = loc.contains(char::REPLACEMENT_CHARACTER);
        if url.as_str() != loc && !is_only_the_root(loc, &url) && !is_unread {
            let message = format!(
                "`{}` is not in normal form (RFC 3986), which is `{}`",
                quoted(loc),
                quoted(url.as_str())
            );
            let hint = if loc.contains('#') {
                "omit the fragment: search engines know pages, not places in them"
            } else {
                "percent-encode URLs, and write host names in lower case"
            };
            self.report(code::LOC_SPELLING, listed, message, hint);
        }
        self.first_url.get_or_insert_with(|| url.clone());
        Some(url)
    }

    /// Reports a URL that is not where the URLs of the sitemap have to be.
    fn check_home(&mut self, url: &PageUrl, listed: &ListedEntry) {
        let first = self.first_url.as_ref().unwrap_or(url);
        let (home, whose) = match self.rules.home {
            SetHome::Site(base) => (base.as_str(), "the URL of the site"),
            SetHome::Host(origin) => (origin, "the host of the sitemap"),
            SetHome::FirstUrl => (first.origin(), "the host of the first URL"),
        };
        let is_inside = match self.rules.home {
            SetHome::Site(base) => base.path_below(url).is_some(),
            SetHome::Host(_) | SetHome::FirstUrl => url.origin() == home,
        };
        let shown = || quoted(url.as_str());
        if !is_inside {
            let is_other_host = !home.starts_with(url.origin());
            let (code, hint) = match (self.listing, &self.rules.home) {
                (SitemapListing::Pages, SetHome::FirstUrl) => {
                    (code::LOC_ELSEWHERE_WARNING, OTHER_HOST)
                }
                (SitemapListing::Pages, _) => (
                    code::LOC_ELSEWHERE,
                    "list the URLs of one site, under one scheme and host",
                ),
                (SitemapListing::Sitemaps, _) if is_other_host => {
                    (code::LOC_ELSEWHERE_WARNING, OTHER_HOST)
                }
                (SitemapListing::Sitemaps, _) => (
                    code::SITEMAP_ELSEWHERE,
                    "use the same base URL for all sitemaps",
                ),
            };
            let message = format!("`{}` is not below `{home}`, {whose}", shown());
            return self.report(code, listed, message, hint);
        }
        let dir = self.rules.dir.as_deref();
        if let Some(dir) = dir.filter(|dir| !url.as_str().starts_with(dir)) {
            let name = &self.source.name;
            let message = format!("`{name}` lists `{}`, which is not below `{dir}`", shown());
            let hint = "move the sitemap to the top of the site, or name it in robots.txt";
            self.report(code::SITEMAP_ELSEWHERE, listed, message, hint);
        }
    }

    /// Checks the language versions of an entry: each code must be one that search engines support,
    /// and one of the links must be to the entry itself (developers.google.com, "localized
    /// versions").
    fn check_versions(&mut self, url: &PageUrl, own: UrlHash, listed: &ListedEntry) {
        if listed.alternates.is_empty() {
            return;
        }
        let mut names_itself = false;
        for (language, href) in &listed.alternates {
            if !is_language_code(language) {
                let language = quoted(language);
                let message =
                    format!("`{language}` is not a language code that search engines support");
                let hint = "use a form like `de`, `pt-BR`, `zh-Hant-TW` or `x-default`";
                self.report(code::HREFLANG_IGNORED, listed, message, hint);
            }
            let version = url.resolve(href).map(|url| hash_of(&url));
            names_itself |= version == Some(own);
            self.facts.version_links.extend(
                version
                    .filter(|&version| version != own)
                    .map(|to| (own, to)),
            );
        }
        if !names_itself {
            let message = format!(
                "`{}` links to language versions but not to itself",
                quoted(&listed.loc)
            );
            let hint = "add an `<xhtml:link>` with its own language and URL";
            self.report(code::HREFLANG_IGNORED, listed, message, hint);
        }
    }

    fn check_images(&mut self, listed: &ListedEntry) {
        let images = &listed.images;
        if images.len() > MAX_IMAGES {
            let count = images.len();
            let message = format!("an entry has {count} images; search engines read {MAX_IMAGES}");
            let hint = "list the most important ones";
            self.report(code::IMAGE_OMITTED, listed, message, hint);
        }
        for image in images {
            if url_of(image, None).is_none() {
                let image = quoted(image);
                let message =
                    format!("the URL of an image, `{image}`, is not an absolute http or https URL");
                let hint = "use the full URL, with scheme and host";
                self.report(code::IMAGE_OMITTED, listed, message, hint);
            }
        }
    }
}

/// Whether only the slash of the root is missing: all clients treat `https://example.com` and
/// `https://example.com/` alike.
fn is_only_the_root(loc: &str, url: &PageUrl) -> bool {
    url.as_str().strip_suffix('/') == Some(loc) && url.path_and_query() == "/"
}

//! A page as a document with an address: how its links are resolved, and which URLs are its own.
//!
//! The same for a file of the output directory, a page of the sample, whose site is not known yet, and
//! the response of a server, in place of the file that most servers would answer with.

use std::cell::OnceCell;

use crate::hosts::{UrlForm, candidate_files, serves};
use page_signals::PageFacts;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Maximum length of a link, in bytes: servers reject longer request lines (nginx and Apache from 8
/// KiB on).
const LONGEST_HREF: usize = 8 << 10;

/// The beginnings of a variable in template languages. A link with one was written by a template that was
/// not run: Go and Jinja, Jinja and Liquid, ERB and EJS, JavaScript. So was one that begins with `$`.
const TEMPLATE_MARKS: [&str; 4] = ["{{", "{%", "<%", "${"];

/// A page with the address of its file.
#[derive(Debug)]
pub struct Document<'a> {
    /// The facts that it states.
    pub(super) facts: &'a PageFacts,
    base: &'a BaseUrl,
    file: &'a SitePath,
    /// Every page of the site, sorted, if they are known: a URL may be that of another file.
    pages: Option<&'a [SitePath]>,
    links_from: OnceCell<PageUrl>,
}

impl<'a> Document<'a> {
    /// A page below `base`. `pages` are all pages of the site, sorted, if they are known.
    pub fn new(
        facts: &'a PageFacts,
        base: &'a BaseUrl,
        file: &'a SitePath,
        pages: Option<&'a [SitePath]>,
    ) -> Self {
        Self {
            facts,
            base,
            file,
            pages,
            links_from: OnceCell::new(),
        }
    }

    /// Resolves a link of the page as a browser does. A variable of a template is not a URL.
    pub fn resolve(&self, href: &str) -> Option<PageUrl> {
        resolved(self.links_from(), href)
    }

    /// Returns the base for the page's relative links: the URL of its file, or the first
    /// `<base href>` (HTML standard, "document base URL").
    fn links_from(&self) -> &PageUrl {
        self.links_from.get_or_init(|| {
            let own = UrlForm::default().url_of(self.base, self.file);
            match &self.facts.base {
                Some(stated) => resolved(&own, &stated.value).unwrap_or(own),
                None => own,
            }
        })
    }

    /// Whether a common server serves the page at a URL.
    pub(super) fn is_served_at(&self, url: &PageUrl) -> bool {
        serves(self.base, self.file, url)
    }

    /// Whether the URL is that of a file which the build lacks, beside the directory of this page: `a.html`
    /// for `a/index.html`, as themes of Sphinx write it for the builder `dirhtml`.
    pub(super) fn is_misnamed_at(&self, url: &PageUrl) -> bool {
        let Some((pages, dir)) = self.pages.zip(self.file.index_of()) else {
            return false;
        };
        let dir = dir.strip_suffix(b"/").unwrap_or(dir);
        let named = SitePath::new([dir, b".html"].concat());
        pages.binary_search(&named).is_err() && serves(self.base, &named, url)
    }

    /// Whether the URL names this page apart from its scheme and host.
    pub(super) fn is_served_elsewhere_at(&self, url: &PageUrl) -> bool {
        let moved = format!("{}{}", self.base.origin(), url.path_and_query());
        url.origin() != self.base.origin()
            && self
                .base
                .resolve(&moved)
                .is_some_and(|moved| self.is_served_at(&moved))
    }

    /// Whether a request for a URL is known to get this page, rather than another one. `own` is the URL
    /// at which it was found, which may be that of another file if all pages are known.
    pub(super) fn answers(&self, url: &PageUrl, own: &PageUrl) -> bool {
        let Some(pages) = self.pages else {
            return url == own;
        };
        let mut files = candidate_files(self.base, url).into_iter();
        files
            .find(|file| pages.binary_search(file).is_ok())
            .as_ref()
            == Some(self.file)
    }
}

/// Whether a link has a variable that a template should have replaced.
fn is_of_template(href: &str) -> bool {
    href.contains(['{', '<', '$'])
        && (href.starts_with('$') || TEMPLATE_MARKS.iter().any(|mark| href.contains(mark)))
}

/// Resolves a link; one that is too long for any server is ignored, which bounds memory on hostile
/// pages.
fn resolved(from: &PageUrl, href: &str) -> Option<PageUrl> {
    if href.len() > LONGEST_HREF || is_of_template(href) {
        None
    } else {
        from.resolve(href)
    }
}

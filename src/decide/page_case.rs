//! One page with all that is known when it is judged alone.

use std::cell::OnceCell;

use super::canonical::Canonical;
use super::served_urls::{own_address, serves};
use crate::config::Settings;
use crate::dates::Now;
use crate::discover::Page;
use crate::hosts::{Header, HostRules, Redirect};
use crate::read::PageFacts;
use crate::robots_txt::PathRules;
use crate::rules::PatternSet;
use crate::site_paths::{BaseUrl, PageUrl, ResolveError, decode};

/// In bytes: servers refuse longer lines of a request (nginx and Apache from 8 KiB on).
const LONGEST_HREF: usize = 8 << 10;

/// What is the same for all pages of a site.
#[derive(Debug)]
pub struct SiteView<'a> {
    /// The address of the output folder.
    pub base: &'a BaseUrl,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// Every page of the site, sorted by file.
    pub pages: &'a [Page],
    /// What the site's own robots.txt says to everyone, where it is the host's and counts.
    pub robots_txt: Option<&'a PathRules<'a>>,
    /// Files that the host shows as errors, below the output folder.
    pub error_pages: &'a PatternSet,
    /// Files that are never content, below the output folder.
    pub not_pages: &'a PatternSet,
    /// What the host was told of headers and redirects.
    pub serving: &'a HostRules,
    /// The moment against which `unavailable_after` is held.
    pub now: Now,
}

/// Who has asked for a page to be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExclusionRequest<'a> {
    /// A rule, by its first pattern.
    Rule(&'a str),
    /// The front matter of the page's source.
    FrontMatter,
}

impl<'a> SiteView<'a> {
    /// The headers that an address is answered with.
    fn headers(&self, url: &PageUrl) -> Vec<&'a Header> {
        if self.serving.is_empty() {
            return Vec::new();
        }
        self.asked_path(url)
            .map(|path| self.serving.headers(&path))
            .unwrap_or_default()
    }

    /// The redirect that an address is answered with in place of its page.
    pub(super) fn redirect(&self, url: &PageUrl) -> Option<&'a Redirect> {
        if self.serving.is_empty() {
            return None;
        }
        self.serving.redirect(&self.asked_path(url)?)
    }

    /// The path that the host is asked for: the output folder is what it serves at its root.
    fn asked_path(&self, url: &PageUrl) -> Option<Vec<u8>> {
        let below = self
            .base
            .path_below(url)
            .filter(|path| !path.contains('?'))?;
        Some([b"/", decode(below).as_ref()].concat())
    }
}

/// A page to be judged.
pub struct PageCase<'a> {
    /// The site it belongs to.
    pub site: &'a SiteView<'a>,
    /// The page.
    pub page: &'a Page,
    /// What it says of itself.
    pub facts: &'a PageFacts,
    /// What excludes it.
    pub excluded_by: Option<ExclusionRequest<'a>>,
    /// What its canonical links come to.
    pub canonical: Canonical,
    /// The address under which it would be listed: the canonical's own spelling where that names this file.
    pub url: PageUrl,
    /// The headers that the host sends with it.
    pub(super) headers: Vec<&'a Header>,
    document_base: OnceCell<PageUrl>,
}

impl<'a> PageCase<'a> {
    /// Brings a page and its facts together.
    pub fn new(
        site: &'a SiteView<'a>,
        page: &'a Page,
        facts: &'a PageFacts,
        excluded_by: Option<ExclusionRequest<'a>>,
    ) -> Self {
        let url = own_address(site.base, &page.file, site.settings.url_style);
        let canonical = Canonical::default();
        let headers = site.headers(&url);
        let mut case = Self {
            site,
            page,
            facts,
            excluded_by,
            canonical,
            url,
            headers,
            document_base: OnceCell::new(),
        };
        case.read_canonical();
        if let Some(spelling) = case.canonical.itself().cloned() {
            case.move_to(spelling);
        }
        // A redirect to another form of the same page (`/about.html` to `/about`) says which form is listed, and with
        // that form come other headers, which may name yet another canonical.
        let form = site
            .redirect(&case.url)
            .and_then(|redirect| case.url.resolve(&redirect.target).ok());
        if let Some(form) =
            form.filter(|form| *form != case.url && serves(site.base, &page.file, form))
        {
            case.move_to(form);
            case.read_canonical();
        }
        case
    }

    fn read_canonical(&mut self) {
        if !self.facts.canonicals.is_empty() || !self.headers.is_empty() {
            self.canonical = Canonical::of(self);
        }
    }

    fn move_to(&mut self, url: PageUrl) {
        self.headers = self.site.headers(&url);
        self.url = url;
    }

    /// Resolves what stands in an attribute of the page, as a browser does.
    pub fn resolve(&self, href: &str) -> Result<PageUrl, ResolveError> {
        // Most links that are asked for name their own page, and it takes long to parse an address.
        if href == self.url.as_str() {
            return Ok(self.url.clone());
        }
        resolved(self.document_base(), href)
    }

    /// What the page's relative addresses are resolved against: its own address under the file's name, or the first
    /// `<base href>` (HTML standard, "document base URL").
    fn document_base(&self) -> &PageUrl {
        self.document_base.get_or_init(|| {
            let own = own_address(
                self.site.base,
                &self.page.file,
                crate::config::UrlStyle::Keep,
            );
            let base = self
                .facts
                .base
                .as_ref()
                .and_then(|base| resolved(&own, &base.value).ok());
            base.unwrap_or(own)
        })
    }
}

/// Resolves an address of a page; one that no server takes counts as none, or a few hundred pages could fill the memory
/// with theirs.
fn resolved(base: &PageUrl, href: &str) -> Result<PageUrl, ResolveError> {
    if href.len() > LONGEST_HREF {
        Err(ResolveError::TooLong)
    } else {
        base.resolve(href)
    }
}

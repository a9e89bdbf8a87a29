//! One page with all that is known when it is judged alone.

use std::cell::OnceCell;

use super::canonical::Canonical;
use super::served::own_address;
use crate::config::Settings;
use crate::date::Now;
use crate::discover::Page;
use crate::location::{BaseUrl, PageUrl};
use crate::read::Facts;
use crate::robots_txt::PathRules;
use crate::rule::PatternSet;

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
    /// The moment against which `unavailable_after` is held.
    pub now: Now,
}

/// Who has asked for a page to be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusion<'a> {
    /// A rule, by its first pattern.
    Rule(&'a str),
    /// The front matter of the page's source.
    FrontMatter,
}

/// A page to be judged.
pub struct Case<'a> {
    /// The site it belongs to.
    pub site: &'a SiteView<'a>,
    /// The page.
    pub page: &'a Page,
    /// What it says of itself.
    pub facts: &'a Facts,
    /// What excludes it.
    pub excluded_by: Option<Exclusion<'a>>,
    /// What its canonical links come to.
    pub canonical: Canonical,
    /// The address under which it would be listed: the canonical's own spelling where that names this file.
    pub url: PageUrl,
    document_base: OnceCell<PageUrl>,
}

impl<'a> Case<'a> {
    /// Brings a page and its facts together.
    pub fn new(site: &'a SiteView<'a>, page: &'a Page, facts: &'a Facts, excluded_by: Option<Exclusion<'a>>) -> Self {
        let url = own_address(site.base, &page.file, site.settings.urls);
        let canonical = Canonical::default();
        let mut case = Self { site, page, facts, excluded_by, canonical, url, document_base: OnceCell::new() };
        if !facts.canonicals.is_empty() {
            case.canonical = Canonical::of(&case);
            if let Some(spelling) = case.canonical.itself() {
                case.url = spelling.clone();
            }
        }
        case
    }

    /// What the page's relative addresses are resolved against: its own address under the file's name, or the first
    /// `<base href>` (HTML standard, "document base URL").
    pub fn document_base(&self) -> &PageUrl {
        self.document_base.get_or_init(|| {
            let own = own_address(self.site.base, &self.page.file, crate::config::UrlForm::Keep);
            let base = self.facts.base.as_ref().and_then(|base| own.resolve(&base.value).ok());
            base.unwrap_or(own)
        })
    }
}

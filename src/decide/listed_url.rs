//! Determines the URL under which a page would be listed, its headers and its canonical link.

use std::cell::OnceCell;

use super::canonical::Canonical;
use super::page_case::{PageCase, SiteView};
use crate::hosts::UrlForm;
use crate::rules::ExcludedBy;
use page_signals::PageFacts;
use sitemaps::site_paths::{PageUrl, SitePath};

impl<'a> PageCase<'a> {
    /// Combines a page with its facts.
    pub fn new(
        site: &'a SiteView<'a>,
        file: &'a SitePath,
        facts: &'a PageFacts,
        excluded_by: Option<&'a ExcludedBy>,
    ) -> Self {
        let url = UrlForm::of(site.settings).url_of(site.base, file);
        let canonical = Canonical::default();
        let headers = site.headers(&url);
        let mut case = Self {
            site,
            file,
            facts,
            excluded_by,
            canonical,
            url,
            headers,
            document_base: OnceCell::new(),
        };
        case.read_canonical();
        let spelling = case.canonical.itself().cloned();
        if let Some(spelling) = spelling.filter(|spelling| case.is_served_at(spelling)) {
            case.move_to(spelling);
        }
        case.follow_redirect();
        case
    }

    /// Moves to another form of the page's URL if the host redirects there (`/about.html` to
    /// `/about`) and serves the page there. That form may have other headers, which may name
    /// another canonical. A rule for many paths sends only one of them to its own page.
    fn follow_redirect(&mut self) {
        let Some(rule) = self.site.redirect(&self.url) else {
            return;
        };
        if rule.has_wildcard || !rule.redirect.is_redirect() {
            return;
        }
        let form = self.url.resolve(&rule.target).ok();
        let form = form.filter(|form| *form != self.url && self.is_served_at(form));
        if let Some(form) = form {
            self.move_to(form);
            self.read_canonical();
        }
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
}

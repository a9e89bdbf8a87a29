//! Determines the URL under which a page would be listed, and its statements at that URL.

use super::document::Document;
use super::page_case::{PageCase, SiteView};
use super::statements::{Canonical, Statements, stated};
use crate::decide::rules::ExcludedBy;
use crate::hosts::UrlForm;
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
        let url = match site.page_urls.get(file) {
            Some(url) => url.clone(),
            None => UrlForm::of(site.settings).url_of(site.base, file),
        };
        let mut case = Self {
            site,
            file,
            facts,
            excluded_by,
            statements: Statements::default(),
            headers: site.headers(&url),
            url,
            document: Document::new(facts, site.base, file, Some(site.pages)),
        };
        case.read_statements();
        let spelling = match &case.statements.canonical {
            Canonical::Itself(url) if *url != case.url && case.is_served_at(url) => Some(url),
            _ => None,
        };
        if let Some(spelling) = spelling.cloned() {
            case.move_to(spelling);
        }
        case.follow_redirect();
        case
    }

    fn read_statements(&mut self) {
        let headers = self.sent_headers();
        self.statements = stated(&self.document, &headers, &self.url, self.site.now);
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
        if let Ok(form) = self.url.resolve(&rule.target)
            && form != self.url
            && self.is_served_at(&form)
        {
            self.move_to(form);
        }
    }

    fn move_to(&mut self, url: PageUrl) {
        self.headers = self.site.headers(&url);
        self.url = url;
        self.read_statements();
    }
}

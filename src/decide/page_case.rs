//! A page with all facts for judging it alone: the URL under which it would be listed, and its statements
//! at that URL.

use std::collections::BTreeMap;

use super::document::Document;
use super::host_headers::SentHeader;
use super::rules::ExcludedBy;
use super::statements::{Canonical, CanonicalSource, CanonicalTarget, Statements, stated};
use crate::files::glob::PatternSet;
use crate::findings::{Findings, Subject};
use crate::hosts::{AppliedRedirect, Header, HostRules, UrlForm};
use crate::settings::Settings;
use page_signals::{PageFacts, TagPlace};
use sitemaps::robots_txt::AgentRules;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{Now, Place};

/// Facts that all pages of a site share.
#[derive(Debug)]
pub struct SiteView<'a> {
    /// The URL of the output directory.
    pub base: &'a BaseUrl,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// Every page of the site, sorted by file.
    pub pages: &'a [SitePath],
    /// The URLs of pages that have another form than the site's, unless their canonical link names one.
    pub page_urls: &'a BTreeMap<SitePath, PageUrl>,
    /// The rules of the site's robots.txt for the crawlers in the settings, if it applies and is to be
    /// obeyed.
    pub robots_txt: Option<&'a AgentRules<'a>>,
    /// The host's error pages, relative to the output directory.
    pub error_pages: &'a PatternSet,
    /// Files that are never pages, relative to the output directory.
    pub not_pages: &'a PatternSet,
    /// Whether the generator is known.
    pub has_generator: bool,
    /// Whether its settings publish drafts as any page.
    pub lists_drafts: bool,
    /// The headers and redirects configured for the host.
    pub host_rules: &'a HostRules,
    /// The time to compare `unavailable_after` with.
    pub now: Now,
    /// Receives what is wrong with a page.
    pub findings: &'a Findings,
}

impl<'a> SiteView<'a> {
    /// Returns the headers of the response for a URL.
    pub(super) fn headers(&self, url: &PageUrl) -> Vec<&'a Header> {
        if self.host_rules.is_empty() {
            return Vec::new();
        }
        self.request_path(url)
            .map(|path| self.host_rules.headers(&path))
            .unwrap_or_default()
    }

    /// Returns the rule that a URL is answered by instead of its page.
    pub(super) fn redirect(&self, url: &PageUrl) -> Option<AppliedRedirect<'a>> {
        if self.host_rules.is_empty() {
            return None;
        }
        self.host_rules.redirect(&self.request_path(url)?)
    }

    /// Returns the request path of a URL: the host serves the output directory at its root.
    fn request_path(&self, url: &PageUrl) -> Option<String> {
        let below = self
            .base
            .path_below(url)
            .filter(|path| !path.contains('?'))?;
        Some(format!("/{below}"))
    }
}

/// A page to judge.
pub struct PageCase<'a> {
    /// The site of the page.
    pub site: &'a SiteView<'a>,
    /// Its file, relative to the output directory. HTML is read for its facts; a file with an
    /// additional extension from the settings (`pdf`, …) is only listed and dated.
    pub file: &'a SitePath,
    /// The facts that the page states.
    pub facts: &'a PageFacts,
    /// The explicit exclusion, if any.
    pub excluded_by: Option<&'a ExcludedBy>,
    /// What it states with its headers.
    pub(super) statements: Statements<'a>,
    /// The URL under which it would be listed: the spelling of the canonical link if that names
    /// this file.
    pub url: PageUrl,
    /// The headers that the host sends with it.
    pub(super) headers: Vec<&'a Header>,
    pub(super) document: Document<'a>,
}

impl<'a> SentHeader<'a> {
    fn of(header: &'a Header) -> Self {
        Self {
            continues: header.continues,
            ..Self::new(header.name, &header.value)
        }
    }
}

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
        let headers: Vec<_> = self.headers.iter().copied().map(SentHeader::of).collect();
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
        if let Some(form) = self.url.resolve(&rule.target)
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

    /// A tag of the page.
    pub(super) fn subject_at(&self, tag: TagPlace) -> Subject {
        Subject::Page(self.file.clone(), Some(place_of(tag)))
    }

    /// Whether the host answers a URL with this page.
    pub(super) fn is_served_at(&self, url: &PageUrl) -> bool {
        let site = self.site;
        UrlForm::of(site.settings).answers(site.base, self.file, url)
    }

    /// Returns the rule that replaces the page at its URL. A rewrite to the page itself does not,
    /// whatever query it adds.
    pub(super) fn replaced_by(&self) -> Option<AppliedRedirect<'a>> {
        let rule = self.site.redirect(&self.url)?;
        let path = rule.target.split(['?', '#']).next().unwrap_or_default();
        let target = self.url.resolve(path);
        let is_itself =
            rule.redirect.is_rewrite() && target.is_some_and(|target| self.is_served_at(&target));
        (!is_itself).then_some(rule)
    }

    /// Resolves a link of the page as a browser does.
    pub fn resolve(&self, href: &str) -> Option<PageUrl> {
        // Most links name their own page, and parsing a URL is slow.
        if href == self.url.as_str() {
            return Some(self.url.clone());
        }
        self.document.resolve(href)
    }

    /// Formats the canonical link as evidence.
    pub(super) fn evidence_of(&self, target: &CanonicalTarget) -> String {
        match target.source {
            CanonicalSource::Tag(_) => format!("canonical link to {}", target.url),
            CanonicalSource::Header(index) => self.headers[index].to_string(),
        }
    }

    /// The canonical link of the page to itself with two slashes where one belongs.
    pub(crate) fn doubled_link(&self) -> Option<Subject> {
        match &self.statements.canonical {
            Canonical::ItselfDoubled(target) => Some(self.subject_of(target)),
            _ => None,
        }
    }

    /// Returns the subject for a finding about a canonical link.
    pub(super) fn subject_of(&self, target: &CanonicalTarget) -> Subject {
        match target.source {
            CanonicalSource::Tag(place) => self.subject_at(place),
            CanonicalSource::Header(index) => self.headers[index].origin.subject(),
        }
    }
}

/// The place of a tag, for a finding about it: the range is the same, but findings are about other
/// files too.
pub fn place_of(tag: TagPlace) -> Place {
    Place {
        start: tag.start,
        end: tag.end,
    }
}

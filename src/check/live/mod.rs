//! Requests pages of a set from their server, and checks whether it answers as the sitemap promises.
//!
//! Requests go to one host, through a client that limits their number and rate. Time-outs and broken
//! connections are reported as such: they say nothing about a page.

mod live_robots;
mod page_response;
mod sample;

pub(super) use live_robots::{LiveRobots, not_answered};
pub(super) use page_response::unanswered;
pub(super) use sample::PageSample;

use url::Url;

use crate::findings::{Finding, Findings, Subject, code};
use crate::progress;
use crate::web::PoliteClient;
use sitemaps::site_paths::SitePath;
use sitemaps::{Now, quoted};

use page_response::judge;
use sample::ChosenPage;

/// The inputs of a live check.
pub(super) struct LiveCheck<'a> {
    pub(super) client: &'a PoliteClient<'a>,
    /// The robots.txt of the host.
    pub(super) robots: &'a LiveRobots,
    /// The time to compare `unavailable_after` with.
    pub(super) now: Now,
}

/// The result of a live check.
#[derive(Debug, Default, serde::Serialize)]
pub struct LiveReport {
    /// The number of entries in the set.
    pub listed: usize,
    /// The number of entries on other hosts, which are not requested.
    pub elsewhere: usize,
    /// The number of pages that were chosen.
    pub chosen: usize,
    /// The number of pages that the server answered.
    pub answered: usize,
    /// Findings, ordered by file and place.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl LiveCheck<'_> {
    /// Requests the chosen pages, one after the other.
    pub(super) fn run(&self, sample: &PageSample) -> LiveReport {
        let pages = sample.pages();
        let mut report = LiveReport {
            listed: sample.listed,
            elsewhere: sample.elsewhere,
            chosen: pages.len(),
            ..LiveReport::default()
        };
        let findings = Findings::default();
        findings.extend(self.robots.fault());
        let mut unsent = pages.len();
        progress::begin("requesting pages", pages.len());
        for page in &pages {
            progress::advance();
            if self.failure().is_none() {
                report.answered += usize::from(self.look_at(page, &findings));
                unsent -= 1;
            }
        }
        if unsent > 0 {
            let why = self.failure().unwrap_or_default();
            let message = format!(
                "{why}: {unsent} of {} pages are not requested",
                report.chosen
            );
            let finding = Finding::new(code::LIVE_UNCHECKED, Subject::Site, message);
            findings.add(finding.with_hint("request fewer pages with `--live=N`"));
        }
        report.findings = findings.take_sorted();
        report
    }

    /// Requests pages that `llms.txt` links to, and reports those that are missing or may not be indexed.
    /// A text for machines may say that it is not to be indexed.
    pub(super) fn follow_links(&self, linked: &PageSample) -> Vec<Finding> {
        let (mut kept, findings) = (Vec::new(), Findings::default());
        for page in linked.pages() {
            if self.failure().is_none() {
                self.look_at(&page, &findings);
            }
            let path = page.url.path_and_query();
            let is_page = !path.contains('.') || SitePath::from(path).is_html();
            kept.extend(findings.take_sorted().into_iter().filter(|finding| {
                finding.code == code::LIVE_STATUS
                    || finding.code == code::LOC_CONTRADICTED && is_page
            }));
        }
        kept
    }

    /// Why no more pages are requested.
    fn failure(&self) -> Option<String> {
        self.client.stop_reason().or_else(|| self.robots.failure())
    }

    /// Requests a page, unless robots.txt forbids it, and returns whether the server answers.
    fn look_at(&self, page: &ChosenPage<'_>, findings: &Findings) -> bool {
        let named = page.url.as_str();
        if let Some(how) = self.robots.disallows(page.url) {
            let message = format!("`{}` is {how}", quoted(named));
            let finding = Finding::new(code::LOC_CONTRADICTED, page.subject.clone(), message);
            let hint = "allow it in robots.txt, or remove it from the sitemap";
            findings.add(finding.with_hint(hint));
        }
        let Some(url) = Url::parse(named)
            .ok()
            .filter(|_| self.robots.lets_us_fetch(page.url))
        else {
            return false;
        };
        let trail = self.client.follow(url);
        let judged = match self.client.stop_reason() {
            Some(why) => vec![unanswered(named, page.subject.clone(), &why, None)],
            None => judge(page, trail, self.now),
        };
        let is_answered = judged
            .iter()
            .all(|finding| finding.code != code::LIVE_UNCHECKED);
        findings.extend(judged);
        is_answered
    }
}

//! The robots.txt that a server publishes.

use url::Url;

use crate::findings::{Finding, Findings, Hint, HintedError, Subject, code};
use crate::settings::Settings;
use crate::site::report_deviations;
use crate::web::{PoliteClient, Trail, TrailEnd};
use sitemaps::robots_txt::{MAX_READ, RobotsTxt};
use sitemaps::site_paths::PageUrl;

/// The product token of waypost in robots.txt.
const OWN_TOKEN: &str = "waypost";

/// The error that a server does not answer.
pub(in crate::check) fn not_answered(url: &Url, why: &HintedError) -> HintedError {
    let hint = why.hint().unwrap_or("try again later".into());
    HintedError::new(format!("`{url}` cannot be fetched: {why}"), hint)
}

/// The robots.txt of a host.
#[derive(Debug)]
pub struct LiveRobots {
    /// Its URL, after redirects.
    pub url: Url,
    /// Its bytes; empty if there is none.
    pub bytes: Vec<u8>,
    rules: RobotsTxt,
    /// The crawlers that count by default.
    agents: Vec<String>,
    /// The status of the error that makes crawlers stay away, if there is one.
    server_error: Option<u16>,
}

impl LiveRobots {
    /// Fetches the robots.txt of a URL's host.
    ///
    /// Without one, everything is allowed; if the server fails, nothing is (RFC 9309 section 2.3.1), also
    /// if it is too busy (developers.google.com, "How HTTP status codes affect Google's crawlers").
    /// A redirect to another host counts as none.
    pub fn fetch(client: &PoliteClient<'_>, of: &Url) -> Result<Self, HintedError> {
        let mut url = of.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        let shown = url.clone();
        let Trail { url, end, .. } = client.follow(url);
        let (status, bytes) = match end {
            TrailEnd::Response(mut response) if response.status == 200 => {
                (200, response.read_body(MAX_READ as u64).0)
            }
            TrailEnd::Response(response) => (response.status, Vec::new()),
            TrailEnd::NoAnswer(why) => return Err(not_answered(&shown, &why)),
            TrailEnd::NotFollowed | TrailEnd::Endless | TrailEnd::Stopped => (404, Vec::new()),
        };
        let rules = RobotsTxt::parse(&bytes);
        Ok(Self {
            url,
            rules,
            agents: Settings::default().robots_txt.agents,
            bytes,
            server_error: (status >= 500 || status == 429).then_some(status),
        })
    }

    /// Whether waypost may request a URL.
    pub(in crate::check) fn lets_us_fetch(&self, url: &PageUrl) -> bool {
        let rules = self.rules.rules_for(OWN_TOKEN);
        rules.disallowing(url).is_none()
    }

    /// How the rules keep all crawlers that count by default from a URL.
    pub(in crate::check) fn disallows(&self, url: &PageUrl) -> Option<String> {
        let rules = self.rules.rules_for_agents(&self.agents);
        rules.disallowed_by(url, &format!("`{}`", self.url))
    }

    /// The error of the server that keeps all crawlers away.
    pub(in crate::check) fn failure(&self) -> Option<String> {
        let status = self.server_error?;
        Some(format!("`{}` responds with {status}", self.url))
    }

    /// The finding about such an error.
    pub(in crate::check) fn fault(&self) -> Option<Finding> {
        let failure = self.failure()?;
        let message = format!("{failure}, so crawlers fetch no page of this host");
        Some(Finding::new(code::LIVE_STATUS, self.subject(), message))
    }

    /// Reports the lines that only some crawlers read.
    pub(in crate::check) fn report_deviations(&self, findings: &Findings) {
        report_deviations(&self.rules, &self.subject(), findings);
    }

    /// The subject of findings about it.
    pub(in crate::check) fn subject(&self) -> Subject {
        Subject::Url(self.url.to_string(), None)
    }
}

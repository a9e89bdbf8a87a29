//! Entries, settings and plans for tests.

use super::{Newest, Plan, RuleValues, SitemapEntry};
use crate::entry::LanguageLinks;
use crate::lastmod::{DateFormat, LastMod, Now};
use crate::settings::SitemapSettings;
use crate::site_paths::BaseUrl;
use crate::values::GroupName;
use std::sync::Arc;

pub(crate) fn base() -> BaseUrl {
    BaseUrl::parse("https://example.com/").expect("a base URL")
}

pub(crate) fn date(seconds: i64) -> Option<LastMod> {
    LastMod::at(seconds, 60, Now(2_000_000_000)).ok()
}

pub(crate) fn entry(path: &str) -> SitemapEntry {
    SitemapEntry {
        loc: base().path_url(path.as_bytes()),
        lastmod: None,
        by_rule: Arc::default(),
        links: None,
    }
}

pub(crate) fn grouped(path: &str, group: &str) -> SitemapEntry {
    let by_rule = RuleValues {
        group: GroupName::new(group).ok(),
        ..RuleValues::default()
    };
    SitemapEntry {
        by_rule: Arc::new(by_rule),
        ..entry(path)
    }
}

/// `count` entries, each with a date.
pub(crate) fn entries(count: usize) -> Vec<SitemapEntry> {
    (0..count)
        .map(|number| SitemapEntry {
            lastmod: date(1_700_000_000),
            ..entry(&format!("p{number}/"))
        })
        .collect()
}

/// Language links to these paths, each with its code.
pub(crate) fn language_links(links: &[(&str, &str)]) -> LanguageLinks {
    let url = |path: &str| base().path_url(path.as_bytes());
    links.iter().map(|(code, path)| (code, url(path))).collect()
}

pub(crate) fn at_most(max_urls: usize) -> SitemapSettings {
    SitemapSettings {
        max_urls,
        ..SitemapSettings::default()
    }
}

pub(crate) fn plan(entries: Vec<SitemapEntry>, settings: &SitemapSettings) -> Plan {
    plan_with(entries, &Newest::default(), settings)
}

pub(crate) fn plan_with(
    entries: Vec<SitemapEntry>,
    newest: &Newest,
    settings: &SitemapSettings,
) -> Plan {
    Plan::lay_out(entries, newest, settings, DateFormat::Datetime, &base())
}

/// Name and text of every file in a plan.
pub(crate) fn rendered(plan: &Plan) -> Vec<(String, String)> {
    plan.files()
        .iter()
        .map(|file| (file.name.clone(), plan.render(file)))
        .collect()
}

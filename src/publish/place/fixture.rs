//! Entries, settings and plans for tests.

use std::sync::Arc;

use sitemaps::site_paths::BaseUrl;
use sitemaps::{
    DateFormat, GroupName, LastMod, Newest, Now, Plan, RuleValues, SitemapEntry, SitemapSettings,
};

pub(super) fn base() -> BaseUrl {
    BaseUrl::parse("https://example.com/").expect("a base URL")
}

pub(super) fn entry(path: &str) -> SitemapEntry {
    SitemapEntry {
        loc: base().path_url(path.as_bytes()),
        lastmod: None,
        by_rule: Arc::default(),
        links: None,
    }
}

pub(super) fn grouped(path: &str, group: &str) -> SitemapEntry {
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
pub(super) fn entries(count: usize) -> Vec<SitemapEntry> {
    (0..count)
        .map(|number| SitemapEntry {
            lastmod: LastMod::at(1_700_000_000, 60, Now(2_000_000_000)).ok(),
            ..entry(&format!("p{number}/"))
        })
        .collect()
}

pub(super) fn at_most(max_urls: usize) -> SitemapSettings {
    SitemapSettings {
        max_urls,
        ..SitemapSettings::default()
    }
}

pub(super) fn plan(entries: Vec<SitemapEntry>, settings: &SitemapSettings) -> Plan {
    let newest = Newest::default();
    Plan::lay_out(entries, &newest, settings, DateFormat::Datetime, &base())
}

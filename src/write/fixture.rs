//! Entries and settings for the tests of this room.

use super::{ByRule, Entry, Extras, Plan};
use crate::config::SitemapSettings;
use crate::date::{DateFormat, LastMod, Now};
use crate::location::BaseUrl;
use crate::rule::GroupName;
use std::sync::Arc;

pub(super) fn base() -> BaseUrl {
    BaseUrl::parse("https://example.com/").expect("a base URL")
}

pub(super) fn date(seconds: i64) -> Option<LastMod> {
    LastMod::at(seconds, 60, Now(2_000_000_000)).ok()
}

pub(super) fn entry(path: &str) -> Entry {
    Entry {
        loc: base().of_path(path.as_bytes()),
        lastmod: None,
        by_rule: Arc::default(),
        links: None,
    }
}

pub(super) fn grouped(path: &str, group: &str) -> Entry {
    let by_rule = ByRule {
        group: GroupName::new(group).ok(),
        ..ByRule::default()
    };
    Entry {
        by_rule: Arc::new(by_rule),
        ..entry(path)
    }
}

/// So many entries, each with a date.
pub(super) fn entries(count: usize) -> Vec<Entry> {
    (0..count)
        .map(|number| Entry {
            lastmod: date(1_700_000_000),
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

pub(super) fn plan(entries: Vec<Entry>, settings: &SitemapSettings) -> Plan {
    plan_with(entries, Extras::default(), settings)
}

pub(super) fn plan_with(entries: Vec<Entry>, extras: Extras, settings: &SitemapSettings) -> Plan {
    Plan::lay_out(entries, extras, settings, DateFormat::Datetime, &base())
}

/// Every file of a plan, by name.
pub(super) fn rendered(plan: &Plan) -> Vec<(String, String)> {
    plan.files()
        .iter()
        .map(|file| (file.name.clone(), plan.render(file)))
        .collect()
}

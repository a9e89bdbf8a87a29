//! Tests of `changes`.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use sitemaps::gzip::FileCompression;
use sitemaps::site_paths::BaseUrl;
use sitemaps::{DateFormat, GzipMode, Newest, Now, SitemapEntry, SitemapSettings};

fn date(seconds: i64) -> Option<LastMod> {
    LastMod::at(seconds, 60, Now(2_000_000_000)).ok()
}

fn entry(path: &str) -> SitemapEntry {
    SitemapEntry {
        loc: base().path_url(path.as_bytes()),
        lastmod: None,
        by_rule: Arc::default(),
        links: None,
    }
}

fn base() -> BaseUrl {
    BaseUrl::parse("https://example.com/").expect("a base URL")
}

fn plan(entries: Vec<SitemapEntry>, settings: &SitemapSettings) -> Plan {
    let format = DateFormat::Datetime;
    Plan::lay_out(entries, &Newest::default(), settings, format, &base())
}

fn changes_in(dir: &TempDir, plan: &Plan) -> SitemapChanges {
    SitemapChanges::since(&Tree::new(dir.path()), plan.root(), plan)
}

fn write(plan: &Plan, dir: &std::path::Path) {
    for file in plan.files() {
        let bytes = FileCompression::for_name(&file.name)
            .encode(&plan.render(file))
            .into_owned();
        fs::write(dir.join(&file.name), bytes).expect("a file");
    }
}

#[test]
fn a_first_date_is_a_change_if_it_is_later_than_every_date_on_disk() {
    let check = |on_disk: &str, expected: &[u32]| {
        let pages = ["a", "b", "c"].map(entry).into_iter().zip(1..);
        let dated = pages.map(|(page, number)| SitemapEntry {
            lastmod: date(1_700_000_000 + number * 100_000),
            ..page
        });
        let plan = plan(dated.collect(), &SitemapSettings::default());
        let listed = |loc: &str, lastmod: &str| ListedEntry {
            loc: format!("https://example.com/{loc}"),
            lastmod: lastmod.to_owned(),
            ..ListedEntry::default()
        };
        let changes = SitemapChanges::from_pages(&plan, |visit| {
            visit(&listed("a", ""));
            visit(&listed("b", on_disk));
            visit(&listed("c", ""));
            Ok::<(), ()>(())
        });
        assert_eq!(
            changes.map(|changes| changes.changed_since),
            Ok(expected.to_vec())
        );
    };
    check("2023-11-17T06:46:40+01:00", &[2]);
    check("2023-11-17", &[2]);
    check("2023", &[]);
    check("2024-01-01", &[]);
    check("", &[]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_written_set_is_read_back_completely(
        old in prop::collection::btree_map("[a-e&']{1,3}", 0_i64..3, 1..30),
        new in prop::collection::btree_map("[a-e&']{1,3}", 0_i64..3, 1..30),
        max_urls in 1_usize..20,
        gzip in prop::sample::select(vec![GzipMode::Off, GzipMode::Also, GzipMode::Only]),
    ) {
        let dir = TempDir::new().expect("a temporary directory");
        let settings = SitemapSettings { gzip, max_urls, ..SitemapSettings::default() };
        let pages = |days: &std::collections::BTreeMap<String, i64>| {
            let page = |(name, &day): (&String, &i64)| SitemapEntry {
                lastmod: date(day),
                ..entry(name)
            };
            plan(days.iter().map(page).collect(), &settings)
        };
        write(&pages(&old), dir.path());
        let new_plan = pages(&new);
        let changes = changes_in(&dir, &new_plan);
        let url = |name: &String| entry(name).loc.to_string();
        let named = |numbers: &[u32]| -> Vec<String> {
            let entries = numbers.iter().map(|&number| &new_plan.entries()[number as usize]);
            entries.map(|entry| entry.loc.to_string()).collect()
        };
        let sorted = |mut urls: Vec<String>| { urls.sort(); urls };
        let added = new.keys().filter(|name| !old.contains_key(*name)).map(url).collect();
        let removed = old.keys().filter(|name| !new.contains_key(*name)).map(url).collect();
        // `date(0)` is an unknown date.
        let is_other = |old: &i64, new: i64| *old != 0 && new != 0 && *old != new;
        let redated = new
            .iter()
            .filter(|(name, day)| old.get(*name).is_some_and(|old| is_other(old, **day)))
            .map(|(name, _)| url(name));
        prop_assert_eq!(named(&changes.added), sorted(added));
        prop_assert_eq!(&changes.removed, &sorted(removed));
        let numbers: Vec<u32> = changes.redated.iter().map(|(number, _)| *number).collect();
        prop_assert_eq!(named(&numbers), sorted(redated.collect()));
        prop_assert_eq!(changes.notes, [""; 0]);
    }
}

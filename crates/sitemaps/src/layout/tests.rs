//! Tests of `layout`.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::entry::LanguageLinks;
use super::super::fixture::{
    at_most, base, date, entries, entry, grouped, language_links, plan, rendered,
};
use super::super::{FileRole, PlannedFileKind, SitemapFormat};
use super::*;

#[test]
fn a_file_is_split_only_beyond_its_limit() {
    let check = |count: usize, settings: &SitemapSettings, expected: usize| {
        assert_eq!(
            plan(entries(count), settings).files().len(),
            expected,
            "{count}"
        );
    };
    check(50_000, &SitemapSettings::default(), 1);
    check(50_001, &SitemapSettings::default(), 3);
    let bytes = plan(entries(100), &SitemapSettings::default()).files()[0].bytes;
    check(
        100,
        &SitemapSettings {
            max_bytes: bytes,
            ..SitemapSettings::default()
        },
        1,
    );
    check(
        100,
        &SitemapSettings {
            max_bytes: bytes - 1,
            ..SitemapSettings::default()
        },
        3,
    );
}

#[test]
fn of_two_entries_with_one_url_the_newer_is_kept() {
    let dated = |seconds| SitemapEntry {
        lastmod: date(seconds),
        ..entry("a")
    };
    let plan = plan(
        vec![entry("a"), dated(1), dated(2), dated(1)],
        &SitemapSettings::default(),
    );
    assert_eq!(plan.entries(), [dated(2)]);
}

/// Pages of a small site, each URL once: a name, whether it has language versions and images,
/// and a group.
fn site() -> impl Strategy<Value = Vec<SitemapEntry>> {
    let page = ("[a-d&']{1,5}", 0_u8..4, prop::option::of("[bc]"), 0_i64..3);
    prop::collection::vec(page, 1..60).prop_map(|pages| {
        let by_url: BTreeMap<_, _> = pages
            .into_iter()
            .map(page_of)
            .map(|page| (page.loc.clone(), page))
            .collect();
        by_url.into_values().collect()
    })
}

fn page_of((name, extensions, group, day): (String, u8, Option<String>, i64)) -> SitemapEntry {
    let url = base().path_url(name.as_bytes());
    let page = group.map_or_else(|| entry(&name), |group| grouped(&name, &group));
    let alternates = if extensions & 1 == 0 {
        LanguageLinks::default()
    } else {
        language_links(&[("de", &name)])
    };
    let images = if extensions & 2 == 0 {
        Box::default()
    } else {
        [url].into()
    };
    SitemapEntry {
        lastmod: date(day),
        links: EntryLinks {
            alternates,
            images,
            ..EntryLinks::default()
        }
        .shared(),
        ..page
    }
}

fn limits() -> impl Strategy<Value = SitemapSettings> {
    (1_usize..9, 700_usize..2000).prop_map(|(max_urls, max_bytes)| SitemapSettings {
        max_bytes,
        formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
        ..at_most(max_urls)
    })
}

proptest! {
    #[test]
    fn each_format_lists_every_url_in_one_file_and_no_file_exceeds_a_limit(
        pages in site(), settings in limits()
    ) {
        let plan = plan(pages.clone(), &settings);
        for file in plan.files() {
            prop_assert_eq!(file.bytes, plan.render(file).len(), "{}", file.name);
            let is_index = file.kind == PlannedFileKind::Index;
            prop_assert!(is_index || file.urls <= settings.max_urls);
            prop_assert!(is_index || file.bytes <= settings.max_bytes);
        }
        let expected: Vec<_> = pages.iter().map(|page| page.loc.as_str()).collect();
        for kind in [PlannedFileKind::Urlset, PlannedFileKind::Text] {
            let files = plan.files().iter().filter(|file| file.kind == kind);
            let numbers = files.flat_map(|file| file.numbers().iter());
            let mut listed: Vec<_> =
                numbers.map(|&number| plan.entries()[number as usize].loc.as_str()).collect();
            listed.sort_unstable();
            prop_assert_eq!(&listed, &expected);
        }
    }

    #[test]
    fn the_order_of_the_entries_does_not_matter(pages in site(), settings in limits()) {
        let reversed = pages.iter().rev().cloned().collect();
        let reversed = plan(reversed, &settings);
        prop_assert_eq!(rendered(&plan(pages, &settings)), rendered(&reversed));
    }

    #[test]
    fn a_new_page_rewrites_one_child_or_splits_one(
        pages in site(), added in "[e-f]{1,5}", settings in limits()
    ) {
        let settings = SitemapSettings { formats: vec![SitemapFormat::Xml], ..settings };
        let children = |plan: &Plan| -> BTreeMap<String, String> {
            let children = plan.files().iter().filter(|file| file.role == FileRole::Child);
            children.map(|file| (file.name.clone(), plan.render(file))).collect()
        };
        let before = children(&plan(pages.clone(), &settings));
        let mut pages = pages;
        pages.push(entry(&added));
        let after = children(&plan(pages, &settings));
        let gone = before.keys().filter(|name| !after.contains_key(*name)).count();
        let is_rewritten = |(name, text): &(&String, &String)| {
            after.get(*name).is_some_and(|new| new != *text)
        };
        let rewritten = before.iter().filter(is_rewritten).count();
        prop_assert!(gone + rewritten <= 1, "{gone} gone, {rewritten} rewritten");
    }
}

#[test]
fn a_text_sitemap_contains_only_urls_and_line_ends() {
    let settings = SitemapSettings {
        formats: vec![SitemapFormat::Txt],
        ..SitemapSettings::default()
    };
    let rendered = rendered(&plan(
        vec![grouped("b", "blog"), entry("a&b"), entry("é.html")],
        &settings,
    ));
    let expected =
        "https://example.com/%C3%A9.html\nhttps://example.com/a&b\nhttps://example.com/b\n";
    assert_eq!(rendered, [("sitemap.txt".to_owned(), expected.to_owned())]);
}

#[test]
fn a_text_sitemap_over_a_limit_is_split_and_every_part_is_a_root() {
    let settings = SitemapSettings {
        formats: vec![SitemapFormat::Txt],
        ..at_most(2)
    };
    let plan = plan(["a", "b", "c"].map(entry).to_vec(), &settings);
    assert_eq!(plan.roots().count(), plan.files().len());
    assert!(plan.files().len() > 1);
    assert!(
        plan.files()
            .iter()
            .all(|file| file.urls <= 2 && file.bytes == plan.render(file).len())
    );
}

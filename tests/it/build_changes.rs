//! `waypost build` after an earlier run: the files that it rewrites, removes or does not touch, and
//! the changes that it reports.

use std::fs;

use serde_json::json;

use crate::build::{sitemaps, small_site};
use crate::site_test::SiteTest;

#[test]
fn the_second_run_touches_no_file() {
    let site = small_site();
    site.settings("[sitemap]\nmax_urls = 1\ngzip = \"also\"\nformats = [\"xml\", \"txt\"]\n");
    let state = || {
        let modified =
            |file: &String| fs::metadata(site.root().join(file)).and_then(|data| data.modified());
        let of_file = |file: String| (modified(&file).expect("it exists"), site.bytes(&file), file);
        site.files().into_iter().map(of_file).collect::<Vec<_>>()
    };
    site.build();
    let first = state();
    site.build()
        .says("unchanged")
        .says("none since the previous sitemap")
        .says_nothing_of("written");
    assert!(state() == first, "a file was touched");
}

#[test]
fn a_new_page_in_a_split_sitemap_rewrites_one_child_and_the_index() {
    let site = SiteTest::of_pages(&[]);
    for number in 0..40 {
        site.page(format!("p{number}.html"), "");
    }
    site.settings("[sitemap]\nmax_urls = 20\n").build();
    site.page("one-more.html", "");
    let result = site.build_json();
    let files = result["files"].as_array().expect("an array").iter();
    let children = files.filter(|file| file["path"] != "sitemap.xml");
    let written: Vec<bool> = children.map(|file| file["changed"] == true).collect();
    let count = written.iter().filter(|is_written| **is_written).count();
    assert!(written.len() > 2 && count <= 2, "{result:#}");
    let urls = json!({
        "added": ["https://example.com/one-more.html"], "removed": [], "redated": [],
        "undated": [], "newly_dated": [],
    });
    let changes = &result["changes"];
    assert_eq!((&changes["added"], &changes["urls"]), (&json!(1), &urls));
    assert_eq!(changes["since"], "waypost");
    assert_eq!(site.urls().len(), 41);
}

#[test]
fn obsolete_children_are_removed_with_their_lines_in_robots_txt_and_nothing_else_is() {
    let site = SiteTest::of_pages(&[]);
    for page in 0..150 {
        site.page(format!("{page}.html"), "");
    }
    site.write("sitemap-of-another-tool.xml", "<x/>")
        .settings("[sitemap]\nmax_urls = 100\nformats = [\"xml\", \"txt\"]\n")
        .build();
    let before = sitemaps(&site);
    assert!(before.len() > 5, "{before:?}");
    site.write("sitemap.xml.gz", [0x1f, 0x8b, 8, 0]);
    let result = site.settings("").build_json();
    assert_eq!(
        sitemaps(&site),
        ["sitemap-of-another-tool.xml", "sitemap.xml"]
    );
    let removed = result["removed"].as_array().expect("an array").len();
    assert_eq!(removed, before.len() - 1, "{result}");
    assert_eq!(site.urls().len(), 150);
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
}

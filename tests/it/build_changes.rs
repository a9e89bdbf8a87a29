//! `waypost build` after an earlier run: the files that it rewrites, removes or does not touch, and
//! the changes that it reports.

use std::fs;

use serde_json::json;

use crate::build::small_site;
use crate::site_test::{SiteTest, page};

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
    site.settings("[sitemap]\nmax_urls = 20\n[lastmod]\nfrom = []\n")
        .build();
    site.page("one-more.html", "");
    let result = site.build_json();
    let files = result["files"].as_array().expect("an array");
    let changed = files
        .iter()
        .filter(|file| file["changed"] == true && file["path"] != "sitemap.xml")
        .count();
    assert!(files.len() > 3 && changed <= 2, "{files:#?}");
    let urls = json!({
        "added": ["https://example.com/one-more.html"], "removed": [], "redated": [],
        "undated": [], "newly_dated": [],
    });
    let difference = &result["changes"];
    assert_eq!(
        (&difference["added"], &difference["since"]),
        (&json!(1), &json!("waypost"))
    );
    assert_eq!(difference["urls"], urls);
    assert_eq!(site.urls().len(), 41);
}

#[test]
fn obsolete_children_are_removed_and_nothing_else_is() {
    let site = SiteTest::of_pages(&["a.html", "b.html", "c.html"]);
    site.write("sitemap-of-another-tool.xml", "<x/>")
        .settings("[sitemap]\nmax_urls = 1\n")
        .build();
    let children = || {
        site.files()
            .into_iter()
            .filter(|file| file.starts_with("sitemap-"))
            .collect::<Vec<_>>()
    };
    assert!(children().len() > 3, "{:?}", children());
    let result = site.settings("").build_json();
    assert_eq!(children(), ["sitemap-of-another-tool.xml"]);
    assert!(
        result["removed"]
            .as_array()
            .is_some_and(|removed| removed.len() >= 3),
        "{result}"
    );
    assert_eq!(site.urls().len(), 3);
}

#[test]
fn an_existing_robots_txt_keeps_every_byte() {
    let check = |before: &str, after: &str| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write("robots.txt", before).build();
        site.build();
        assert_eq!(site.read("robots.txt"), after);
    };
    check(
        "User-agent: *\nDisallow:",
        "User-agent: *\nDisallow:\nSitemap: https://example.com/sitemap.xml\n",
    );
    check(
        "# ours\r\nUser-agent: *\r\n",
        "# ours\r\nUser-agent: *\r\nSitemap: https://example.com/sitemap.xml\r\n",
    );
    check(
        "sitemap: https://example.com/sitemap.xml",
        "sitemap: https://example.com/sitemap.xml",
    );
    check(
        "Sitemap: https://example.com/news.xml\n",
        "Sitemap: https://example.com/news.xml\nSitemap: https://example.com/sitemap.xml\n",
    );
}

#[test]
fn the_summary_reports_the_changes_since_the_previous_sitemap() {
    let site = small_site();
    let foreign = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                   <url><loc>https://example.com/</loc><lastmod>2025-12-31</lastmod></url>\n\
                   <url><loc>https://example.com/thanks.html</loc></url></urlset>\n";
    site.write("sitemap.xml", foreign);
    let outcome = site.waypost(&["--verbose"]).succeeded();
    outcome
        .says("replaces  a sitemap of another program: 1 added, 1 removed, 1 re-dated")
        .says("+ https://example.com/blog/a.html")
        .says("- https://example.com/thanks.html")
        .says("~ https://example.com/");
    site.write("new.html", page(""))
        .commit("2024-04-04T00:00:00Z");
    site.build()
        .says("1 added, 0 removed, 0 re-dated")
        .says("+ https://example.com/new.html");
}

#[test]
fn a_stale_compressed_sitemap_of_another_tool_is_removed() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("sitemap.xml", "<urlset/>")
        .write("sitemap.xml.gz", [0x1f, 0x8b, 8, 0]);
    site.build();
    assert!(!site.root().join("sitemap.xml.gz").exists());
}

#[test]
fn robots_txt_no_longer_names_a_removed_sitemap() {
    let site = SiteTest::of_pages(&["1.html", "2.html", "3.html"]);
    let before = "User-agent: *\nSitemap: https://example.com/news.xml\n";
    site.write("robots.txt", before);
    let lines_after = |settings: &str| {
        site.settings(settings).build();
        let after = site.read("robots.txt");
        after
            .strip_prefix(before)
            .expect("the old bytes stay")
            .replace("Sitemap: https://example.com/", "")
    };
    assert_eq!(lines_after("[sitemap]\nmax_urls = 1\n"), "sitemap.xml\n");
    assert_eq!(
        lines_after("[sitemap]\ngzip = \"only\"\n"),
        "sitemap.xml.gz\n"
    );
    assert_eq!(lines_after(""), "sitemap.xml\n");
    assert_eq!(
        lines_after("[sitemap]\nformats = [\"txt\"]\n"),
        "sitemap.txt\n"
    );
}

#[test]
fn the_summary_counts_the_lines_added_to_and_removed_from_robots_txt() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.build().says("robots.txt   1 Sitemap line added\n");
    site.settings("[sitemap]\ngzip = \"only\"\n");
    site.build().says("1 Sitemap line added, 1 removed\n");
    site.settings("[sitemap]\nformats = [\"xml\", \"rss\"]\n")
        .build()
        .says("2 Sitemap lines added, 1 removed\n");
    site.settings("")
        .build()
        .says("robots.txt   0 Sitemap lines added, 1 removed\n");
}

#[test]
fn text_parts_of_an_earlier_set_are_removed_with_their_lines_in_robots_txt() {
    let site = SiteTest::empty();
    for page in 0..150 {
        site.page(format!("{page}.html"), "");
    }
    site.settings("[sitemap]\nformats = [\"xml\", \"txt\"]\nmax_urls = 100\n")
        .build();
    assert!(
        site.files()
            .iter()
            .filter(|file| file.contains(".txt"))
            .count()
            > 2,
        "{:?}",
        site.files()
    );
    site.settings("").build().says_nothing_of("sitemap-stale");
    assert_eq!(
        site.files()
            .into_iter()
            .filter(|file| file.contains(".txt"))
            .collect::<Vec<_>>(),
        ["robots.txt"]
    );
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
}

#[test]
fn a_text_sitemap_that_is_no_longer_written_stays_and_is_reported_until_it_is_removed() {
    for formats in [r#"["xml", "txt"]"#, r#"["txt"]"#] {
        let site = SiteTest::of_pages(&["index.html"]);
        site.settings(&format!("[sitemap]\nformats = {formats}\n"))
            .build()
            .says_nothing_of("sitemap-stale");
        for _ in 0..2 {
            let outcome = site.settings("").build();
            outcome
                .says("warning[sitemap-stale]: robots.txt names `sitemap.txt`")
                .says("--> sitemap.txt\n");
        }
        assert!(site.files().contains(&"sitemap.txt".to_owned()));
        site.write("robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
        site.build()
            .says("`sitemap.txt` also lists pages of this site, and readers may know it");
        std::fs::remove_file(site.root().join("sitemap.txt")).expect("it was left");
        site.build().says_nothing_of("sitemap-stale");
    }
}

#[test]
fn when_a_site_moves_to_another_base_url_robots_txt_names_only_the_new_sitemap() {
    let site = SiteTest::empty();
    site.page("index.html", "").page("a.html", "");
    let robots_after = |base: &str| {
        site.waypost(&["--base-url", base]).succeeded();
        site.read("robots.txt")
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    site.write(
        "robots.txt",
        "Sitemap: https://example.net/sitemap-of-others.xml\n",
    );
    let others = "Sitemap: https://example.net/sitemap-of-others.xml";
    assert_eq!(
        robots_after("https://example.org"),
        [others, "Sitemap: https://example.org/sitemap.xml"]
    );
    assert_eq!(
        robots_after("https://example.com"),
        [others, "Sitemap: https://example.com/sitemap.xml"]
    );
    assert_eq!(
        robots_after("https://example.com/a/"),
        [others, "Sitemap: https://example.com/a/sitemap.xml"]
    );
    assert_eq!(
        robots_after("https://example.com"),
        [others, "Sitemap: https://example.com/sitemap.xml"]
    );
}

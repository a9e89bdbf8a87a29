//! `waypost build` after an earlier run: the files that it rewrites, removes or does not touch, and
//! the changes that it reports.

use std::fs;

use serde_json::json;

use crate::build::{sitemaps, small_site};
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
        .says("~ /  2025-12-31 → 20");
    site.write("new.html", page(""))
        .commit("2024-04-04T00:00:00Z");
    site.build()
        .says("1 added, 0 removed, 0 re-dated")
        .says("+ https://example.com/new.html");
}

#[test]
fn robots_txt_no_longer_names_a_removed_sitemap_and_the_summary_counts_its_lines() {
    let site = SiteTest::of_pages(&["1.html", "2.html", "3.html"]);
    let before = "User-agent: *\nSitemap: https://example.com/news.xml\n";
    site.write("robots.txt", before);
    for (settings, expected, said) in [
        ("max_urls = 1", "sitemap.xml\n", "1 Sitemap line added\n"),
        (
            "gzip = \"only\"",
            "sitemap.xml.gz\n",
            "1 Sitemap line added, 1 removed\n",
        ),
        (
            "formats = [\"xml\", \"rss\"]",
            "sitemap.xml\nsitemap.rss\n",
            "2 Sitemap lines added, 1 removed\n",
        ),
        ("", "sitemap.xml\n", "0 Sitemap lines added, 1 removed\n"),
        (
            "formats = [\"txt\"]",
            "sitemap.txt\n",
            "1 Sitemap line added, 1 removed\n",
        ),
    ] {
        let settings = format!("[sitemap]\n{settings}\n");
        site.settings(&settings).build().says(said);
        let after = site.read("robots.txt");
        let added = after.strip_prefix(before).expect("the old bytes stay");
        let added = added.replace("Sitemap: https://example.com/", "");
        assert_eq!(added, expected, "{settings}");
        let is_plain = expected.contains("sitemap.xml\n");
        assert_eq!(site.root().join("sitemap.xml").exists(), is_plain);
    }
}

#[test]
fn a_text_sitemap_is_written_while_robots_txt_names_it_and_then_reported_until_it_is_removed() {
    for formats in [r#"["xml", "txt"]"#, r#"["txt"]"#] {
        let site = SiteTest::of_pages(&["index.html"]);
        site.settings(&format!("[sitemap]\nformats = {formats}\n"))
            .build()
            .says_nothing_of("sitemap-stale");
        for _ in 0..2 {
            let outcome = site.settings("").build();
            outcome.says("sitemap.txt").says_nothing_of("sitemap-stale");
        }
        site.settings("[sitemap]\nformats = [\"xml\"]\n")
            .build()
            .says("warning[sitemap-stale]: robots.txt names `sitemap.txt`");
        site.settings("");
        site.write("robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
        site.build().says("warning[sitemap-stale]: `sitemap.txt`");
        site.remove("sitemap.txt");
        site.build().says_nothing_of("sitemap-stale");
    }
}

#[test]
fn when_a_site_moves_to_another_base_url_robots_txt_names_only_the_new_sitemap() {
    let site = SiteTest::empty();
    let others = "Sitemap: https://example.net/sitemap-of-others.xml\n";
    site.page("index.html", "").write("robots.txt", others);
    for base in ["example.org", "example.com", "example.com/a", "example.com"] {
        let base = format!("https://{base}/");
        site.waypost(&["--base-url", &base]).succeeded();
        let expected = format!("{others}Sitemap: {base}sitemap.xml\n");
        assert_eq!(site.read("robots.txt"), expected);
    }
}

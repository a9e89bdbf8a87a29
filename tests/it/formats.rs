//! Output for other programs: GitHub Actions annotations, JSON, and the stylesheet for browsers.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

/// A Zola site whose sitemap lists a noindex page, and `missing` URLs for which there is no page.
fn site(missing: usize) -> SiteTest {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    site.write("content/secret.md", "+++\n+++\n")
        .write("robots.txt", "");
    site.page("public/index.html", "").page(
        "public/secret/index.html",
        "<meta name=robots content=noindex>",
    );
    let entry = |loc: String| format!("<url><loc>{loc}</loc></url>\n");
    let missing: String = (0..missing)
        .map(|at| entry(format!("https://example.com/gone-{at}%25,:/")))
        .collect();
    let listed =
        entry("https://example.com/".to_owned()) + &entry("https://example.com/secret/".to_owned());
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    site.write(
        "public/sitemap.xml",
        format!("<urlset xmlns=\"{namespace}\">\n{listed}{missing}</urlset>\n"),
    );
    site.write(
        "public/robots.txt",
        "Sitemap: https://example.com/sitemap.xml\n",
    );
    site
}

#[test]
fn json_contains_the_sitemaps_the_changes_and_the_findings() {
    let outcome = site(1).waypost(&["check", "--json"]).ended_with(1);
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON object");
    assert_eq!(
        result["sitemaps"],
        json!([{ "path": "sitemap.xml", "kind": "pages", "entries": 3 }])
    );
    let removed = json!([
        "https://example.com/gone-0%25,:/",
        "https://example.com/secret/"
    ]);
    let changes = &result["changes"];
    assert_eq!(changes["urls"]["removed"], removed);
    assert_eq!(
        (&changes["removed"], &changes["since"]),
        (&json!(2), &json!("another-program"))
    );
    let findings = result["findings"]
        .as_array()
        .expect("an array")
        .iter()
        .filter(|finding| finding["level"] == "deny");
    let codes: Vec<&Value> = findings.map(|finding| &finding["code"]).collect();
    assert_eq!(codes, ["loc-contradicted", "loc-without-file"]);
}

#[test]
fn a_sitemap_with_a_stylesheet_is_as_valid_as_one_without() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("sitemap.stylesheet = true\n")
        .page("a.html", "<base>")
        .build();
    let written = site.read("sitemap.xml");
    assert!(
        written
            .lines()
            .nth(2)
            .is_some_and(|line| line.starts_with("<?xml-stylesheet type=\"text/css\"")),
        "{written}"
    );
    assert_eq!(
        site.urls(),
        ["https://example.com/", "https://example.com/a.html"]
    );
    site.waypost(&["check", "--strict"]).succeeded();
    let result = site.build_json();
    assert_eq!(result["files"][0]["bytes"], written.len());
    assert_eq!(result["files"][0]["changed"], false);
}

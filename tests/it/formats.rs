//! The stylesheet that makes a sitemap readable in a browser.

use crate::site_test::SiteTest;

#[test]
fn a_sitemap_with_a_stylesheet_is_as_valid_as_one_without() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("sitemap.stylesheet = true\n")
        .page("a.html", "<base>")
        .build();
    let written = site.read("sitemap.xml");
    let sheet = written.lines().nth(2).expect("three lines");
    assert!(sheet.starts_with("<?xml-stylesheet type=\"text/css\""));
    assert_eq!(site.urls().len(), 2);
    site.waypost(&["check", "--strict"]).succeeded();
    let result = site.build_json();
    assert_eq!(result["files"][0]["bytes"], written.len());
    assert_eq!(result["files"][0]["changed"], false);
}

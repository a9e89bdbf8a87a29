//! `waypost dates`: the dates of sources before the site is built.

use crate::site_test::SiteTest;

fn site() -> SiteTest {
    let site = SiteTest::empty();
    site.write("book.toml", "[output.html]\n")
        .write("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n")
        .write("src/a.md", "{{#include part.md}}\n")
        .write("src/part.md", "Part\n")
        .commit("2024-01-01T00:00:00Z");
    site.write("src/part.md", "Changed\n")
        .commit("2024-02-02T00:00:00Z");
    site.write("src/b.md", "B\n");
    site
}

#[test]
fn every_content_file_has_the_date_that_its_page_will_have() {
    let site = site();
    let printed = site.waypost(&["dates"]).succeeded().stdout;
    let expected = "src/SUMMARY.md\t2024-01-01T00:00:00Z\nsrc/a.md\t2024-02-02T00:00:00Z\n\
                    src/b.md\t-\nsrc/part.md\t2024-02-02T00:00:00Z\n";
    assert_eq!(printed, expected);
}

#[test]
fn named_sources_are_dated_as_json_too() {
    let site = site();
    let printed = site
        .waypost(&["dates", "--json", "src/b.md", "book.toml"])
        .succeeded()
        .stdout;
    let result: serde_json::Value = serde_json::from_str(&printed).expect("it is JSON");
    assert_eq!(result["findings"], serde_json::json!([]));
    assert_eq!(result["dates"][0]["path"], "book.toml");
    assert_eq!(result["dates"][0]["lastmod"], "2024-01-01T00:00:00Z");
    assert_eq!(result["dates"][1]["undated"], "the source is not committed");
    let missing = site.waypost(&["dates", "src/none.md"]).ended_with(2).stderr;
    assert!(
        missing.contains("is not a file or directory of the site"),
        "{missing}"
    );
}

//! `waypost report`: one HTML file that loads nothing and in which no text of the site is markup.
//! The slow suite tests it in a real browser.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

/// Extracts the JSON data of a report.
fn data(html: &str) -> Value {
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("the report has a data element");
    let (data, _) = rest
        .split_once("</script>")
        .expect("the data element is closed");
    serde_json::from_str(data).expect("the data is valid JSON")
}

#[test]
fn the_report_has_the_outcome_of_every_page() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("a/index.html", "<meta name=robots content=noindex>")
        .page("b.html", "<base>");
    let commit = site.commit("2024-01-02T03:04:05+01:00");
    let html = site.waypost(&["report"]).succeeded().stdout;
    let data = data(&html);
    assert_eq!(data["base"], "https://example.com/");
    let seconds = 1_704_161_045;
    let (excluded, noindex) = ("the page is excluded", "robots: noindex");
    let a = json!([
        "a/",
        null,
        "noindex",
        null,
        excluded,
        "a/index.html",
        noindex,
        null,
        null
    ]);
    let dated =
        |url: &str, file: &str| json!([url, null, null, seconds, "git", file, null, commit, null]);
    let expected = json!([a, dated("b.html", "b.html"), dated("", "index.html")]);
    assert_eq!(data["pages"], expected);
}

#[test]
fn the_main_facts_are_plain_html() {
    let site = SiteTest::of_pages(&["index.html", "a.html", "b.html"]);
    site.page("c.html", "<meta name=robots content=noindex>");
    site.commit("2024-01-02T03:04:05Z");
    site.page("a.html", "<title>Edited</title>");
    let html = site.waypost(&["report"]).succeeded().stdout;
    let (html, _) = html.split_once("<noscript>").expect("the script follows");
    for fact in [
        "<dt>listed with a date</dt><dd>2</dd>",
        "Why listed pages have no date",
        "the source has uncommitted changes",
        "sitemap-missing (1)",
    ] {
        assert!(html.contains(fact), "{fact}: {html}");
    }
}

#[test]
fn no_text_of_a_hostile_site_is_markup_and_nothing_is_loaded() {
    let site = SiteTest::empty();
    site.page("</script><script>alert(1)</script>.html", "")
        .page("<!--<script>.html", "<base>");
    let hostile = "<meta name=robots content=\"noindex, </script><img src=x onerror=alert(1)>\">";
    site.page("c.html", hostile);
    let html = site
        .waypost(&["report", "--base-url", "https://example.com/a'b/"])
        .succeeded()
        .stdout;
    assert!(
        !html.contains("alert(1)</script>") && !html.contains("<img") && !html.contains("<!--"),
        "{html}"
    );
    assert_eq!(
        html.matches("<script").count(),
        2,
        "one script element for the data, one for the code"
    );
    let loading = [
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "//cdn",
    ];
    let of_data = data(&html).to_string();
    let loads = |word: &&str| html.contains(word) && !of_data.contains(word);
    assert_eq!(loading.iter().find(|word| loads(word)), None);
    assert!(html.contains("default-src 'none'"));
}

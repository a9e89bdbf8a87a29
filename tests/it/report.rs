//! `waypost report`: one file in which nothing of the site is markup, and which names nothing to load. How it is drawn is
//! tried in a real browser by the slow suite.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

/// The data that the report's script draws from.
fn data(html: &str) -> Value {
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("there is data");
    let (data, _) = rest.split_once("</script>").expect("it ends");
    serde_json::from_str(data).expect("it is JSON")
}

#[test]
fn every_page_is_in_it_with_what_became_of_it() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("a/index.html", "<meta name=robots content=noindex>")
        .page("b.html", "<base>");
    site.commit("2024-01-02T03:04:05+01:00");
    let html = site.waypost(&["report"]).succeeded().stdout;
    let data = data(&html);
    assert_eq!(data["base"], "https://example.com/");
    let seconds = 1_704_161_045;
    let expected = json!([
        ["a/", 0, 0, null, -1, "a/index.html", "robots: noindex"],
        ["b.html", 0, -1, seconds, 0, "b.html", 0],
        ["", 0, -1, seconds, 0, "index.html", 0],
    ]);
    assert_eq!(data["pages"], expected);
    assert_eq!(
        (&data["reasons"], &data["datedBy"]),
        (&json!(["noindex"]), &json!(["git"]))
    );
    assert_eq!(data["changes"], Value::Null);
    assert_eq!(data["findings"][0]["code"], "sitemap-missing");
}

#[test]
fn it_is_written_to_a_file_whole_and_over_an_older_one() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("report.html", "older");
    let files = site.files();
    site.waypost(&["report", ".", "--to", "report.html"])
        .succeeded()
        .says("the report is in report.html");
    assert!(site.read("report.html").ends_with("</html>\n"));
    assert_eq!(site.files(), files);
    site.waypost(&["report", ".", "--to", "."]).ended_with(2);
    site.waypost(&["report", ".", "--to", "no/such/folder.html"])
        .ended_with(2)
        .says("cannot be written");
}

#[test]
fn nothing_of_a_hostile_site_is_markup_and_nothing_is_loaded() {
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
        "the data and the program"
    );
    for loading in [
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "//cdn",
    ] {
        assert!(
            !html.contains(loading) || data(&html).to_string().contains(loading),
            "`{loading}`"
        );
    }
    assert!(html.contains("default-src 'none'"));
}

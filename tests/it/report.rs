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
    let expected = json!([
        [
            "a/",
            0,
            0,
            null,
            0,
            "a/index.html",
            "robots: noindex",
            -1,
            0
        ],
        ["b.html", 0, -1, seconds, 1, "b.html", 0, 0, 0],
        ["", 0, -1, seconds, 1, "index.html", 0, 0, 0],
    ]);
    assert_eq!(data["pages"], expected);
    assert_eq!(data["reasons"], json!(["noindex"]));
    assert_eq!(data["origins"], json!(["the page is excluded", "git"]));
    assert_eq!(data["commits"], json!([commit]));
    assert_eq!(data["forge"], Value::Null);
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
        "2 of 3 listed pages have a date",
        "<td>2024</td><td class=\"number\">2</td>",
        "Why listed pages have no date",
        "the source has uncommitted changes",
        "sitemap-missing (1)",
        "There is no previous sitemap",
    ] {
        assert!(html.contains(fact), "{fact}: {html}");
    }
}

#[test]
fn a_site_without_dates_has_no_chart() {
    let site = SiteTest::of_pages(&["index.html"]);
    let html = site.waypost(&["report"]).succeeded().stdout;
    assert!(html.contains("0 of 1 listed pages have a date"), "{html}");
    assert!(!html.contains("id=\"histogram\""), "{html}");
}

#[test]
fn commits_and_sources_are_linked_where_the_remote_is_at_a_known_forge() {
    let site = SiteTest::of_pages(&["index.html"]);
    let commit = site.commit("2024-01-02T03:04:05Z");
    site.git(&[
        "remote",
        "add",
        "origin",
        "https://job:secret@gitlab.com/g/s/p.git",
    ]);
    let html = site.waypost(&["report"]).succeeded().stdout;
    let expected = json!({
        "commit": "https://gitlab.com/g/s/p/-/commit/",
        "file": format!("https://gitlab.com/g/s/p/-/blob/{commit}/"),
        "prefix": "",
        "submodules": [],
    });
    assert_eq!(data(&html)["forge"], expected);
    assert!(!html.contains("secret"), "{html}");
    site.git(&[
        "remote",
        "set-url",
        "origin",
        "https://git.example.org/o/r.git",
    ]);
    let html = site.waypost(&["report"]).succeeded().stdout;
    assert_eq!(data(&html)["forge"], Value::Null);
}

#[test]
fn the_prefix_is_the_directory_of_the_site_in_its_repository() {
    let site = SiteTest::empty();
    site.write("docs/index.html", "<title>Home</title>")
        .write("docs/CNAME", "docs.example.net");
    site.write(
        ".gitmodules",
        "[submodule \"theme\"]\n\tpath = docs/theme\n\turl = ../theme\n",
    );
    site.commit("2024-01-02T03:04:05Z");
    site.git(&["remote", "add", "origin", "git@codeberg.org:o/r.git"]);
    let html = site.waypost(&["report", "docs"]).succeeded().stdout;
    let forge = &data(&html)["forge"];
    assert_eq!(forge["prefix"], "docs/");
    assert_eq!(forge["submodules"], json!(["docs/theme/"]));
}

#[test]
fn a_report_names_no_directory_of_the_machine() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("a.html", "<meta property=robots content=noindex>")
        .write("robots.txt", "Sitemap: https://example.com/gone.xml\n")
        .write("sitemap.xml", "<urlset><url></urlset>");
    site.commit("2024-01-02T03:04:05Z");
    let root = site.root().to_str().expect("a name in UTF-8");
    let output = format!("--output-dir={root}");
    let html = site.waypost(&["report", root, &output]).succeeded().stdout;
    assert!(html.contains("robots-tag-ignored"), "{html}");
    assert!(html.contains("<span class=\"place\">a.html:"), "{html}");
    assert!(!html.contains(root), "{html}");
}

#[test]
fn the_report_replaces_an_older_file() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("report.html", "older");
    let files = site.files();
    site.waypost(&["report", ".", "--to", "report.html"])
        .succeeded()
        .says("report written to report.html");
    assert!(site.read("report.html").ends_with("</html>\n"));
    assert_eq!(site.files(), files);
    site.waypost(&["report", ".", "--to", "."]).ended_with(2);
    site.waypost(&["report", ".", "--to", "no/such/folder.html"])
        .ended_with(2)
        .says("cannot be written");
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

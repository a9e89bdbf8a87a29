//! Tests `waypost check FILE`: one sitemap, index or feed without a site or settings.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
const INDEX: &str = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

fn urlset(entries: &str) -> String {
    format!("{HEAD}{entries}</urlset>")
}

fn index(children: &[&str]) -> String {
    let entry = |child: &&str| format!("<sitemap><loc>{child}</loc></sitemap>");
    let entries: String = children.iter().map(entry).collect();
    format!("{INDEX}{entries}</sitemapindex>")
}

fn result(site: &SiteTest, file: &str, code: i32) -> Value {
    let outcome = site.waypost(&["check", file, "--json"]).ended_with(code);
    serde_json::from_str(&outcome.stdout).expect("stdout is JSON")
}

/// Code, file, line and column of each finding.
fn findings(result: &Value) -> Vec<String> {
    let findings = result["findings"].as_array().expect("an array");
    let shown = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| finding[key].as_u64().unwrap_or_default();
        let (line, column) = (number("line"), number("column"));
        format!("{} {}:{line}:{column}", text("code"), text("file"))
    };
    findings.iter().map(shown).collect()
}

#[test]
fn a_file_is_checked_without_a_site() {
    let page = "<url><loc>https://example.com/</loc></url>";
    let rss = "<rss version=\"2.0\"><channel><title>t</title></channel>";
    let cases: [(&str, String, &[&str]); 16] = [
        ("a.xml", urlset(page), &[]),
        ("a.txt", "https://example.com/\n".to_owned(), &[]),
        ("a.rss", format!("{rss}</rss>"), &[]),
        (
            "empty.txt",
            String::new(),
            &["sitemap-invalid empty.txt:0:0"],
        ),
        ("a.rss", rss.to_owned(), &["feed-broken a.rss:0:0"]),
        (
            "a.xml",
            urlset("<url>\n<loc>/a</loc></url>"),
            &["loc-invalid a.xml:2:6"],
        ),
        (
            "a.xml",
            urlset("\n<url><loc>https://example.com/a</loc><lastmod>soon</lastmod></url>"),
            &["sitemap-invalid a.xml:2:47"],
        ),
        (
            "a.xml",
            urlset("\n<url><loc>https://example.com/a</loc><lastmod>2999-01-01</lastmod></url>"),
            &["lastmod-untrue a.xml:2:11"],
        ),
        (
            "a.xml",
            urlset(&format!("{page}\n{page}")),
            &["loc-twice a.xml:2:11"],
        ),
        (
            "a.xml",
            urlset(&format!(
                "\n<url><loc>https://example.com/{}</loc></url>",
                "a".repeat(2_100)
            )),
            &["loc-invalid a.xml:2:11"],
        ),
        ("a.xml", urlset(""), &["sitemap-invalid a.xml:0:0"]),
        (
            "a.xml",
            urlset(&format!("{page}\n<url></url>")),
            &["sitemap-invalid a.xml:2:1"],
        ),
        (
            "a.xml",
            urlset("<url><loc>https://example.com/</loc>\n<x/></url>"),
            &["sitemap-invalid a.xml:2:1"],
        ),
        (
            "a.txt",
            "https://example.com/\nno\n".to_owned(),
            &["loc-invalid a.txt:2:1"],
        ),
        (
            "notes.md",
            "# Notes\n".to_owned(),
            &["sitemap-invalid notes.md:0:0"],
        ),
        ("a.xml", String::new(), &["sitemap-invalid a.xml:0:0"]),
    ];
    let site = SiteTest::empty();
    for (name, content, expected) in cases {
        site.write(name, &content);
        let outcome = site.waypost(&["check", name, "--json"]);
        let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
        assert_eq!(findings(&result), expected, "{content}");
    }
}

#[test]
fn an_index_is_checked_with_the_sitemaps_in_its_directory() {
    let site = SiteTest::empty();
    let bad = urlset("\n<url><loc>a</loc></url>");
    site.write("web/maps/deep.xml", &bad)
        .write("web/flat.xml", &bad)
        .write("web/nested.xml", index(&["https://example.com/flat.xml"]))
        .write("outside.xml", &bad);
    let children = [
        "https://example.com/maps/deep.xml",
        "https://example.com/maps/flat.xml",
        "https://example.com/nested.xml",
        "https://example.com/none.xml",
        "https://example.com/%2e%2e%2foutside.xml",
    ];
    site.write("web/sitemap.xml", index(&children));
    let result = result(&site, "web/sitemap.xml", 1);
    let expected = [
        "loc-invalid web/flat.xml:2:11",
        "loc-invalid web/maps/deep.xml:2:11",
        "sitemap-missing web/sitemap.xml:1:207",
        "loc-spelling web/sitemap.xml:1:325",
    ];
    assert_eq!(findings(&result), expected);
    assert_eq!(result["absent"], json!(children[3..]));
    let file = |path: &str, kind: &str, entries: usize| json!({"path": path, "kind": kind, "entries": entries});
    let expected = json!([
        file("web/sitemap.xml", "index", 5),
        file("web/maps/deep.xml", "pages", 1),
        file("web/flat.xml", "pages", 1),
        file("web/nested.xml", "index", 1),
    ]);
    assert_eq!(result["sitemaps"], expected);
    site.waypost(&["check", "web/sitemap.xml"])
        .ended_with(1)
        .says("2 sitemaps elsewhere that an index or robots.txt names");
}

#[test]
fn options_of_a_site_are_refused_for_a_file() {
    let site = SiteTest::empty();
    site.write("a.xml", urlset(""));
    site.waypost(&["check", "a.xml", "--base-url", "https://example.com/"])
        .ended_with(2)
        .says("`--base-url` does not apply to `a.xml`, which is a file and not a site");
}

#[test]
#[cfg(unix)]
fn a_named_link_is_followed_and_a_child_that_leaves_the_directory_is_not() {
    let site = SiteTest::empty();
    site.write("real/bad.xml", urlset("\n<url><loc>a</loc></url>"))
        .write("web/sitemap.xml", index(&["https://example.com/child.xml"]))
        .link("web/child.xml", "../real/bad.xml")
        .link("web/named.xml", "../real/bad.xml");
    let named = result(&site, "web/named.xml", 1);
    assert_eq!(findings(&named), ["loc-invalid web/named.xml:2:11"]);
    let index = result(&site, "web/sitemap.xml", 1);
    assert_eq!(findings(&index), ["sitemap-invalid web/child.xml:0:0"]);
}

#[test]
fn the_entries_of_a_feed_are_checked_as_those_of_a_sitemap() {
    let site = SiteTest::empty();
    let rss = |items: &str| {
        format!(
            "<rss version=\"2.0\" xmlns:a=\"http://www.w3.org/2005/Atom\"><channel>\
             <a:link rel=\"self\" href=\"https://example.com/blog/feed.xml\"/>\n{items}</channel></rss>"
        )
    };
    let item = |link: &str, date: &str| {
        format!("<item><link>{link}</link><pubDate>{date}</pubDate></item>")
    };
    let atom = |entry: &str| {
        format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<entry>{entry}</entry></feed>")
    };
    let (page, date) = (
        "https://example.com/blog/a",
        "Sun, 19 May 2002 15:21:36 GMT",
    );
    let link = format!("<link href=\"{page}\"/>");
    let cases: [(String, &[&str]); 12] = [
        (rss(&item(page, date)), &[]),
        (rss(&format!("<item><link>{page}</link></item>")), &[]),
        (
            rss("<item><title>A</title></item>"),
            &["sitemap-invalid f.xml:2:1"],
        ),
        (rss(&item("/blog/a", date)), &["loc-invalid f.xml:2:1"]),
        (
            rss(&item("https://example.com/a", date)),
            &["sitemap-elsewhere f.xml:2:1"],
        ),
        (
            rss(&item("https://example.org/blog/a", date)),
            &["sitemap-elsewhere f.xml:2:1"],
        ),
        (rss(&item(page, date).repeat(2)), &["loc-twice f.xml:2:101"]),
        (
            rss(&item(page, "2002-05-19")),
            &["sitemap-invalid f.xml:2:1"],
        ),
        (
            rss(&item(page, "19 May 2999 15:21 GMT")),
            &["lastmod-untrue f.xml:2:1"],
        ),
        (
            atom(&format!("{link}<updated>2002-05-19T15:21:36Z</updated>")),
            &[],
        ),
        (
            atom(&format!("{link}<updated>{date}</updated>")),
            &["sitemap-invalid f.xml:2:1"],
        ),
        (atom(&link), &["sitemap-invalid f.xml:2:1"]),
    ];
    for (feed, expected) in cases {
        site.write("f.xml", &feed);
        let outcome = site.waypost(&["check", "f.xml", "--json"]);
        let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
        assert_eq!(findings(&result), expected, "{feed}");
    }
    site.write("f.xml", rss(&item(page, date)));
    site.waypost(&["check", "f.xml"])
        .succeeded()
        .says("f.xml  feed, 1 entry");
}

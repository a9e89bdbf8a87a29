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

fn result(site: &SiteTest, file: &str) -> Value {
    site.waypost(&["check", file, "--json"]).json()
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
    let dated = |date: &str| {
        let entry = page.replace("</url>", &format!("<lastmod>{date}</lastmod></url>"));
        urlset(&format!("\n{entry}"))
    };
    let of_length = page.replace(".com/", &format!(".com/{}", "a".repeat(2_100)));
    let site = SiteTest::empty();
    for (name, content, expected) in [
        ("a.xml", urlset(page), ""),
        ("a.txt", "https://example.com/\n".to_owned(), ""),
        ("a.rss", format!("{rss}</rss>"), ""),
        ("a.txt", String::new(), "sitemap-invalid a.txt:0:0"),
        ("a.rss", rss.to_owned(), "feed-broken a.rss:0:0"),
        ("a.xml", dated("soon"), "sitemap-invalid a.xml:2:46"),
        ("a.xml", dated("2999-01-01"), "lastmod-untrue a.xml:2:11"),
        (
            "a.xml",
            urlset(&[page, page].join("\n")),
            "loc-twice a.xml:2:11",
        ),
        ("a.xml", urlset(&of_length), "loc-invalid a.xml:1:71"),
        ("a.xml", urlset(""), "sitemap-invalid a.xml:0:0"),
        (
            "a.xml",
            urlset("\n<url></url>"),
            "sitemap-invalid a.xml:2:1",
        ),
        (
            "a.txt",
            "https://example.com/\nno\n".into(),
            "loc-invalid a.txt:2:1",
        ),
        (
            "notes.md",
            "# Notes\n".to_owned(),
            "sitemap-invalid notes.md:0:0",
        ),
        ("a.xml", String::new(), "sitemap-invalid a.xml:0:0"),
    ] {
        site.write(name, &content);
        let found = findings(&result(&site, name)).join(" ");
        assert_eq!(found, expected, "{content}");
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
    let result = result(&site, "web/sitemap.xml");
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
    let arguments = ["check", "a.xml", "--base-url", "https://example.com/"];
    let outcome = site.waypost(&arguments).ended_with(2);
    outcome.says("`--base-url` does not apply to `a.xml`");
}

#[test]
#[cfg(unix)]
fn a_named_link_is_followed_and_a_child_that_leaves_the_directory_is_not() {
    let site = SiteTest::empty();
    site.write("real/bad.xml", urlset("\n<url><loc>a</loc></url>"))
        .write("web/sitemap.xml", index(&["https://example.com/child.xml"]))
        .link("web/child.xml", "../real/bad.xml")
        .link("web/named.xml", "../real/bad.xml");
    let named = result(&site, "web/named.xml");
    assert_eq!(findings(&named), ["loc-invalid web/named.xml:2:11"]);
    let index = result(&site, "web/sitemap.xml");
    assert_eq!(findings(&index), ["sitemap-invalid web/child.xml:0:0"]);
}

#[test]
fn the_entries_of_a_feed_are_checked_as_those_of_a_sitemap() {
    let site = SiteTest::empty();
    let check = |feed: &str, expected: &str| {
        site.write("f.xml", feed);
        let found = findings(&result(&site, "f.xml")).join(" ");
        assert_eq!(found, expected, "{feed}");
    };
    let rss = |item: &str, expected: &str| {
        let item = item.replace("DATE", "<pubDate>Sun, 19 May 2002 15:21:36 GMT</pubDate>");
        let feed = format!(
            "<rss version=\"2.0\" xmlns:a=\"http://www.w3.org/2005/Atom\"><channel>\
             <a:link rel=\"self\" href=\"https://example.com/blog/feed.xml\"/>\n{item}</channel></rss>"
        );
        check(&feed, expected);
    };
    let page = "<item><link>https://example.com/blog/a</link>DATE</item>";
    rss(page, "");
    rss(&page.replace("DATE", ""), "");
    rss("<item><title>A</title></item>", "sitemap-invalid f.xml:2:1");
    rss(
        &page.replace("https://example.com", ""),
        "loc-invalid f.xml:2:1",
    );
    rss(&page.replace("blog/", ""), "sitemap-elsewhere f.xml:2:1");
    rss(&page.replace(".com", ".org"), "sitemap-elsewhere f.xml:2:1");
    rss(&page.repeat(2), "loc-twice f.xml:2:101");
    let dated = |date: &str| page.replace("DATE", &format!("<pubDate>{date}</pubDate>"));
    rss(&dated("2002-05-19"), "sitemap-invalid f.xml:2:1");
    rss(&dated("19 May 2999 15:21 GMT"), "lastmod-untrue f.xml:2:1");
    let atom = |updated: &str, expected: &str| {
        let entry = format!("<link href=\"https://example.com/blog/a\"/>{updated}");
        let entry = format!("\n<entry>{entry}</entry></feed>");
        check(
            &format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{entry}"),
            expected,
        );
    };
    atom("<updated>2002-05-19T15:21:36Z</updated>", "");
    atom(
        "<updated>19 May 2002</updated>",
        "sitemap-invalid f.xml:2:1",
    );
    atom("", "sitemap-invalid f.xml:2:1");
    let outcome = site.waypost(&["check", "f.xml"]).ended_with(1);
    outcome.says("f.xml  feed, 1 entry");
}

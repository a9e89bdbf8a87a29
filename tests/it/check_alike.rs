//! Tests that `waypost check` judges the same entries alike as a file, as a URL and in a site, which only
//! adds what it alone knows: files, canonical links, history, robots.txt.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::loopback::{Reply, Server};
use crate::site_test::SiteTest;

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
                    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">";

/// The codes that only the check of a site can give.
const ADDED_BY_A_SITE: &[&str] = &[
    "base-url-placeholder",
    "loc-contradicted",
    "loc-excluded",
    "loc-without-file",
    "robots-txt-no-sitemap",
    "sitemap-lacks-pages",
];

/// Entries, in which `HOST` is the origin of the site, and the codes of findings about them.
const CASES: &[(&str, &[&str])] = &[
    ("<url><loc>HOST/</loc></url>", &[]),
    ("<url><loc>HOST</loc></url>", &[]),
    ("<url><loc>HOST/c.html?x=1&amp;y=2</loc></url>", &[]),
    ("<url><loc>HOST/%C3%A9</loc></url>", &[]),
    ("<url><loc>HOST/a b</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/\u{e9}</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/%c3%a9</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/%zz</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/a.html#top</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/./a.html</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/a\u{200b}</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/a\u{a0}</loc></url>", &["loc-spelling"]),
    ("<url><loc>HOST/a\nb</loc></url>", &["loc-spelling"]),
    ("<url><loc>/a.html</loc></url>", &["loc-invalid"]),
    ("<url><loc>a.html</loc></url>", &["loc-invalid"]),
    (
        "<url><loc>mailto:a@example.com</loc></url>",
        &["loc-invalid"],
    ),
    ("<url><loc>ftp://example.com/</loc></url>", &["loc-invalid"]),
    ("<url><loc>https://a..b/</loc></url>", &["loc-invalid"]),
    ("<url><loc>http://</loc></url>", &["loc-invalid"]),
    (
        "<url><loc>HOST/</loc></url><url><loc>https://other.example.org/</loc></url>",
        &["loc-elsewhere"],
    ),
    (
        "<url><loc>HOST/a.html</loc></url><url><loc>HOST/a.html</loc></url>",
        &["loc-twice"],
    ),
    (
        "<url><loc>HOST/a.html</loc></url><url><loc>HOST/./a.html</loc></url>",
        &["loc-spelling", "loc-twice"],
    ),
    (
        "<url><loc>HOST/a.html</loc><lastmod>soon</lastmod></url>",
        &["sitemap-invalid"],
    ),
    (
        "<url><loc>HOST/a.html</loc><lastmod>2024-13-01</lastmod></url>",
        &["sitemap-invalid"],
    ),
    (
        "<url><loc>HOST/a.html</loc><lastmod>2999-01-01</lastmod></url>",
        &["lastmod-untrue"],
    ),
    (
        "<url><loc>HOST/a.html</loc><priority>2</priority></url>",
        &["sitemap-invalid"],
    ),
    (
        "<url><priority>0.5</priority><loc>HOST/a.html</loc></url>",
        &["sitemap-invalid"],
    ),
    ("<url><priority>0.5</priority></url>", &["sitemap-invalid"]),
    (
        "<url><loc>HOST/a.html</loc><xhtml:link rel=\"alternate\" hreflang=\"en_UK\" \
         href=\"HOST/a.html\"/></url>",
        &["hreflang-ignored"],
    ),
    (
        "<url><loc>HOST/a.html</loc><xhtml:link rel=\"alternate\" hreflang=\"de\" \
         href=\"https://de.example.org/\"/></url>",
        &["hreflang-ignored"],
    ),
    (
        "<url><loc>HOST/a.html</loc><xhtml:link rel=\"alternate\" hreflang=\"en\" \
         href=\"HOST/a.html\"/><xhtml:link rel=\"alternate\" hreflang=\"de\" \
         href=\"HOST/b.html\"/></url><url><loc>HOST/b.html</loc></url>",
        &["hreflang-ignored"],
    ),
    (
        "<url><loc>HOST/a.html</loc><xhtml:link rel=\"alternate\" hreflang=\"en\" \
         href=\"HOST/a.html\"/><xhtml:link rel=\"alternate\" hreflang=\"de\" \
         href=\"https://de.example.org/\"/></url>",
        &[],
    ),
    (
        "<url><loc>HOST/a.html</loc><image:image><image:loc>/i.png</image:loc></image:image></url>",
        &["image-omitted"],
    ),
    (
        "<url><loc>HOST/a.html</loc><image:image><image:loc>https://cdn.example.org/i.png\
         </image:loc></image:image></url>",
        &[],
    ),
];

/// Declarations of namespaces that readers do not know: a scheme, a slash, a version, a letter.
const NEAR_MISSES: &[&str] = &[
    "https://www.google.com/schemas/sitemap-image/1.1",
    "http://www.google.com/schemas/sitemap-image/1.1/",
    "http://www.google.com/schemas/sitemap-image/1.0",
    "http://www.google.com/schemas/Sitemap-Image/1.1",
    "http://google.com/schemas/sitemap-image/1.1",
    "https://www.w3.org/1999/xhtml",
];

#[test]
fn a_misspelt_namespace_is_an_error_and_one_of_others_is_not() {
    let site = SiteTest::empty();
    let check = |namespace: &str, code: i32| {
        let text = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"{namespace}\">\
             <url><loc>https://example.com/</loc></url></urlset>"
        );
        site.write("s.xml", text);
        site.waypost(&["check", "s.xml"]).ended_with(code);
    };
    for namespace in NEAR_MISSES {
        check(namespace, 1);
    }
    check("http://www.google.com/schemas/sitemap-image/1.1", 0);
    check("http://www.google.com/schemas/sitemap-news/0.9", 0);
    check("urn:example", 0);
}

fn codes(outcome_json: &str) -> BTreeSet<String> {
    let result: Value = serde_json::from_str(outcome_json).expect("stdout is JSON");
    let findings = result["findings"].as_array().expect("an array").iter();
    findings
        .map(|finding| finding["code"].as_str().expect("a code").to_owned())
        .collect()
}

#[test]
fn a_file_a_url_and_a_site_give_the_same_findings_about_entries() {
    for (entries, expected) in CASES {
        let server = Server::start_with_url(move |url, path| {
            let text = format!("{HEAD}{}</urlset>", entries.replace("HOST", url));
            (path == "/sitemap.xml").then(|| Reply::of(200, &["Content-Type: text/xml"], text))
        });
        let host = server.url("");
        let text = format!("{HEAD}{}</urlset>", entries.replace("HOST", &host));
        let site = SiteTest::of_pages(&["index.html", "a.html", "b.html"]);
        site.write("sitemap.xml", &text).write("alone/s.xml", &text);
        let expected: BTreeSet<String> = expected.iter().map(|&code| code.to_owned()).collect();
        let address = server.url("/sitemap.xml");
        for arguments in [
            vec!["check", "alone/s.xml"],
            vec!["check", &address, "--live=0"],
            vec!["check", ".", "-o", ".", "--base-url", &host],
        ] {
            let outcome = site.waypost(&[&arguments[..], &["--json"]].concat());
            let mut found = codes(&outcome.stdout);
            found.retain(|code| !ADDED_BY_A_SITE.contains(&code.as_str()));
            assert_eq!(found, expected, "{arguments:?} {entries}");
        }
    }
}

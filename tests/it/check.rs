//! Tests `waypost check` on sitemaps: for each finding a site with and one without it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::site_test::{Outcome, SiteTest};

/// Whether only a check reports this code.
fn is_of_a_check(code: &str) -> bool {
    [
        "sitemap-",
        "loc-",
        "lastmod-",
        "robots-txt-",
        "feed-",
        "equal-",
    ]
    .iter()
    .any(|family| code.starts_with(family))
        && code != "sitemap-stale"
}

fn codes_of(outcome: &Outcome) -> BTreeSet<String> {
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON object");
    let findings = result["findings"].as_array().expect("an array").iter();
    findings
        .map(|finding| finding["code"].as_str().expect("a string").to_owned())
        .filter(|code| is_of_a_check(code))
        .collect()
}

pub(crate) fn codes(site: &SiteTest) -> BTreeSet<String> {
    codes_of(&site.waypost(&["check", "--json"]))
}

/// A site with the pages `/` and `/a.html`, and the sitemap and robots.txt that waypost writes.
pub(crate) fn built() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("a.html", "<meta name=description content=a>");
    site.build();
    site
}

const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

/// A sitemap with these entries.
fn sitemap(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{URLSET}\n{entries}</urlset>\n")
}

fn url(loc: &str) -> String {
    format!("<url><loc>{loc}</loc></url>\n")
}

/// A sitemap with the correct entries of [`built`], and these.
fn and(entries: &str) -> String {
    sitemap(
        &[
            &url("https://example.com/"),
            &url("https://example.com/a.html"),
            entries,
        ]
        .concat(),
    )
}

#[test]
fn sitemaps_of_waypost_have_no_findings() {
    let check = |settings: &str| {
        let site = built();
        for page in 0..9 {
            site.page(
                format!("blog/{page}/index.html"),
                &format!("<meta name=description content={page}>"),
            );
        }
        site.settings(settings).build();
        let outcome = site.waypost(&["check", "--strict"]).succeeded();
        assert!(
            outcome.stderr.contains("found  no problems"),
            "{settings}: {}",
            outcome.stderr
        );
    };
    check("");
    check("[sitemap]\nmax_urls = 2\n");
    check("[sitemap]\ngzip = \"also\"\n");
    check("[sitemap]\ngzip = \"only\"\nmax_urls = 3\n");
    check("[sitemap]\nformats = [\"txt\"]\n");
    check("[sitemap]\nformats = [\"xml\", \"txt\"]\nmax_urls = 4\n");
}

#[test]
fn each_problem_of_a_url_is_found_and_no_other() {
    let check = |entry: &str, expected: &str| {
        let site = built();
        site.page("no.html", "<meta name=robots content=noindex>");
        site.page(
            "away.html",
            "<meta http-equiv=refresh content='0; url=/a.html'>",
        );
        site.page("other.html", "<link rel=canonical href=/a.html>");
        site.write("private/b.html", "<!DOCTYPE html><title>b</title><p>b");
        site.write("feed.xml", "<rss/>");
        site.write(
            "robots.txt",
            "User-agent: *\nDisallow: /private/\nSitemap: https://example.com/sitemap.xml\n",
        );
        site.page("404.html", "");
        site.write("sitemap.xml", and(&url(entry)));
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(codes(&site), expected, "{entry}");
    };
    check("https://example.com", "loc-twice");
    check("https://example.com/gone.html", "loc-without-file");
    check("https://example.com/no.html", "loc-contradicted");
    check("https://example.com/away.html", "loc-contradicted");
    check("https://example.com/other.html", "loc-contradicted");
    check("https://example.com/private/b.html", "loc-contradicted");
    check("https://example.com/404.html", "loc-excluded");
    check("https://example.com/feed.xml", "loc-excluded");
    check("https://example.com/a", "loc-spelling");
    check("https://example.com/a.html?x=1", "loc-spelling");
    check("https://example.com/?page=2", "loc-spelling");
    check("https://example.com/no.html?x=1", "loc-contradicted");
    check("https://example.com/gone.html?x=1", "loc-without-file");
    check("https://example.com/index.html", "loc-spelling");
    check("https://EXAMPLE.com/a.html", "loc-spelling loc-twice");
    check("https://example.com/a.html#top", "loc-spelling loc-twice");
    check(
        "https://example.com/a b.html",
        "loc-spelling loc-without-file",
    );
    check("http://example.com/a.html", "loc-elsewhere");
    check("https://example.org/a.html", "loc-elsewhere");
    check("/a.html", "loc-invalid");
    check("mailto:a@example.com", "loc-invalid");
    check(
        &format!("https://example.com/{}", "x".repeat(2_048)),
        "loc-invalid loc-without-file",
    );
}

#[test]
fn pages_that_no_sitemap_lists_are_reported_and_files_that_are_none() {
    let check = |sitemap: &str, expected: &str| {
        let site = built();
        site.write("sitemap.xml", sitemap);
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(codes(&site), expected, "{sitemap}");
    };
    check(&and(""), "");
    check(&format!("\u{feff}{}", and("")), "");
    check(&format!("\n{}", and("")), "sitemap-invalid");
    check("", "sitemap-invalid sitemap-lacks-pages");
    check(&sitemap(""), "sitemap-invalid sitemap-lacks-pages");
    check(
        &sitemap(&url("https://example.com/")),
        "sitemap-lacks-pages",
    );
}

#[test]
fn a_missing_sitemap_is_found() {
    let site = SiteTest::of_pages(&["index.html"]);
    let outcome = site.waypost(&["check"]).ended_with(1);
    outcome
        .says("error[sitemap-missing]: no sitemap found in the output directory")
        .says("hint: run `waypost`");
}

#[test]
fn text_and_gzip_sitemaps_and_indexes_of_other_tools_are_read() {
    let site = built();
    let text = "\u{feff}https://example.com/\r\nhttps://example.com/gone\r\n";
    site.write("list.txt", text);
    site.write(
        "robots.txt",
        "Sitemap: https://example.com/list.txt\nSitemap: https://example.com/sitemap.xml\n",
    );
    assert_eq!(
        codes(&site),
        BTreeSet::from(["loc-without-file".to_owned()])
    );
    let index = |locs: &[&str]| {
        let locs: Vec<_> = locs
            .iter()
            .map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>"))
            .collect();
        format!(
            "<sitemapindex{}{}</sitemapindex>",
            &URLSET["<urlset".len()..],
            locs.concat()
        )
    };
    let check = |locs: &[&str], expected: &[&str]| {
        let site = built();
        site.write("pages.xml", and(""));
        site.write("sub.xml", index(&["https://example.com/pages.xml"]));
        site.write("sitemap.xml", index(locs));
        let expected: BTreeSet<String> = expected.iter().map(|&code| code.to_owned()).collect();
        assert_eq!(codes(&site), expected, "{locs:?}");
    };
    check(&["https://example.com/pages.xml"], &[]);
    check(
        &[
            "https://example.com/pages.xml",
            "https://example.com/gone.xml",
        ],
        &["sitemap-missing"],
    );
    check(
        &["https://cdn.example.net/pages.xml"],
        &["sitemap-elsewhere"],
    );
    check(
        &[
            "https://example.com/sub.xml",
            "https://example.com/pages.xml",
        ],
        &["sitemap-missing"],
    );
}

#[test]
fn a_url_in_two_sitemaps_of_one_index_is_reported_in_the_second() {
    let site = built();
    let index = ["b.xml", "a.xml", "c.xml"]
        .map(|child| format!("<sitemap><loc>https://example.com/{child}</loc></sitemap>"));
    site.write(
        "sitemap.xml",
        format!(
            "<sitemapindex{}{}</sitemapindex>",
            &URLSET["<urlset".len()..],
            index.concat()
        ),
    );
    site.write("a.xml", sitemap(&url("https://EXAMPLE.com/a.html")));
    site.write("b.xml", sitemap(&url("https://example.com/")));
    site.write("c.xml", sitemap(&url("https://example.com/a.html")));
    let outcome = site.waypost(&["check"]).succeeded();
    outcome.says(
        "warning[loc-twice]: `https://example.com/a.html` is already listed in `a.xml`\n \
         --> c.xml:3:11\n",
    );
    site.write("c.xml", sitemap(&url("https://example.com/")));
    let outcome = site.waypost(&["check"]).succeeded();
    outcome.says(
        "warning[loc-twice]: `https://example.com/` is already listed in `b.xml`\n \
         --> c.xml:3:11\n",
    );
    site.write("b.xml", sitemap(""));
    site.write("sitemap.txt", "https://example.com/\n");
    site.waypost(&["check"]).says_nothing_of("loc-twice");
}

#[test]
fn a_sitemap_beyond_the_limits_is_found() {
    let site = built();
    let many: String = (0..50_000)
        .map(|number| url(&format!("https://example.com/{number}")))
        .collect();
    site.write("sitemap.xml", and(&many));
    let outcome = site.waypost(&["check"]).ended_with(1);
    let outcome = outcome
        .says("`sitemap.xml` has 50002 entries, more than the 50000 that the protocol allows");
    outcome.says("`https://example.com/0` (and 49,999 more; `-v` shows the first 1,000)");
    site.write(
        "sitemap.xml",
        [and("").as_bytes(), &vec![b' '; 52_428_800]].concat(),
    );
    assert_eq!(codes(&site), BTreeSet::from(["sitemap-limits".to_owned()]));
    site.write(
        "sitemap.xml",
        [and("").as_bytes(), &vec![b' '; 64 << 20]].concat(),
    );
    assert_eq!(codes(&site), BTreeSet::from(["sitemap-invalid".to_owned()]));
}

#[test]
fn a_finding_shows_the_tag_of_the_page_or_the_entry() {
    let site = built();
    site.page("no.html", "<meta name=robots content=noindex>");
    let listed = [
        url("https://example.com/no.html"),
        url("https://example.com/gone"),
    ]
    .concat();
    site.write("sitemap.xml", and(&listed));
    let outcome = site.waypost(&["check"]).ended_with(1);
    let outcome = outcome.says(
        "\
error[loc-contradicted]: `sitemap.xml` lists `https://example.com/no.html`, which is excluded: noindex (robots: noindex)
 --> no.html:1:44
  |
1 | <!DOCTYPE html><html><head><title>t</title><meta name=robots content=noindex></head><body><p>x</p></body></html>
  |                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
",
    );
    outcome.says(
        "\
error[loc-without-file]: no built file matches `https://example.com/gone`
 --> sitemap.xml:6:11
  |
6 | <url><loc>https://example.com/gone</loc></url>
  |           ^^^^^^^^^^^^^^^^^^^^^^^^
",
    );
}

#[test]
fn sitemaps_with_well_known_names_are_found() {
    let check = |name: &str, further: &[&str]| {
        let site = built();
        let wrong = and(&url("https://example.com/gone"));
        fs::remove_file(site.root().join("sitemap.xml")).expect("the build wrote it");
        site.write("robots.txt", "User-agent: *\nAllow: /\n")
            .write(name, &wrong);
        let expected = ["loc-without-file", "robots-txt-no-sitemap"]
            .iter()
            .chain(further);
        let expected: BTreeSet<String> = expected.map(|code| (*code).to_owned()).collect();
        assert_eq!(codes(&site), expected, "{name}");
    };
    check("sitemap.xml", &[]);
    check("sitemap.xml.gz", &[]);
    check("sitemap_index.xml", &[]);
    check("wp-sitemap.xml", &[]);
    check("sitemap/sitemap-index.xml", &["sitemap-elsewhere"]);
}

#[test]
fn a_compressed_copy_with_other_content_is_found() {
    let site = built();
    site.write("sitemap.xml.gz", site.bytes("sitemap.xml"));
    site.waypost(&["check"]).says_nothing_of("sitemap-stale");
    let differs = "warning[sitemap-stale]: `sitemap.xml.gz` differs from `sitemap.xml`";
    site.write("sitemap.xml.gz", and(&url("https://example.com/gone")));
    site.waypost(&["check"]).says(differs);
    site.write("sitemap.xml.gz", b"\x1f\x8bbroken");
    site.waypost(&["check"])
        .says("warning[sitemap-stale]: `sitemap.xml.gz` cannot be compared with `sitemap.xml`");
}

#[test]
fn language_versions_must_be_listed_and_link_to_themselves_and_back() {
    let check = |links: [&[(&str, &str)]; 2], expected: &[&str]| {
        let site = built();
        let entry = |loc: &str, links: &[(&str, &str)]| {
            let link = |(code, to): &(&str, &str)| {
                format!("<xhtml:link rel=\"alternate\" hreflang=\"{code}\" href=\"https://{to}\"/>")
            };
            let links: String = links.iter().map(link).collect();
            format!("<url><loc>https://{loc}</loc>{links}</url>")
        };
        let entries = [
            entry("example.com/", links[0]),
            entry("example.com/a.html", links[1]),
        ]
        .concat();
        let namespace = "<urlset xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
        site.write(
            "sitemap.xml",
            sitemap(&entries).replace("<urlset", namespace),
        );
        let result: Value = serde_json::from_str(&site.waypost(&["check", "--json"]).stdout)
            .expect("stdout is one JSON object");
        let findings = result["findings"].as_array().expect("an array").iter();
        let codes = findings.map(|finding| finding["code"].as_str().expect("a string"));
        assert_eq!(
            codes
                .filter(|code| code.starts_with("hreflang-"))
                .collect::<Vec<_>>(),
            expected,
            "{links:?}"
        );
    };
    let (en, de) = (("en", "example.com/"), ("de", "EXAMPLE.com/a.html"));
    check([&[], &[]], &[]);
    check([&[en, de], &[en, de]], &[]);
    check([&[en, de, ("x-default", "example.com/")], &[de, en]], &[]);
    check([&[en, de], &[]], &["hreflang-ignored"]);
    check([&[en, de], &[de]], &["hreflang-ignored"]);
    check([&[de], &[de, en]], &["hreflang-ignored"]);
    check(
        [&[en, ("fr", "example.com/gone")], &[]],
        &["hreflang-ignored"],
    );
    check([&[en, ("fr", "example.org/")], &[]], &[]);
    check([&[("english", "example.com/")], &[]], &["hreflang-ignored"]);
}

#[test]
fn a_file_in_another_encoding_is_not_called_malformed() {
    let text = format!(
        "{URLSET}<url><loc>https://example.com/</loc></url><url>\
         <loc>https://example.com/a.html</loc></url></urlset>"
    );
    let wide: Vec<u8> = format!("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?>{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin = format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{text}");
    let bytes = [text.as_bytes(), b"<!-- caf\xe9 -->"].concat();
    for content in [wide, latin.into_bytes(), bytes] {
        let site = built();
        site.write("sitemap.xml", &content);
        let found: Vec<String> = codes(&site).into_iter().collect();
        assert!(
            found.iter().any(|code| code == "sitemap-invalid"),
            "{found:?}"
        );
    }
}

#[test]
fn a_sitemap_in_a_directory_lists_only_what_is_below() {
    let site = built();
    site.page("docs/b.html", "<meta name=description content=b>");
    site.build();
    let text =
        |path: &str| format!("{URLSET}<url><loc>https://example.com/{path}</loc></url></urlset>");
    let check = |path: &str, robots: &str, expected: &[&str]| {
        let sitemaps = [("sitemap.xml", "docs/sitemap.xml")].map(|(root, child)| {
            site.write(
                root,
                format!(
                    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
                     <loc>https://example.com/{child}</loc></sitemap></sitemapindex>"
                ),
            );
            child
        });
        site.write(sitemaps[0], text(path))
            .write("robots.txt", robots);
        let found = codes(&site);
        let found: Vec<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|code| *code == "sitemap-elsewhere")
            .collect();
        assert_eq!(found, expected, "{path} with {robots}");
    };
    check("docs/b.html", "", &[]);
    check("a.html", "", &["sitemap-elsewhere"]);
    check("a.html", "Sitemap: https://example.com/sitemap.xml\n", &[]);
}

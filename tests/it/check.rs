//! Tests `waypost check` on sitemaps: for each finding a site with and one without it.

use std::collections::BTreeSet;

use crate::site_test::SiteTest;
use crate::table::rows;

/// Whether only a check reports this code.
fn is_of_a_check(code: &str) -> bool {
    let families = ["sitemap-", "loc-", "lastmod-", "robots-txt-", "feed-"];
    families.iter().any(|family| code.starts_with(family)) && code != "sitemap-stale"
}

pub(crate) fn codes(site: &SiteTest) -> BTreeSet<String> {
    let codes = site.waypost(&["check", "--json"]).codes().into_iter();
    codes.filter(|code| is_of_a_check(code)).collect()
}

/// The codes in a list.
fn set(codes: &str) -> BTreeSet<String> {
    codes.split_whitespace().map(str::to_owned).collect()
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
    let right = url("https://example.com/") + &url("https://example.com/a.html");
    sitemap(&(right + entries))
}

/// An index of these sitemaps.
fn index(children: &[&str]) -> String {
    let entry = |child: &&str| format!("<sitemap><loc>{child}</loc></sitemap>");
    let entries: String = children.iter().map(entry).collect();
    let attributes = &URLSET["<urlset".len()..];
    format!("<sitemapindex{attributes}{entries}</sitemapindex>")
}

#[test]
fn the_links_of_llms_txt_lead_to_pages_that_exist_and_may_be_indexed() {
    let site = built();
    site.page("no.html", "<meta name=robots content=noindex>");
    site.write("a_(b).html", "<!DOCTYPE html><title>B</title>")
        .build();
    site.write(
        "llms.txt",
        "# Site\n\n- [A](https://example.com/a.html#x): text\n- [B](/a_(b).html)\n- [C](https://example.org/c)\n\
         - [Data](llms.txt)\n- [Gone](https://example.com/gone.html)\n- [No](/no.html \"title\")\n",
    );
    site.waypost(&["check"])
        .ended_with(1)
        .says("none of 3 URLs would be rejected")
        .says("error[loc-without-file]: no built file matches `https://example.com/gone.html`")
        .says("--> llms.txt:7:10")
        .says("error[loc-contradicted]: `llms.txt` lists `https://example.com/no.html`, which is excluded: noindex")
        .says("--> llms.txt:8:8")
        .says("2 errors, 0 warnings");
}

#[test]
fn sitemaps_of_waypost_have_no_findings() {
    for settings in [
        "",
        "max_urls = 2",
        "gzip = \"also\"",
        "gzip = \"only\"\nmax_urls = 3",
        "formats = [\"txt\"]",
        "formats = [\"xml\", \"txt\"]\nmax_urls = 4",
    ] {
        let site = built();
        for page in 0..9 {
            site.page(format!("blog/{page}/index.html"), "");
        }
        site.settings(&format!("[sitemap]\n{settings}\n")).build();
        let outcome = site.waypost(&["check", "--strict"]).succeeded();
        outcome.says("found  no problems");
    }
}

#[test]
fn each_problem_of_a_url_is_found_and_no_other() {
    let check = |entry: &str, expected: &str| {
        let site = built();
        site.page("no.html", "<meta name=robots content=noindex>");
        let refresh = "<meta http-equiv=refresh content='0; url=/a.html'>";
        site.page("away.html", refresh)
            .page("other.html", "<link rel=canonical href=/a.html>")
            .page("private/b.html", "<title>b</title>")
            .page("404.html", "");
        let disallow = "\nUser-agent: *\nDisallow: /private/\n";
        site.write("robots.txt", site.read("robots.txt") + disallow)
            .write("feed.xml", "<rss/>")
            .write("sitemap.xml", and(&url(entry)));
        assert_eq!(codes(&site), set(expected), "{entry}");
    };
    for [entry, expected] in rows(include_str!("../cases/check-entries.txt")) {
        check(entry, expected);
    }
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
        assert_eq!(codes(&site), set(expected), "{sitemap}");
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
fn text_sitemaps_and_indexes_of_other_tools_are_read() {
    let site = built();
    let text = "\u{feff}https://example.com/\r\nhttps://example.com/gone\r\n";
    let named = "Sitemap: https://example.com/list.txt\n";
    site.write("list.txt", text)
        .write("robots.txt", site.read("robots.txt") + named);
    assert_eq!(codes(&site), set("loc-without-file"));
    let check = |locs: &[&str], expected: &str| {
        let site = built();
        site.write("pages.xml", and(""))
            .write("sub.xml", index(&["https://example.com/pages.xml"]))
            .write("sitemap.xml", index(locs));
        assert_eq!(codes(&site), set(expected), "{locs:?}");
    };
    let pages = "https://example.com/pages.xml";
    check(&[pages], "");
    check(&[pages, "https://example.com/gone.xml"], "sitemap-missing");
    check(&["https://cdn.example.net/pages.xml"], "loc-elsewhere");
    check(&["https://example.com/sub.xml", pages], "sitemap-missing");
}

#[test]
fn a_url_in_two_sitemaps_of_one_index_is_reported_in_the_second() {
    let site = built();
    let children = ["b", "a", "c"].map(|name| format!("https://example.com/{name}.xml"));
    site.write(
        "sitemap.xml",
        index(&children.each_ref().map(String::as_str)),
    )
    .write("a.xml", sitemap(&url("https://EXAMPLE.com/a.html")))
    .write("b.xml", sitemap(&url("https://example.com/")));
    for (page, first) in [("a.html", "a.xml"), ("", "b.xml")] {
        let twice = format!("https://example.com/{page}");
        site.write("c.xml", sitemap(&url(&twice)));
        let outcome = site.waypost(&["check"]).succeeded();
        outcome.says(&format!(
            "warning[loc-twice]: `{twice}` is already listed in `{first}`\n --> c.xml:3:11\n"
        ));
    }
    site.write("b.xml", sitemap(""))
        .write("sitemap.txt", "https://example.com/\n");
    site.waypost(&["check"]).says_nothing_of("loc-twice");
}

#[test]
fn a_sitemap_beyond_the_limits_is_found() {
    for (size, expected) in [
        (52_428_800, "sitemap-limits"),
        (64 << 20, "sitemap-invalid"),
    ] {
        let site = built();
        site.write("sitemap.xml", and("") + &" ".repeat(size));
        assert_eq!(codes(&site), set(expected));
    }
}

#[test]
fn sitemaps_with_well_known_names_are_found() {
    for (name, further) in [
        ("sitemap.xml", ""),
        ("sitemap.xml.gz", ""),
        ("sitemap_index.xml", ""),
        ("wp-sitemap.xml", ""),
        ("sitemap/sitemap-index.xml", "sitemap-elsewhere"),
    ] {
        let site = SiteTest::of_pages(&["index.html", "a.html"]);
        site.write("robots.txt", "User-agent: *\nAllow: /\n")
            .write(name, and(&url("https://example.com/gone")));
        let expected = set(&format!("loc-without-file robots-txt-no-sitemap {further}"));
        assert_eq!(codes(&site), expected, "{name}");
    }
}

#[test]
fn a_compressed_copy_with_other_content_is_found() {
    let site = built();
    site.write("sitemap.xml.gz", site.bytes("sitemap.xml"));
    site.waypost(&["check"]).says_nothing_of("sitemap-stale");
    let other = and(&url("https://example.com/gone")).into_bytes();
    for (content, said) in [(other, "differs"), (b"\x1f\x8bbroken".into(), "cannot")] {
        site.write("sitemap.xml.gz", content);
        let said = format!("warning[sitemap-stale]: `sitemap.xml.gz` {said}");
        site.waypost(&["check"]).says(&said);
    }
}

#[test]
fn a_file_in_another_encoding_is_invalid() {
    let text = and("");
    let wide = text.replace("UTF-8", "UTF-16").replace("<?", "\u{feff}<?");
    let latin = text.replace("UTF-8", "ISO-8859-1");
    let bytes = [text.as_bytes(), b"<!-- caf\xe9 -->"].concat();
    let wide = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for content in [wide, latin.into_bytes(), bytes] {
        let site = built();
        site.write("sitemap.xml", &content);
        assert!(codes(&site).contains("sitemap-invalid"), "{content:?}");
    }
}

#[test]
fn a_sitemap_in_a_directory_lists_only_what_is_below() {
    let site = built();
    site.page("docs/b.html", "").build();
    site.write(
        "sitemap.xml",
        index(&["https://example.com/docs/sitemap.xml"]),
    );
    let named = "Sitemap: https://example.com/sitemap.xml\n";
    for (path, robots, expected) in [
        ("docs/b.html", "", false),
        ("a.html", "", true),
        ("a.html", named, false),
    ] {
        let listed = sitemap(&url(&format!("https://example.com/{path}")));
        site.write("docs/sitemap.xml", listed)
            .write("robots.txt", robots);
        let found = codes(&site).contains("sitemap-elsewhere");
        assert_eq!(found, expected, "{path} with {robots}");
    }
}

#[test]
fn robots_txt_must_name_and_allow_the_sitemap() {
    let named = "Sitemap: https://example.com/sitemap.xml\n";
    let old = "Sitemap: https://example.com/old.xml\n";
    let disallow = "User-agent: *\nDisallow: /*.xml$\n";
    for (robots_txt, expected) in [
        (named, ""),
        ("User-agent: *\nAllow: /\n", "robots-txt-no-sitemap"),
        (&[named, old].concat(), "robots-txt-sitemap-unreadable"),
        (&[named, disallow].concat(), "robots-txt-sitemap-unreadable"),
    ] {
        let site = built();
        site.write("robots.txt", robots_txt);
        assert_eq!(codes(&site), set(expected), "{robots_txt}");
    }
    let below = SiteTest::empty();
    below
        .write("waypost.toml", "base_url = \"https://example.com/docs/\"\n")
        .page("index.html", "")
        .build();
    assert_eq!(codes(&below), set(""));
}

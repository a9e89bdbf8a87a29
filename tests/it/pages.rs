//! Listed pages and their URLs: cases that other tools get wrong.

use crate::site_test::{SiteTest, pair};

/// Builds pages with the given heads and compares the listed paths.
#[track_caller]
pub(crate) fn lists(pages: &[(&str, &str)], expected: &[&str]) {
    let site = SiteTest::of_pages(&[]);
    for (path, head) in pages {
        site.page(path, head);
    }
    site.build();
    assert_eq!(site.paths(), expected);
}

#[test]
fn files_are_listed_at_the_urls_at_which_hosts_serve_them() {
    let files = "sub/sub/index.html my-index.html indexindex.html indexing/a.html d/index.HTM indexhtml \
                 f.0html g/f.html0 some.html/somethingElse some.html/page.html h.shtml \
                 node_modules/pkg/demo.html app/node_modules/pkg/demo.html tags/node_modules/index.html";
    let files: Vec<(&str, &str)> = files.split(' ').map(|file| (file, "")).collect();
    let expected = "/d/index.HTM /indexindex.html /indexing/a.html /my-index.html \
                    /some.html/page.html /sub/sub/ /tags/node_modules/";
    lists(&files, &expected.split(' ').collect::<Vec<_>>());
}

#[test]
fn a_page_whose_canonical_link_names_another_page_is_excluded() {
    let site = SiteTest::of_pages(&["one.html"]);
    let canonical = |href: &str| format!("<link rel=canonical href='{href}'>");
    site.page("twin.html", &canonical("one.html"))
        .page("abroad.html", &canonical("https://example.net/"))
        .page("lost.html", &canonical("/gone.html"))
        .page("silly.html", &canonical("javascript:alert(1)"));
    let both = canonical("/one.html") + &canonical("/torn.html");
    site.page("torn.html", &both)
        .build()
        .says("warning[canonical-not-listed]")
        .says("lost.html:1:")
        .says("warning[canonical-ignored]");
    let expected = [
        pair("abroad.html", "canonical-elsewhere"),
        pair("lost.html", "canonical-elsewhere"),
        pair("one.html", None),
        pair("silly.html", None),
        pair("torn.html", None),
        pair("twin.html", "canonical-elsewhere"),
    ];
    assert_eq!(site.explained("reason"), expected);
}

#[test]
fn a_page_that_does_not_name_itself_gets_the_code_that_others_use_for_it() {
    let link = |code: &str, href: &str| format!("<link rel=alternate hreflang={code} href={href}>");
    let site = SiteTest::of_pages(&[]);
    let default = link("x-default", "/de.html");
    let all = link("en", "/en.html") + &default + &link("de", "/de.html");
    site.page("de.html", &all);
    site.page("en.html", &link("de", "/de.html")).build();
    let [de, en] = &site.entries()[..] else {
        panic!("expected two pages")
    };
    let pair = |code: &str, file: &str| (code.to_owned(), format!("https://example.com/{file}"));
    assert_eq!(de.alternates.len(), 3);
    let both = [pair("de", "de.html"), pair("en", "en.html")];
    assert_eq!(en.alternates, both);
}

#[test]
fn a_link_to_an_excluded_language_version_is_dropped_without_a_finding() {
    let both = "<link rel=alternate hreflang=en href=/a.html>\
                <link rel=alternate hreflang=de href=/de/a.html>";
    let site = SiteTest::of_pages(&[]);
    site.page("a.html", both);
    let elsewhere = "<link rel=canonical href=https://de.example.org/a.html>";
    site.page("de/a.html", &format!("{both}{elsewhere}"));
    site.build().says_nothing_of("hreflang-ignored");
    assert!(!site.read("sitemap.xml").contains("xhtml"));
    site.page("de/a.html", "")
        .build()
        .says("has no return link from that page, so it is not written");
}

#[test]
#[cfg(unix)] // pipes and devices
fn a_pipe_or_a_device_instead_of_a_file_does_not_block() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.fifo("robots.txt")
        .fifo("CNAME")
        .fifo("sitemap.txt")
        .fifo("sitemap.xml.gz")
        .link("a.html", "/dev/zero");
    site.build()
        .says("warning[robots-txt-refused]")
        .says("it is not a regular file");
    assert_eq!(site.urls(), ["https://example.com/"]);
    site.remove("sitemap.xml");
    site.write("waypost.toml", "")
        .waypost(&[])
        .ended_with(2)
        .says("no base URL");

    let book = SiteTest::empty();
    book.write("book.toml", "[book]\n")
        .fifo("src/SUMMARY.md")
        .page("book/index.html", "")
        .fifo("revs");
    let arguments = ["--base-url", "https://example.com/"];
    book.waypost(&arguments).succeeded();
    book.write("waypost.toml", "lastmod.ignore.revs_file = \"revs\"\n");
    book.waypost(&arguments)
        .ended_with(2)
        .says("`./revs`")
        .says("it is not a regular file");
}

#[test]
fn a_page_that_claims_the_url_of_an_excluded_page_is_excluded_too() {
    let about = "<link rel=canonical href=https://example.com/about/>";
    let noindex = "<meta name=robots content=noindex>";
    let redirect = "<meta http-equiv=refresh content='0; url=/c.html'>";
    let (about, c) = (("about.html", about), ("c.html", ""));
    lists(&[about, ("about/index.html", noindex), c], &["/c.html"]);
    lists(&[about, ("about/index.html", redirect), c], &["/c.html"]);
    lists(&[about, ("about/other.html", noindex)], &["/about/"]);
    let own = "<link rel=canonical href=https://example.com/fooindex/>";
    let site = SiteTest::of_pages(&[]);
    site.page("fooindex.html", own)
        .page("fooindex/index.html", own)
        .build()
        .says("url-taken-twice");
    assert_eq!(site.explained("listed").len(), 2);
    let twice = pair("fooindex.html", "canonical-duplicate");
    let reasons = [twice, pair("fooindex/index.html", None)];
    assert_eq!(site.explained("reason"), reasons);
}

#[test]
fn a_canonical_without_html_that_another_file_serves_is_not_a_missing_page() {
    let site = SiteTest::of_pages(&[]);
    let about = "<link rel=canonical href=https://example.com/about/>";
    site.page("about.html", about)
        .page("print.html", about)
        .build()
        .says_nothing_of("canonical-not-listed");
}

#[test]
fn of_two_files_with_the_same_url_the_one_that_hosts_try_first_is_listed() {
    let site = SiteTest::of_pages(&["x/index.htm", "x/index.html", "y/index.htm"]);
    site.page("z.html", "<link rel=canonical href=/y>");
    site.build()
        .says("warning[url-taken-twice]")
        .says_nothing_of("canonical-not-listed");
    let reasons = site.explained("reason");
    assert_eq!(reasons[0], pair("x/index.htm", "canonical-duplicate"));
    assert_eq!(reasons[1], pair("x/index.html", None));
    assert_eq!(reasons[2], pair("y/index.htm", None));
}

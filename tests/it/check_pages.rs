//! Tests `waypost check` on robots.txt and pages: for each finding a site with and one
//! without it.

use std::collections::BTreeSet;

use crate::check::{built, codes};
use crate::site_test::SiteTest;

#[test]
fn robots_txt_must_name_and_allow_the_sitemap() {
    let check = |robots_txt: &str, expected: &[&str]| {
        let site = built();
        site.write("robots.txt", robots_txt);
        let expected: BTreeSet<String> = expected.iter().map(|&code| code.to_owned()).collect();
        assert_eq!(codes(&site), expected, "{robots_txt}");
    };
    check("Sitemap: https://example.com/sitemap.xml\n", &[]);
    check("User-agent: *\nAllow: /\n", &["robots-txt-no-sitemap"]);
    check(
        "Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/old.xml\n",
        &["robots-txt-sitemap-unreadable"],
    );
    check(
        "Sitemap: https://example.com/sitemap.xml\nUser-agent: *\nDisallow: /*.xml$\n",
        &["robots-txt-sitemap-unreadable"],
    );
    let below = SiteTest::of_pages(&[]);
    below
        .write("waypost.toml", "base_url = \"https://example.com/docs/\"\n")
        .page("index.html", "");
    below.build();
    assert_eq!(codes(&below), BTreeSet::new());
}

#[test]
fn a_url_without_a_page_is_reported_when_it_is_listed_twice() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.build();
    let gone = "<url><loc>https://example.com/gone.html</loc></url>\n".repeat(2);
    let sitemap = site.read("sitemap.xml");
    site.write(
        "sitemap.xml",
        sitemap.replace("</urlset>", &(gone + "</urlset>")),
    );
    let outcome = site.waypost(&["check", "-v"]).ended_with(1);
    assert_eq!(outcome.stderr.matches("warning[loc-twice]").count(), 1);
}

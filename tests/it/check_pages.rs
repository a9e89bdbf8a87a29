//! Tests `waypost check` on robots.txt, feeds and pages: for each finding a site with and one
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
fn a_feed_that_a_page_names_must_exist() {
    let check = |href: &str, kind: &str, expected: &[&str]| {
        let site = built();
        site.page(
            "index.html",
            &format!("<link rel=alternate type={kind} href={href}>"),
        );
        site.write("feed.xml", "<rss/>");
        let expected: BTreeSet<String> = expected.iter().map(|&code| code.to_owned()).collect();
        assert_eq!(codes(&site), expected, "{href}");
    };
    check("/feed.xml", "application/rss+xml", &[]);
    check("/gone.xml", "application/rss+xml", &["feed-broken"]);
    check("/gone.json", "Application/Feed+JSON", &["feed-broken"]);
    check("/gone.pdf", "application/pdf", &[]);
    check("https://example.org/feed.xml", "application/atom+xml", &[]);
}

#[test]
fn pages_with_identical_bytes_are_found() {
    let site = SiteTest::of_pages(&["index.html", "a.html"]);
    site.build();
    assert_eq!(codes(&site), BTreeSet::from(["equal-pages".to_owned()]));
    site.page("a.html", "<link rel=canonical href=/>");
    site.build();
    assert_eq!(codes(&site), BTreeSet::new());
}

#[test]
fn pages_without_incoming_links_are_found_on_request() {
    let site = SiteTest::of_pages(&[]);
    let page = |body: &str| format!("<!DOCTYPE html><title>t</title><body>{body}");
    let links =
        "<a href='b/?x#y'>b</a><a href=old.html>d</a><map><area href=https://EXAMPLE.com/e></map>";
    site.write("index.html", page(links));
    site.write(
        "a.html",
        page("<a href='#top'>top</a><a href=a.html>me</a> a"),
    );
    site.write("b/index.html", page("<base href=/c/><a href=c>c</a>"));
    site.write("c/c.html", page("<!-- <a href=/a.html> --> c"));
    site.write("d.html", page("d"));
    site.write("e.html", page("e"));
    site.write("f.html", page("f"));
    // A link to a redirect counts for the target of the redirect, unless no page links to the
    // redirect.
    site.page(
        "old.html",
        "<meta http-equiv=refresh content='0; url=/older.html'>",
    );
    site.page("older.html", "<link rel=canonical href=/d.html>");
    site.page(
        "unknown.html",
        "<meta http-equiv=refresh content='0; url=/f.html'>",
    );
    site.page("hidden.html", "<meta name=robots content=noindex>");
    site.build();
    site.waypost(&["check", "--strict"]).succeeded();
    site.settings("[levels]\norphan-page = \"warn\"\n");
    let outcome = site.waypost(&["check", "-v"]).succeeded();
    let reported: Vec<&str> = outcome
        .stderr
        .lines()
        .filter(|line| line.contains("[orphan-page]"))
        .collect();
    let of = |page: &str| format!("warning[orphan-page]: no other page links to `{page}`");
    assert_eq!(reported, [of("a.html"), of("f.html")]);
}

#[test]
fn a_url_without_a_page_is_reported_when_it_is_listed_twice() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.build();
    let gone = "<url><loc>https://example.com/gone.html</loc></url>\n";
    let sitemap = site.read("sitemap.xml");
    let doubled = sitemap.replace("</urlset>", &format!("{gone}{gone}</urlset>"));
    site.write("sitemap.xml", doubled);
    let outcome = site.waypost(&["check", "-v"]).ended_with(1);
    let found = outcome.stderr.matches("warning[loc-twice]").count();
    assert_eq!(found, 1, "{}", outcome.stderr);
    outcome.says("`https://example.com/gone.html` is listed twice");
}

//! Feeds: those of the site, which robots.txt names as sitemaps.

use crate::site_test::SiteTest;

const RSS: &str = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>T</title></channel></rss>\n";
const ATOM: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title></feed>\n";

fn site_with_feeds() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[sitemap]\nfeeds = true\n").write("robots.txt", "User-agent: *\nAllow: /\n");
    site
}

fn robots_after(site: &SiteTest) -> Vec<String> {
    site.build();
    let text = site.read("robots.txt");
    let named = text.lines().filter_map(|line| line.strip_prefix("Sitemap: https://example.com/"));
    named.map(str::to_owned).collect()
}

#[test]
fn feeds_are_named_whether_pages_link_them_or_they_stand_at_usual_places() {
    let site = site_with_feeds();
    let link = |href: &str| format!("<link rel=alternate type=application/rss+xml href=\"{href}\">");
    site.page("blog/index.html", &link("updates.xml?v=1")).page("news/index.html", &link("updates.xml"));
    site.page("a.html", &(link("https://example.org/rss.xml") + &link("/gone.xml") + &link("/page.json")));
    site.write("news/updates.xml", RSS).write("blog/updates.xml", RSS).write("feed/index.xml", ATOM);
    site.write("own.RSS", RSS).write("deep/er/feed.xml", RSS).write("page.json", "{}").write("osd.xml", "<x/>");
    let expected = ["sitemap.xml", "own.RSS", "feed/index.xml", "news/updates.xml"];
    assert_eq!(robots_after(&site), expected);
    assert_eq!(robots_after(&site), expected, "a second run changes nothing");
    site.waypost(&["check"]).succeeded().says("`https://example.com/gone.xml`").says_nothing_of("malformed");
}

#[test]
fn the_line_of_a_feed_that_is_gone_goes_with_it_and_no_other() {
    let site = site_with_feeds();
    site.write("robots.txt", "Sitemap: https://example.com/shop.xml\nSitemap: https://example.org/feed.xml\n");
    site.write("feed.xml", RSS).write("atom.xml", ATOM);
    assert_eq!(robots_after(&site), ["shop.xml", "sitemap.xml", "atom.xml", "feed.xml"]);
    std::fs::remove_file(site.root().join("feed.xml")).expect("it is there");
    assert_eq!(robots_after(&site), ["shop.xml", "sitemap.xml", "atom.xml"]);
    assert!(site.read("robots.txt").contains("Sitemap: https://example.org/feed.xml\n"));
}

#[test]
fn a_link_or_a_pipe_is_no_way_out_of_the_site() {
    let site = site_with_feeds();
    site.write("../elsewhere.xml", RSS).link("feed.xml", "../elsewhere.xml").fifo("rss.xml");
    assert_eq!(robots_after(&site), ["sitemap.xml"]);
}

#[test]
fn a_broken_feed_is_told_and_not_named() {
    let site = site_with_feeds();
    site.write("feed.xml", &RSS[..60]);
    site.build().says("warning[feed-broken]: the feed `feed.xml` is not named in robots.txt: it is not well-formed");
    site.write("robots.txt", "Sitemap: https://example.com/feed.xml\nSitemap: https://example.com/sitemap.xml\n");
    site.waypost(&["check"]).succeeded().says("warning[feed-broken]: robots.txt names the feed `feed.xml`");
}

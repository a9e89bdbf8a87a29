//! Feeds: those of the site, which robots.txt names as sitemaps, and those that waypost writes.

use crate::build::sitemaps;
use crate::site_test::SiteTest;

const RSS: &str =
    "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>T</title></channel></rss>\n";
const ATOM: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title></feed>\n";

fn site_with_feeds() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[sitemap]\nfeeds = true\n")
        .write("robots.txt", "User-agent: *\nAllow: /\n");
    site
}

fn robots_after(site: &SiteTest) -> Vec<String> {
    site.build();
    let text = site.read("robots.txt");
    let named = text
        .lines()
        .filter_map(|line| line.strip_prefix("Sitemap: https://example.com/"));
    named.map(str::to_owned).collect()
}

#[test]
fn feeds_are_named_wherever_they_are_and_other_xml_is_not() {
    let site = site_with_feeds();
    let link =
        |href: &str| format!("<link rel=alternate type=application/rss+xml href=\"{href}\">");
    let others = ["https://example.org/rss.xml", "/gone.xml", "/page.json"].map(link);
    site.page("blog/index.html", &link("updates.xml?v=1"))
        .page("news/index.html", &link("updates.xml"))
        .page("a.html", &others.concat());
    let expected = [
        "own.RSS",
        "blog/updates.xml",
        "feed/index.xml",
        "news/updates.xml",
        "deep/er/log.xml",
    ];
    for feed in expected {
        site.write(feed, if feed.contains("/index") { ATOM } else { RSS });
    }
    site.write(".hidden/feed.xml", RSS)
        .write("deep/er/feed.txt", RSS)
        .write("page.json", "{}")
        .write("osd.xml", "<x/>");
    let expected = [&["sitemap.xml"], &expected[..]].concat();
    assert_eq!(robots_after(&site), expected);
    assert_eq!(robots_after(&site), expected, "a second run");
    let outcome = site.waypost(&["check"]).succeeded();
    outcome.says_nothing_of("malformed");
}

#[test]
fn the_line_of_a_missing_feed_is_removed_and_no_other() {
    let site = site_with_feeds();
    let elsewhere = "Sitemap: https://example.org/feed.xml\n";
    site.write(
        "robots.txt",
        format!("Sitemap: https://example.com/shop.xml\n{elsewhere}"),
    )
    .write("feed.xml", RSS)
    .write("atom.xml", ATOM);
    let expected = ["shop.xml", "sitemap.xml", "atom.xml", "feed.xml"];
    assert_eq!(robots_after(&site), expected);
    site.remove("feed.xml");
    assert_eq!(robots_after(&site), expected[..3]);
    assert!(site.read("robots.txt").contains(elsewhere));
}

#[test]
#[cfg(unix)] // pipes
fn a_link_or_a_pipe_does_not_lead_out_of_the_site() {
    let site = site_with_feeds();
    site.write("../elsewhere.xml", RSS)
        .link("feed.xml", "../elsewhere.xml")
        .fifo("rss.xml");
    assert_eq!(robots_after(&site), ["sitemap.xml"]);
    site.build()
        .says_nothing_of("feed-broken")
        .says("warning[file-skipped]: the symbolic link `feed.xml` points outside");
}

/// A site with three dated pages and one without a date.
fn site_with_newest(formats: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.settings(&format!(
        "lastmod.from = [\"page\"]\nsitemap.formats = [{formats}]\n"
    ));
    for (file, title, date) in [
        (
            "index",
            "The <b> &amp; the\n é",
            "2024-05-06T07:08:09+02:00",
        ),
        ("b", "B", "2025-01-02"),
        ("old", "Old", "2020-01-02"),
    ] {
        let date = format!("<meta property=article:modified_time content=\"{date}\">");
        site.write(
            format!("{file}.html"),
            format!("<title>{title}</title>{date}<p>x</p>"),
        );
    }
    site.write("c.html", "<!DOCTYPE html><p>no title, no date</p>");
    site
}

#[test]
fn the_newest_pages_are_written_as_rss_with_title_url_and_date() {
    let site = site_with_newest("\"rss\"");
    assert_eq!(robots_after(&site), ["sitemap.rss"]);
    let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">
<channel>
<title>The &lt;b&gt; &amp; the é</title>
<link>https://example.com/</link>
<description>The newest pages of https://example.com/</description>
<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"https://example.com/sitemap.rss\"/>
<lastBuildDate>Thu, 2 Jan 2025 00:00:00 +0000</lastBuildDate>
<item><title>B</title><link>https://example.com/b.html</link>\
<guid>https://example.com/b.html</guid>\
<pubDate>Thu, 2 Jan 2025 00:00:00 +0000</pubDate></item>
<item><title>The &lt;b&gt; &amp; the é</title><link>https://example.com/</link>\
<guid>https://example.com/</guid>\
<pubDate>Mon, 6 May 2024 07:08:09 +0200</pubDate></item>
<item><title>Old</title><link>https://example.com/old.html</link>\
<guid>https://example.com/old.html</guid>\
<pubDate>Thu, 2 Jan 2020 00:00:00 +0000</pubDate></item>
<item><title>https://example.com/c.html</title><link>https://example.com/c.html</link>\
<guid>https://example.com/c.html</guid></item>
</channel>
</rss>
";
    assert_eq!(site.read("sitemap.rss"), expected);
    assert!(!site.root().join("sitemap.xml").exists());
}

#[test]
fn a_page_without_a_date_is_omitted_from_atom_and_reported() {
    let site = site_with_newest("\"xml\", \"rss\", \"atom\"");
    let warning = "warning[feed-lacks-pages]: 1 page";
    site.build().says(warning);
    let feeds = ["sitemap.xml", "sitemap.rss", "sitemap.atom"];
    assert_eq!(robots_after(&site), feeds);
    assert_eq!(site.read("sitemap.rss").matches("<item>").count(), 4);
    let atom = site.read("sitemap.atom");
    assert_eq!(atom.matches("<entry>").count(), 3);
    let expected =
        "<updated>2025-01-02T00:00:00Z</updated>\n<author><name>example.com</name></author>\n";
    assert!(atom.contains(expected), "{atom}");
    let result = site.build_json();
    let files = result["files"].as_array().expect("an array").iter();
    assert!(files.clone().count() == 3 && files.into_iter().all(|file| file["changed"] == false));
    site.settings("");
    assert_eq!(robots_after(&site), ["sitemap.xml"]);
    assert_eq!(sitemaps(&site), ["sitemap.xml"]);
}

#[test]
fn a_feed_that_waypost_writes_is_not_named_twice() {
    let site = site_with_newest("\"xml\", \"atom\"");
    let settings = site.read("waypost.toml") + "sitemap.feeds = true\n";
    site.write("waypost.toml", settings).write("feed.xml", RSS);
    site.build();
    assert_eq!(
        robots_after(&site),
        ["sitemap.xml", "sitemap.atom", "feed.xml"]
    );
    site.waypost(&["check"])
        .succeeded()
        .says_nothing_of("sitemap-");
}

#[test]
fn pages_of_a_feed_in_robots_txt_are_checked_like_those_of_a_sitemap() {
    let site = SiteTest::of_pages(&["index.html", "a.html"]);
    site.page("b.html", "<meta name=robots content=noindex>")
        .write("robots.txt", "Sitemap: https://example.com/feed.xml\n");
    let items = ["a.html", "b.html", "c.html", "a.html?from=feed"]
        .map(|page| format!("<item><link>https://example.com/{page}</link></item>\n"));
    let items = items.concat();
    site.write(
        "feed.xml",
        format!("<rss version=\"2.0\"><channel>\n{items}</channel></rss>\n"),
    );
    let checked = site.waypost(&["check", "-v"]).ended_with(1);
    checked
        .says("error[loc-contradicted]: `feed.xml` lists `https://example.com/b.html`")
        .says("error[loc-without-file]: no built file matches `https://example.com/c.html`")
        .says("feed.xml:4")
        .says("[loc-spelling]: `https://example.com/a.html?from=feed`")
        .says_nothing_of("sitemap-lacks-pages: `https://example.com/a.html`");
}

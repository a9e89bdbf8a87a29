//! Feeds: those of the site, which robots.txt names as sitemaps, and those that waypost writes.

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
    site.page("blog/index.html", &link("updates.xml?v=1"))
        .page("news/index.html", &link("updates.xml"));
    site.page(
        "a.html",
        &(link("https://example.org/rss.xml") + &link("/gone.xml") + &link("/page.json")),
    );
    site.write("news/updates.xml", RSS)
        .write("blog/updates.xml", RSS)
        .write("feed/index.xml", ATOM);
    site.write("own.RSS", RSS)
        .write("deep/er/log.xml", ATOM)
        .write(".hidden/feed.xml", RSS)
        .write("deep/er/feed.txt", RSS)
        .write("page.json", "{}")
        .write("osd.xml", "<x/>");
    let expected = [
        "sitemap.xml",
        "own.RSS",
        "blog/updates.xml",
        "feed/index.xml",
        "news/updates.xml",
        "deep/er/log.xml",
    ];
    assert_eq!(robots_after(&site), expected);
    assert_eq!(
        robots_after(&site),
        expected,
        "a second run changes nothing"
    );
    site.waypost(&["check"])
        .succeeded()
        .says_nothing_of("malformed");
}

#[test]
fn the_line_of_a_missing_feed_is_removed_and_no_other() {
    let site = site_with_feeds();
    site.write(
        "robots.txt",
        "Sitemap: https://example.com/shop.xml\nSitemap: https://example.org/feed.xml\n",
    );
    site.write("feed.xml", RSS).write("atom.xml", ATOM);
    assert_eq!(
        robots_after(&site),
        ["shop.xml", "sitemap.xml", "atom.xml", "feed.xml"]
    );
    std::fs::remove_file(site.root().join("feed.xml")).expect("it exists");
    assert_eq!(robots_after(&site), ["shop.xml", "sitemap.xml", "atom.xml"]);
    assert!(
        site.read("robots.txt")
            .contains("Sitemap: https://example.org/feed.xml\n")
    );
}

#[test]
#[cfg(unix)] // pipes
fn a_link_or_a_pipe_does_not_lead_out_of_the_site() {
    let site = site_with_feeds();
    site.write("../elsewhere.xml", RSS)
        .link("feed.xml", "../elsewhere.xml")
        .fifo("rss.xml");
    assert_eq!(robots_after(&site), ["sitemap.xml"]);
    let outcome = site.build().says_nothing_of("feed-broken");
    outcome.says(
        "warning[file-skipped]: \
         the symbolic link `feed.xml` points outside the output directory, so it is not followed",
    );
}

#[test]
fn a_broken_feed_is_reported_and_not_named() {
    let site = site_with_feeds();
    site.write("feed.xml", &RSS[..60]);
    site.build().says(
        "warning[feed-broken]: \
         the feed `feed.xml` is not added to robots.txt: it is not well-formed",
    );
    site.write(
        "robots.txt",
        "Sitemap: https://example.com/feed.xml\nSitemap: https://example.com/sitemap.xml\n",
    );
    site.waypost(&["check"])
        .succeeded()
        .says("warning[feed-broken]: the feed `feed.xml`: it is not well-formed");
}

/// A site with three dated pages and one without a date.
fn site_with_newest(formats: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.settings(&format!(
        "lastmod.from = [\"page\"]\nsitemap.formats = [{formats}]\n"
    ));
    let page = |title: &str, date: &str| {
        format!(
            "<title>{title}</title><meta property=article:modified_time content=\"{date}\"><p>x</p>"
        )
    };
    site.write(
        "index.html",
        page("The <b> &amp; the\n é", "2024-05-06T07:08:09+02:00"),
    );
    site.write("b.html", page("B", "2025-01-02"))
        .write("c.html", "<!DOCTYPE html><p>no title, no date</p>");
    site.write("old.html", page("Old", "2020-01-02"));
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
    std::fs::remove_file(site.root().join("old.html")).expect("it exists");
    site.build()
        .says("warning[feed-lacks-pages]: 1 page has no date, so it is missing from the Atom feed");
    assert_eq!(
        robots_after(&site),
        ["sitemap.xml", "sitemap.rss", "sitemap.atom"]
    );
    let count = |file: &str, tag: &str| site.read(file).matches(tag).count();
    assert_eq!(
        (
            count("sitemap.rss", "<item>"),
            count("sitemap.atom", "<entry>")
        ),
        (3, 2)
    );
    let expected =
        "<updated>2025-01-02T00:00:00Z</updated>\n<author><name>example.com</name></author>\n";
    assert!(
        site.read("sitemap.atom").contains(expected),
        "{}",
        site.read("sitemap.atom")
    );
    assert!(
        site.read("sitemap.rss")
            .contains("<item><title>https://example.com/c.html</title>")
    );
    let result = site.build_json();
    let changed: Vec<_> = result["files"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|file| &file["changed"])
        .collect();
    assert_eq!(changed, [false; 3], "{result}");
    site.settings("");
    assert_eq!(robots_after(&site), ["sitemap.xml"]);
    let files = site.files();
    assert!(
        !files
            .iter()
            .any(|file| ["sitemap.rss", "sitemap.atom"].contains(&file.as_str())),
        "{files:?}"
    );
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
    let site = SiteTest::empty();
    site.page("index.html", "<p>1")
        .page("a.html", "<p>2")
        .page("b.html", "<meta name=robots content=noindex>")
        .write(
            "robots.txt",
            "User-agent: *\nSitemap: https://example.com/feed.xml\n",
        );
    let item = |page: &str| format!("<item><link>https://example.com/{page}</link></item>\n");
    let items: String = ["a.html", "b.html", "c.html", "a.html?from=feed"]
        .map(item)
        .concat();
    let feed = format!("<rss version=\"2.0\"><channel>\n{items}</channel></rss>\n");
    site.write("feed.xml", feed);
    let checked = site.waypost(&["check", "-v"]).ended_with(1);
    checked
        .says("error[loc-contradicted]: `feed.xml` lists `https://example.com/b.html`")
        .says("error[loc-without-file]: no built file matches `https://example.com/c.html`")
        .says("feed.xml:4")
        .says("[loc-spelling]: `https://example.com/a.html?from=feed`")
        .says_nothing_of("sitemap-lacks-pages");
}

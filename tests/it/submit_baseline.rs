//! Tests the baseline of `waypost submit`, the earlier sitemap that decides which changes are sent.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::site_test::SiteTest;
use crate::sitemap_xml::dated_urlset;
use crate::submit::{messages, server, site, submit};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("writing to a vector cannot fail")
}

#[test]
fn another_spelling_of_a_date_is_not_a_change() {
    let site = site(&["index.html", "a.html"]);
    // A rule of the settings dates the pages.
    for spelling in [
        "2024-01-02",
        "2024-01-02T09:00:00+09:00",
        "2024-01-02T23:00Z",
    ] {
        let live = dated_urlset(&[("", spelling), ("a.html", spelling)]);
        let server = server(vec![("/sitemap.xml", live.into_bytes())]);
        let since = server.url("/sitemap.xml");
        let endpoint = server.url("/202");
        submit(&site, &["--since", &since, "--endpoint", &endpoint])
            .succeeded()
            .says("0 added, 0 changed, 0 removed");
    }
}

#[test]
fn only_what_changed_since_the_live_sitemap_is_sent() {
    let old = dated_urlset(&[
        ("", "2024-01-02"),
        ("a.html", "2023-01-02"),
        ("gone.html", "2024-01-02"),
    ]);
    let check = |path: &str, files: Vec<(&'static str, Vec<u8>)>| {
        let (site, server) = (site(&["index.html", "a.html", "b.html"]), server(files));
        let (since, endpoint) = (server.url(path), server.url("/202"));
        submit(&site, &["--since", &since, "--endpoint", &endpoint])
            .succeeded()
            .says("1 added, 1 changed, 1 removed");
        let expected =
            ["a.html", "b.html", "gone.html"].map(|path| format!("https://example.com/{path}"));
        assert_eq!(messages(&server), [expected], "{path}");
    };
    let compressed = vec![("/sitemap.xml.gz", gzip(old.as_bytes()))];
    check("/sitemap.xml.gz", compressed);
    check("/sitemap.xml", vec![("/sitemap.xml", old.into())]);
    let index = "<sitemapindex><sitemap><loc>/1.xml.gz</loc></sitemap>\
                 <sitemap><loc>/2.xml</loc></sitemap></sitemapindex>";
    let one = dated_urlset(&[("", "2024-01-02")]);
    let two = dated_urlset(&[("a.html", "2023-01-02"), ("gone.html", "2024-01-02")]);
    let children = [("/1.xml.gz", gzip(one.as_bytes())), ("/2.xml", two.into())];
    let root = ("/index.xml", index.into());
    check("/index.xml", children.into_iter().chain([root]).collect());
}

#[test]
fn nothing_is_sent_if_the_live_sitemap_is_not_reliable() {
    let cut = dated_urlset(&[("a.html", "2024-01-02")]).replace("</urlset>", "<url><loc>");
    let bomb = gzip(&[b"<urlset>".to_vec(), vec![b' '; 80 << 20]].concat());
    let index = |loc: &str| {
        format!("<sitemapindex><sitemap><loc>{loc}</loc></sitemap></sitemapindex>").into_bytes()
    };
    let other = "<urlset><url><loc>https://example.org/</loc></url></urlset>";
    let files = vec![
        ("/cut.xml", cut.into_bytes()),
        ("/bomb.xml.gz", bomb),
        ("/page.html", b"<html><body>not here".to_vec()),
        ("/other.xml", other.into()),
        ("/far.xml", index("http://example.org/1.xml")),
        ("/nest.xml", index("/far.xml")),
        ("/lacks.xml", index("/none.xml")),
    ];
    let (site, server) = (site(&["index.html", "a.html"]), server(files));
    let check = |path: &str, said: &str| {
        let (since, endpoint) = (server.url(path), server.url("/200"));
        submit(&site, &["--since", &since, "--endpoint", &endpoint])
            .ended_with(2)
            .says(said);
    };
    check("/cut.xml", "could be read only in part");
    check("/bomb.xml.gz", "bomb.xml.gz` could be read only in part");
    check("/page.html", "could be read only in part");
    let other = "lists no page of `https://example.com/`, but such as `https://example.org/`: it belongs to another site";
    check("/other.xml", other);
    let far = "names `http://example.org/1.xml`, which is on another host";
    check("/far.xml", far);
    check("/nest.xml", "is an index itself");
    check("/lacks.xml", "the server responded with 404");
    check("/missing.xml", "the server responded with 404");
    assert_eq!(messages(&server).len(), 0);
}

#[test]
fn a_file_or_directory_can_be_the_baseline() {
    let (site, server) = (
        site(&["public/index.html", "public/a.html"]),
        server(Vec::new()),
    );
    let endpoint = server.url("/200");
    site.write("old/sitemap.xml", dated_urlset(&[("", "2024-01-02")]))
        .write("old.txt", "https://example.com/a.html\n");
    for since in ["old", "old/sitemap.xml"] {
        let arguments = ["-o", "public", "--since", since, "--endpoint", &endpoint];
        submit(&site, &arguments).succeeded();
    }
    assert_eq!(messages(&server), [["https://example.com/a.html"]; 2]);
    submit(&site, &["--since", "public"])
        .ended_with(2)
        .says("no sitemap found in `public`");
    submit(&site, &["--since", "nowhere"])
        .ended_with(2)
        .says("`nowhere` is not a file or a directory");
}

#[test]
fn the_record_is_the_baseline_of_the_next_run() {
    let (site, server) = (
        site(&["public/index.html", "public/a.html"]),
        server(Vec::new()),
    );
    let run = |arguments: &[&str], status: &str| {
        let common = ["-o", "public", "--record", "kept/record"];
        let endpoint = ["--endpoint", &server.url(status)];
        submit(&site, &[&common[..], &endpoint, arguments].concat())
    };
    run(&["--all"], "/503").ended_with(2);
    run(&["--all", "--dry-run"], "/200").succeeded();
    let is_recorded = site.root().join("kept").exists();
    assert!(!is_recorded, "a request that was not sent");
    run(&["--all"], "/202").succeeded();
    run(&[], "/200").succeeded().says("no changes to submit");
    site.page("public/b.html", "");
    site.remove("public/a.html");
    run(&[], "/200").succeeded();
    run(&[], "/200").succeeded().says("no changes to submit");
    let [a, b] = ["a.html", "b.html"].map(|path| format!("https://example.com/{path}"));
    let all = vec!["https://example.com/".to_owned(), a.clone()];
    assert_eq!(messages(&server), [all.clone(), all, vec![a, b]]);
}

#[test]
fn without_a_baseline_nothing_is_sent() {
    let (site, server) = (site(&["index.html", "a.html"]), server(Vec::new()));
    submit(&site, &["--endpoint", &server.url("/200")])
        .ended_with(2)
        .says("`--since https://example.com/sitemap.xml` compares with the live sitemap")
        .says("`--all` sends all 2 URLs");
    assert_eq!(server.requests().len(), 0);
}

/// A site whose set, as waypost wrote it, had 30 pages more than now, and that set.
fn shrunk_site() -> (SiteTest, String) {
    let site = site(&["index.html"]);
    let pages: Vec<String> = (0..30).map(|number| format!("p{number}.html")).collect();
    for page in &pages {
        site.page(page, "");
    }
    site.build();
    let published = site.read("sitemap.xml");
    for page in &pages {
        site.remove(page);
    }
    // The generator writes its own sitemap in every build.
    site.write("sitemap.xml", dated_urlset(&[("", "2024-01-02")]));
    (site, published)
}

#[test]
fn a_set_that_shrank_since_the_published_one_is_neither_written_nor_sent() {
    let (site, published) = shrunk_site();
    let marked = published.clone().into_bytes();
    let files = vec![("/sitemap.xml.gz", gzip(&marked)), ("/sitemap.xml", marked)];
    let server = server(files);
    let endpoint = server.url("/202");
    for path in ["/sitemap.xml", "/sitemap.xml.gz"] {
        let live = server.url(path);
        site.waypost(&["--since", &live])
            .ended_with(1)
            .says("error[set-shrunk]: 30 of the 31 URLs")
            .says(&format!("0 added, 30 removed, 0 re-dated since {live}"));
        submit(&site, &["--since", &live, "--endpoint", &endpoint])
            .ended_with(1)
            .says("error[set-shrunk]");
    }
    assert_eq!(messages(&server), [[""; 0]; 0]);
    let live = server.url("/sitemap.xml");
    let accept = ["--accept", "set-shrunk", "--since", &live];
    submit(&site, &[&accept[..], &["--endpoint", &endpoint]].concat()).succeeded();
    assert_eq!(messages(&server)[0].len(), 30);
    site.waypost(&["--since", &server.url("/missing.xml")])
        .ended_with(2);
}

//! Tests `waypost check URL` and `--live` with a server on the loopback. `tests/slow/live.py` has many more
//! faults of servers, and measures the load.

use serde_json::Value;

use crate::loopback::{Reply, Server};
use crate::site_test::{SiteTest, text_at};

const SCHEMA: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// A server whose files contain `SERVER` in place of its URL.
fn server(files: &'static [(&'static str, &'static str)]) -> Server {
    Server::start_with_url(move |url, path| {
        let (_, text) = files.iter().find(|(name, _)| *name == path)?;
        let text = text.replace("SERVER", url).replace("SCHEMA", SCHEMA);
        let kind = if text.contains("<title>") {
            "text/html"
        } else {
            "text/plain"
        };
        Some(Reply::of(200, &[&format!("Content-Type: {kind}")], text))
    })
}

/// Runs `check` with JSON output; shows each finding with `SERVER` in place of the server's URL.
fn findings(server: &Server, arguments: &[&str], code: i32) -> Vec<String> {
    let site = SiteTest::of_pages(&[]);
    let outcome = site.waypost(&[&["check", "--json"], arguments].concat());
    let result = outcome.ended_with(code).json();
    let findings = result["findings"].as_array().expect("an array").iter();
    let line = |finding: &Value| {
        let text = |key: &str| text_at(finding, key).unwrap_or_default();
        let number = |key: &str| finding[key].as_u64().unwrap_or_default();
        let file = text("file").replace(&server.url(""), "SERVER");
        let (line, column) = (number("line"), number("column"));
        format!("{} {file}:{line}:{column}", text("code"))
    };
    findings.map(line).collect()
}

#[test]
fn the_sitemaps_of_a_site_are_found_and_checked_at_their_places() {
    let server = server(&[
        (
            "/robots.txt",
            "User-agent: *\nDissallow: /x\nSitemap: SERVER/index.xml\n",
        ),
        (
            "/index.xml",
            "<sitemapindex SCHEMA>\n<sitemap><loc>SERVER/a.xml</loc></sitemap>\n\
             <sitemap><loc>SERVER/index.xml</loc></sitemap>\n\
             <sitemap><loc>SERVER/none.xml</loc></sitemap>\n\
             <sitemap><loc>http://example.org/b.xml</loc></sitemap></sitemapindex>",
        ),
        (
            "/a.xml",
            "<urlset SCHEMA>\n<url><loc>SERVER/</loc><lastmod>soon</lastmod></url>\n\
             <url><loc>https://example.org/</loc></url></urlset>",
        ),
        (
            "/sitemap.xml",
            "<urlset SCHEMA><url><loc>SERVER/</loc></url></urlset>",
        ),
    ]);
    let expected = [
        "sitemap-invalid SERVER/a.xml:2:49",
        "loc-elsewhere SERVER/a.xml:3:11",
        "sitemap-missing SERVER/index.xml:3:15",
        "loc-elsewhere SERVER/index.xml:5:15",
        "sitemap-missing SERVER/none.xml:0:0",
        "robots-txt-line-ignored SERVER/robots.txt:2:1",
    ];
    let found = findings(&server, &["--live=0", &server.url("/")], 1);
    assert_eq!(found, expected);
    let requests = server.requests();
    let paths = requests
        .iter()
        .filter_map(|request| request.split(' ').nth(1));
    let paths: Vec<&str> = paths.collect();
    assert_eq!(
        paths.join(" "),
        "/ /robots.txt /index.xml /sitemap.xml /a.xml /none.xml"
    );
}

#[test]
fn the_links_of_a_published_llms_txt_lead_to_pages_that_may_be_indexed() {
    let server = server(&[
        (
            "/sitemap.xml",
            "<urlset SCHEMA><url><loc>SERVER/</loc></url></urlset>",
        ),
        ("/", "<title>h</title>"),
        (
            "/llms.txt",
            "# Acme\n- [Home](/)\n- [Gone](SERVER/gone)\n- [No](no.html#top)\n- [Text](a.md): for machines\n\
             - [Lost](/b.md)\n- [Elsewhere](https://example.org/gone)\n",
        ),
        (
            "/no.html",
            "<title>n</title><meta name=robots content=noindex>",
        ),
        ("/a.md", "# A"),
    ]);
    let expected = [
        "live-status SERVER/llms.txt:6:10",
        "live-status SERVER/llms.txt:3:10",
        "loc-contradicted SERVER/llms.txt:4:8",
    ];
    assert_eq!(findings(&server, &[&server.url("/")], 1), expected);
    // The site itself, and the page that both files list.
    let requests = server.requests();
    let home = requests
        .iter()
        .filter(|request| request.starts_with("GET / "));
    assert_eq!(home.count(), 2);
    assert_eq!(
        findings(&server, &["--live=0", &server.url("/")], 0),
        [""; 0]
    );
    let outcome = SiteTest::of_pages(&[]).waypost(&["check", &server.url("/")]);
    outcome
        .ended_with(1)
        .says("none of 1 URL would be rejected\n");
}

#[test]
fn a_sitemap_is_checked_by_its_url_with_its_pages() {
    let server = server(&[
        ("/robots.txt", "User-agent: waypost\nDisallow: /secret\n"),
        (
            "/s/a.xml",
            "<urlset SCHEMA>\n<url><loc>SERVER/s/a.html</loc></url>\n\
             <url><loc>SERVER/s/gone.html</loc></url>\n\
             <url><loc>SERVER/secret</loc></url></urlset>",
        ),
        (
            "/s/a.html",
            "<title>a</title><meta name=robots content=noindex>",
        ),
    ]);
    let url = server.url("/s/a.xml");
    let expected = [
        "loc-contradicted SERVER/s/a.xml:2:11",
        "live-status SERVER/s/a.xml:3:11",
        "sitemap-elsewhere SERVER/s/a.xml:4:11",
    ];
    let mut found = findings(&server, &["--live", &url], 1);
    found.sort_by_key(|finding| finding.split_once(' ').map(|(_, place)| place.to_owned()));
    assert_eq!(found, expected);
    let agent = format!("user-agent: waypost/{}", env!("CARGO_PKG_VERSION"));
    for request in server.requests() {
        assert!(!request.starts_with("GET /secret"), "{request}");
        assert!(request.contains(&agent), "{request}");
    }
}

#[test]
fn a_server_without_a_sitemap_or_an_answer_is_reported() {
    let silent = server(&[]);
    let url = silent.url("/");
    let expected = ["sitemap-missing SERVER/:0:0"];
    assert_eq!(findings(&silent, &["--live=0", &url], 1), expected);
    let site = SiteTest::of_pages(&[]);
    site.waypost(&["check", "http://127.0.0.1:1/sitemap.xml"])
        .ended_with(2)
        .says("`http://127.0.0.1:1/sitemap.xml` cannot be fetched");
    site.waypost(&["check", &url, "--base-url", "https://example.com/"])
        .ended_with(2)
        .says("`--base-url` does not apply to");
}

#[test]
fn requests_are_sent_only_to_a_url_on_the_command_line() {
    let server = server(&[("/a.html", "<title>a</title>")]);
    let site = SiteTest::of_pages(&["index.html"]);
    site.waypost(&["--base-url", &server.url("/")]).succeeded();
    for (target, option) in [
        (".", "--live"),
        ("sitemap.xml", "--live"),
        (".", "--timeout=9"),
    ] {
        let outcome = site.waypost(&["check", target, option]).ended_with(2);
        outcome.says("` applies only to a URL");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn nothing_more_is_requested_from_a_server_that_is_too_busy() {
    let server = Server::start_with_url(|url, path| {
        let entry = |number| format!("<url><loc>{url}/{number}</loc></url>");
        let entries: String = (0..9).map(entry).collect();
        match path {
            "/robots.txt" => None,
            "/sitemap.xml" => Some(Reply::ok(format!("<urlset {SCHEMA}>{entries}</urlset>"))),
            _ => Some(Reply::of(429, &["Retry-After: 1"], String::new())),
        }
    });
    let url = server.url("/sitemap.xml");
    assert_eq!(
        findings(&server, &["--live", &url], 2),
        [
            "live-unchecked :0:0",
            "live-unchecked SERVER/sitemap.xml:1:71"
        ]
    );
    assert_eq!(server.requests().len(), 4);
    SiteTest::of_pages(&[])
        .waypost(&["check", "--live", &url])
        .ended_with(2)
        .says("could not check everything: none of 9 URLs would be rejected")
        .says("the server responds with 429: 8 of 9 pages are not requested");
}

#[test]
fn a_sitemap_that_cannot_be_read_completely_is_an_error() {
    let server = Server::start(|path| match path {
        "/robots.txt" => None,
        _ => Some(Reply::of(500, &[], String::new())),
    });
    for path in ["/", "/sitemap.xml"] {
        let outcome = SiteTest::of_pages(&[]).waypost(&["check", &server.url(path)]);
        let sitemap = server.url("/sitemap.xml");
        let expected = format!("could not check: `{sitemap}` responds with 500");
        outcome.ended_with(2).says(&expected);
    }
}

#[test]
fn a_page_that_redirects_to_another_form_of_its_url_is_a_redirect() {
    let server = server(&[
        ("/robots.txt", "Sitemap: SERVER/sitemap.xml\n"),
        (
            "/sitemap.xml",
            "<urlset SCHEMA>\n<url><loc>SERVER/other.html</loc></url>\n\
             <url><loc>SERVER/other/</loc></url></urlset>",
        ),
        (
            "/other.html",
            "<title>Moved</title><meta http-equiv=refresh content='0; url=/other/'>",
        ),
        ("/other/", "<title>Other</title>"),
    ]);
    let arguments = [server.url("/"), "--live".to_owned()];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = findings(&server, &arguments, 1);
    assert_eq!(found, ["loc-contradicted SERVER/sitemap.xml:2:11"]);
}

//! Tests `waypost submit` after the deployment: from a live sitemap or two files, and in parts.

use crate::loopback::{Reply, Server};
use crate::site_test::{Outcome, SiteTest};
use crate::submit::{messages, submit};

const KEY: &str = "a1b2c3d4";

fn urlset(entries: &[(String, &str)]) -> String {
    let entry = |(url, date): &(String, &str)| {
        format!("<url><loc>{url}</loc><lastmod>{date}</lastmod></url>")
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>")
}

/// A directory without a site, with the key in the environment.
fn pipeline() -> SiteTest {
    let mut site = SiteTest::empty();
    site.variable("WAYPOST_SUBMIT_KEY", KEY);
    site
}

/// A live site with two pages, whose endpoint responds with 200.
fn live_site() -> Server {
    Server::start_with_url(move |url, path| match path {
        "/sitemap.xml" => Some(Reply::ok(urlset(&[
            (format!("{url}/"), "2024-01-02"),
            (format!("{url}/a.html"), "2024-01-02"),
        ]))),
        _ if path.starts_with("/indexnow") => Some(Reply::ok("")),
        _ => None,
    })
}

fn run(site: &SiteTest, server: &Server, arguments: &[&str]) -> Outcome {
    let endpoint = server.url("/indexnow");
    submit(site, &[arguments, &["--endpoint", &endpoint]].concat())
}

#[test]
fn a_live_sitemap_is_submitted_without_the_site() {
    let (site, server) = (pipeline(), live_site());
    let live = server.url("/");
    site.write(
        "old.xml",
        urlset(&[
            (server.url("/"), "2024-01-02"),
            (server.url("/gone"), "2024-01-02"),
        ]),
    );
    run(&site, &server, &[&live, "--since", "old.xml"])
        .succeeded()
        .says("1 added, 0 changed, 1 removed");
    assert_eq!(
        messages(&server),
        [[server.url("/a.html"), server.url("/gone")]]
    );
    run(
        &site,
        &server,
        &[&live, "--config", "waypost.toml", "--all"],
    )
    .ended_with(2)
    .says("`--config` does not apply to");
}

#[test]
fn two_files_are_compared_without_the_site() {
    let (site, server) = (pipeline(), live_site());
    let page = |path: &str| format!("https://example.com/{path}");
    site.write(
        "new.xml",
        urlset(&[(page(""), "2024-05-06"), (page("a"), "2024-01-02")]),
    );
    site.write(
        "old.xml",
        urlset(&[(page(""), "2024-01-02"), (page("a"), "2024-01-02")]),
    );
    run(&site, &server, &["new.xml", "--since", "old.xml"])
        .succeeded()
        .says("0 added, 1 changed, 0 removed");
    assert_eq!(messages(&server), [[page("")]]);
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
                 <loc>https://example.com/none.xml</loc></sitemap></sitemapindex>";
    site.write("index.xml", index);
    run(&site, &server, &["index.xml", "--all"])
        .ended_with(2)
        .says("names `https://example.com/none.xml`, which is not in its directory");
}

/// A site with more pages than one message has, and a server that accepts the first `accepted` messages.
fn large_site(accepted: usize) -> (SiteTest, Server) {
    let site = pipeline();
    let entry = |number| (format!("https://example.com/p{number:05}"), "2024-01-02");
    site.write(
        "new.xml",
        urlset(&(0..20_001).map(entry).collect::<Vec<_>>()),
    );
    site.write(
        "old.xml",
        urlset(&[("https://example.com/p00000".to_owned(), "2024-01-01")]),
    );
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |_| {
        let before = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(if before < accepted {
            Reply::ok("")
        } else {
            Reply::of(429, &["Retry-After: 3600"], "")
        })
    });
    (site, server)
}

#[test]
fn the_set_is_recorded_when_every_message_is_accepted() {
    let arguments = ["new.xml", "--since", "old.xml", "--record", "kept"];
    let (site, busy) = large_site(1);
    run(&site, &busy, &arguments).ended_with(2);
    assert_eq!(messages(&busy).len(), 2);
    assert!(!site.root().join("kept").exists());
    let (_, ready) = large_site(9);
    run(&site, &ready, &arguments).succeeded();
    let sent: Vec<usize> = messages(&ready).iter().map(Vec::len).collect();
    assert_eq!(sent, [10_000, 10_000, 1]);
    run(&site, &ready, &["new.xml", "--record", "kept"])
        .succeeded()
        .says("no changes to submit");
}

#[test]
fn the_first_run_with_a_record_records_and_sends_nothing() {
    let (site, server) = (pipeline(), live_site());
    site.write(
        "new.xml",
        urlset(&[("https://example.com/".to_owned(), "2024-01-02")]),
    );
    let record = ["new.xml", "--record", "kept"];
    run(&site, &server, &[&record[..], &["--dry-run"]].concat()).succeeded();
    assert!(!site.root().join("kept").exists());
    run(&site, &server, &record)
        .succeeded()
        .says("1 URL recorded, nothing sent");
    site.write(
        "new.xml",
        urlset(&[("https://example.com/".to_owned(), "2024-05-06")]),
    );
    run(&site, &server, &record).succeeded().says("1 changed");
    assert_eq!(messages(&server), [["https://example.com/"]]);
}

#[test]
fn a_preview_or_a_placeholder_sends_nothing_without_the_site_too() {
    let (mut site, server) = (pipeline(), live_site());
    site.write(
        "new.xml",
        urlset(&[("https://example.com/".to_owned(), "2024-01-02")]),
    );
    site.variable("WAYPOST_LEVELS_BASE_URL_PLACEHOLDER", "deny");
    let live = server.url("/");
    for named in ["new.xml", &live] {
        run(&site, &server, &[named, "--all"])
            .ended_with(1)
            .says("is a placeholder or the URL of a local server");
    }
    let base = ["--base-url", "https://example.com/"];
    site.variable("NETLIFY", "true")
        .variable("CONTEXT", "deploy-preview");
    for named in ["new.xml", &live] {
        run(&site, &server, &[&[named, "--all"], &base[..]].concat())
            .succeeded()
            .says("this is a preview build on Netlify");
    }
    assert!(messages(&server).is_empty());
    site.variable("CONTEXT", "production");
    run(&site, &server, &[&["new.xml", "--all"], &base[..]].concat()).succeeded();
    assert_eq!(messages(&server), [["https://example.com/"]]);
}

#[test]
fn the_key_whose_file_is_published_is_found() {
    let (site, server) = (SiteTest::empty(), live_site());
    site.write(
        "new.xml",
        urlset(&[("https://example.com/".to_owned(), "2024-01-02")]),
    );
    site.write("notes-of-today.txt", "notes\n");
    run(&site, &server, &["new.xml", "--all"])
        .ended_with(2)
        .says("no key is set");
    site.write("b2c3d4e5.txt", "b2c3d4e5\n");
    run(&site, &server, &["new.xml", "--all"]).succeeded();
    let requests = server.requests();
    let last = requests.last().expect("a request");
    assert!(last.contains(r#""key":"b2c3d4e5""#), "{last}");
}

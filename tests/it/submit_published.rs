//! Tests `waypost submit` after the deployment: from a live sitemap or two files, and in parts.

use crate::loopback::{Reply, Server};
use crate::site_test::{Outcome, SiteTest};
use crate::sitemap_xml::dated_urlset;
use crate::submit::{messages, submit};

const KEY: &str = "a1b2c3d4";

/// A directory without a site, with the key in the environment.
fn pipeline() -> SiteTest {
    let mut site = SiteTest::empty();
    site.variable("WAYPOST_SUBMIT_KEY", KEY);
    site
}

/// A set of these URLs, which have the same date.
fn set_of(urls: &[String]) -> String {
    let entries: Vec<_> = urls
        .iter()
        .map(|url| (url.as_str(), "2024-01-02"))
        .collect();
    dated_urlset(&entries)
}

/// A live site with two pages, whose endpoint responds with 200.
fn live_site() -> Server {
    Server::start_with_url(move |url, path| match path {
        "/sitemap.xml" => Some(Reply::ok(set_of(&[
            format!("{url}/"),
            format!("{url}/a.html"),
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
    let [a, gone] = ["/a.html", "/gone"].map(|path| server.url(path));
    site.write("old.xml", set_of(&[server.url("/"), gone.clone()]));
    run(&site, &server, &[&live, "--since", "old.xml"])
        .succeeded()
        .says("1 added, 0 changed, 1 removed");
    assert_eq!(messages(&server), [[a, gone]]);
    let with_config = [&live, "--config", "waypost.toml", "--all"];
    run(&site, &server, &with_config)
        .ended_with(2)
        .says("`--config` does not apply to");
}

/// A live set with more pages than one message has, and an endpoint that accepts the first `accepted`
/// messages.
fn large_set(accepted: usize) -> Server {
    let count = std::sync::atomic::AtomicUsize::new(0);
    Server::start_with_url(move |url, path| {
        if path == "/sitemap.xml" {
            let urls = (0..20_001).map(|number| format!("{url}/p{number:05}"));
            return Some(Reply::ok(set_of(&urls.collect::<Vec<_>>())));
        }
        let before = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(if before < accepted {
            Reply::ok("")
        } else {
            Reply::of(429, &["Retry-After: 3600"], "")
        })
    })
}

#[test]
fn the_set_is_recorded_when_every_message_is_accepted() {
    let site = pipeline();
    let recorded = |server: &Server| {
        let arguments = [&*server.url("/"), "--all", "--record", "kept"];
        run(&site, server, &arguments)
    };
    let busy = large_set(1);
    recorded(&busy).ended_with(2);
    assert_eq!(messages(&busy).len(), 2);
    assert!(!site.root().join("kept").exists());
    let ready = large_set(9);
    recorded(&ready).succeeded();
    let sent: Vec<usize> = messages(&ready).iter().map(Vec::len).collect();
    assert_eq!(sent, [10_000, 10_000, 1]);
    run(&site, &ready, &[&ready.url("/"), "--record", "kept"])
        .succeeded()
        .says("no changes to submit");
}

#[test]
fn the_first_run_with_a_record_records_and_sends_nothing() {
    let (site, server) = (pipeline(), live_site());
    let live = server.url("/");
    let record = [&*live, "--record", "kept"];
    run(&site, &server, &[&record[..], &["--dry-run"]].concat()).succeeded();
    assert!(!site.root().join("kept").exists());
    run(&site, &server, &record)
        .succeeded()
        .says("2 URLs recorded, nothing sent");
    let recorded = site.read("kept/sitemap.xml");
    site.write(
        "kept/sitemap.xml",
        recorded.replace("2024-01-02", "2024-01-01"),
    );
    run(&site, &server, &record).succeeded().says("2 changed");
    assert_eq!(messages(&server), [[live, server.url("/a.html")]]);
}

#[test]
fn a_preview_or_a_placeholder_sends_nothing_without_the_site_too() {
    let (mut site, server) = (pipeline(), live_site());
    let live = server.url("/");
    site.variable("WAYPOST_LEVELS_BASE_URL_PLACEHOLDER", "deny");
    run(&site, &server, &[&live, "--all"])
        .ended_with(1)
        .says("is not the URL of a site");
    site.variable("NETLIFY", "true")
        .variable("CONTEXT", "deploy-preview");
    run(&site, &server, &[&live, "--all"])
        .succeeded()
        .says("this is a preview build on Netlify");
    assert!(messages(&server).is_empty());
}

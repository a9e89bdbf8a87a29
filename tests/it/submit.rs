//! Tests `waypost submit` with a server on the loopback: what is sent, and how responses are
//! handled.

use serde_json::{Value, json};

use crate::loopback::{Reply, Server};
use crate::site_test::{Outcome, SiteTest};

const KEY: &str = "a1b2c3d4";

/// Settings with a key and the same date for all pages.
const SETTINGS: &str =
    "[submit]\nkey = \"a1b2c3d4\"\n[[rule]]\nmatch = \"**\"\nlastmod = \"2024-01-02\"\n";

pub(crate) fn site(pages: &[&str]) -> SiteTest {
    let site = SiteTest::of_pages(pages);
    site.settings(SETTINGS);
    site
}

/// A server with some files, which answers a path that is a status code with that status.
pub(crate) fn server(files: Vec<(&'static str, Vec<u8>)>) -> Server {
    Server::start(move |path| match path.trim_start_matches('/').parse() {
        Ok(status) => Some(Reply::of(
            status,
            &["Retry-After: 120"],
            "{\"message\":\"word for word\"}\nmore",
        )),
        Err(_) => files
            .iter()
            .find(|(name, _)| path == *name)
            .map(|(_, bytes)| Reply::ok(bytes)),
    })
}

/// Runs `waypost submit`.
pub(crate) fn submit(site: &SiteTest, arguments: &[&str]) -> Outcome {
    site.waypost(&[&["submit"], arguments].concat())
}

fn body(request: &str) -> &str {
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    body
}

/// The URLs of each message that a server received.
pub(crate) fn messages(server: &Server) -> Vec<Vec<String>> {
    let posts = server
        .requests()
        .into_iter()
        .filter(|request| request.starts_with("POST "));
    let urls = posts.map(|request| {
        let body: Value = serde_json::from_str(body(&request)).expect("the body is JSON");
        serde_json::from_value(body["urlList"].clone()).expect("an array of URLs")
    });
    urls.collect()
}

#[test]
fn every_status_has_a_meaning_and_an_exit_code() {
    let (site, server) = (site(&["index.html"]), server(Vec::new()));
    let check = |status: u16, code: i32, said: &str| {
        let endpoint = server.url(&format!("/{status}"));
        submit(&site, &["--all", "--endpoint", &endpoint])
            .ended_with(code)
            .says(said);
    };
    check(202, 0, "202, accepted; the key is not verified yet");
    check(403, 1, "403, rejected: the key is not valid");
    check(429, 2, "429, too many requests; try again later");
    check(429, 2, "retry after 120 seconds");
    check(503, 2, "503, server error");
    assert_eq!(messages(&server).len(), 5, "nothing is sent twice");
}

#[test]
fn a_server_that_does_not_respond_is_a_temporary_failure() {
    let server = Server::start(|path| {
        Some(match path {
            "/closes" => Reply::Bytes(Vec::new()),
            _ => Reply::of(307, &["Location: http://localhost:1/a1b2c3d4"], "a1b2c3d4"),
        })
    });
    let site = site(&["index.html"]);
    let run = |path: &str| {
        let endpoint = server.url(path);
        submit(&site, &["--all", "--endpoint", &endpoint])
    };
    run("/closes").ended_with(2).says("failed: ");
    run("/moved")
        .ended_with(1)
        .says("it redirects to `http://localhost:1/a1b2c3d4`");
    assert_eq!(server.requests().len(), 2);
    submit(&site, &["--all", "--endpoint", "http://127.0.0.1:1/"])
        .ended_with(2)
        .says("failed: ");
}

#[test]
fn after_a_failure_nothing_more_is_sent_to_this_engine() {
    let (site, server) = (site(&["index.html"]), server(Vec::new()));
    let [busy, fine] = [server.url("/429"), server.url("/200")];
    let result = submit(
        &site,
        &["--all", "--json", "--endpoint", &busy, "--endpoint", &fine],
    )
    .ended_with(2);
    let result = result.json();
    let of = |number: usize| result["requests"][number]["answer"].clone();
    let text = "{\"message\":\"word for word\"}";
    let expected = [("transient", 429), ("taken", 200)].map(|(outcome, status)| {
        json!({
            "outcome": outcome, "status": status, "retry_after": "120",
            "location": null, "text": text, "error": null,
        })
    });
    assert_eq!([of(0), of(1)], expected);
}

#[test]
fn without_a_key_in_the_settings_or_the_output_nothing_is_sent() {
    let server = server(Vec::new());
    let site = SiteTest::of_pages(&["index.html"]);
    submit(&site, &["--all", "--endpoint", &server.url("/200")])
        .ended_with(2)
        .says("no key is set");
    site.settings("[submit]\nkey = \"a1b2c3d4\"\nkey_location = \"https://example.org/x.txt\"\n");
    submit(&site, &["--all", "--endpoint", &server.url("/200")])
        .ended_with(2)
        .says("is not on the host of");
    assert_eq!(server.requests().len(), 0);
    site.settings("");
    site.write("notes-of-today.txt", "notes\n")
        .write("b2c3d4e5.txt", "b2c3d4e5\n");
    submit(&site, &["--all", "--endpoint", &server.url("/200")]).succeeded();
    assert!(server.requests()[0].contains(r#""key":"b2c3d4e5""#));
}

#[test]
fn a_preview_sends_nothing_even_with_production_urls() {
    let preview = "NETLIFY=true CONTEXT=deploy-preview";
    let branch = "CF_PAGES=1 CF_PAGES_BRANCH=live";
    for (setting, build, production, said) in [
        (
            "preview = \"production-urls\"\n",
            preview,
            "CONTEXT=production",
            "a preview build on Netlify (`CONTEXT` is `deploy-preview`), so nothing is sent",
        ),
        (
            "",
            branch,
            "CF_PAGES_BRANCH=main",
            "of the branch `live`, which may not be production, so nothing is sent",
        ),
    ] {
        let server = server(Vec::new());
        let mut site = site(&["index.html"]);
        site.settings(&format!("{setting}{SETTINGS}"));
        let mut set = |variables: &str| {
            site.variables(variables);
            submit(&site, &["--all", "--endpoint", &server.url("/200")]).succeeded()
        };
        set(build).says(said);
        assert_eq!(server.requests().len(), 0);
        set(production);
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_dry_run_shows_the_requests() {
    let (site, server) = (site(&["index.html"]), server(Vec::new()));
    let request = |url: &str| {
        format!(
            "POST {url}\nContent-Type: application/json; charset=utf-8\n\n\
             {{\"host\":\"example.com\",\"key\":\"a1b2c3d4\",\"urlList\":[\"https://example.com/\"]}}\n\n"
        )
    };
    let outcome = submit(&site, &["--all", "--dry-run"]).succeeded();
    assert_eq!(outcome.stdout, request("https://api.indexnow.org/indexnow"));
    let own = server.url("/200");
    let outcome = submit(&site, &["--all", "--dry-run", "--endpoint", &own]).succeeded();
    assert_eq!(outcome.stdout, request(&own));
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn the_key_file_is_written_and_is_not_a_page() {
    let site = site(&["index.html"]);
    site.settings(&format!("extensions = [\"html\", \"txt\"]\n{SETTINGS}"));
    site.waypost(&[])
        .succeeded()
        .says("a1b2c3d4.txt  IndexNow key, written");
    assert_eq!(site.read("a1b2c3d4.txt"), KEY);
    assert!(!site.read("sitemap.xml").contains(KEY));
    site.waypost(&[])
        .succeeded()
        .says("a1b2c3d4.txt  IndexNow key, unchanged");
}

#[test]
fn the_key_file_does_not_replace_another_file() {
    let check = |key: &str, file: &str, said: &str| {
        let site = SiteTest::of_pages(&["index.html"]);
        site.settings(&format!("[submit]\nkey = \"{key}\"\n"));
        site.write(file, "theirs");
        site.build().says(&format!(
            "the key file for `submit.key` {said}, so it is not written"
        ));
        assert_eq!(site.read(file), "theirs");
        let key = format!("{key}.txt");
        assert!(!site.root().join(&key).is_file() || key == file);
    };
    let taken = "has the name of another file of the site";
    check("security", "security.txt", taken);
    check("a1b2c3d4", "a1b2c3d4.txt/index.html", taken);
    check("sitemap-01", "other", "has the name of a sitemap");
}

#[test]
fn below_the_root_of_a_host_the_key_location_is_sent() {
    let (site, server) = (site(&["index.html"]), server(Vec::new()));
    site.write(
        "old.xml",
        "<urlset><url><loc>https://example.com/docs/</loc><lastmod>2024-01-01</lastmod></url>\
         <url><loc>https://example.com/else.html</loc></url></urlset>",
    );
    let base = ["--base-url", "https://example.com/docs/"];
    let baseline = ["--since", "old.xml", "--endpoint", &server.url("/200")];
    submit(&site, &[base.as_slice(), &baseline].concat())
        .succeeded()
        .says("warning[submit-key-unusable]: `https://example.com/else.html` cannot");
    let expected = r#"{"host":"example.com","key":"a1b2c3d4","keyLocation":"https://example.com/docs/a1b2c3d4.txt","urlList":["https://example.com/docs/"]}"#;
    assert_eq!(body(&server.requests()[0]), expected);
}

#[test]
fn a_ping_names_the_sitemap_and_shows_the_response() {
    let site = SiteTest::of_pages(&["index.html"]);
    let server = Server::start(|path| match path.split('?').next() {
        Some("/ping") => Some(Reply::of(200, &[], "\n \u{1b}[31mThank you\r\nmore")),
        Some("/moved") => Some(Reply::of(301, &["Location: /ping"], "")),
        Some("/busy") => Some(Reply::of(
            503,
            &["Retry-After: Wed, 21 Oct 2026 07:28:00 GMT"],
            "",
        )),
        _ => None,
    });
    let ping = |path: &str| submit(&site, &["--ping", &server.url(path)]);
    let retry = "retry after `Wed, 21 Oct 2026 07:28:00 GMT`";
    for (path, code, said) in [
        (
            "/ping?sitemap={sitemap}",
            0,
            ": 200: \\u{1b}[31mThank you\n",
        ),
        ("/moved?{sitemap}", 1, "it redirects to `/ping`"),
        ("/busy?{sitemap}", 2, retry),
        ("/gone?{sitemap}", 1, "404: not here"),
    ] {
        ping(path).ended_with(code).says(said);
    }
    let first = "GET /ping?sitemap=https%3A%2F%2Fexample.com%2Fsitemap.xml HTTP/1.1\r\n";
    assert!(server.requests()[0].starts_with(first));
    ping("/ping")
        .ended_with(2)
        .says("does not contain the placeholder `{sitemap}`");
    let pattern = "https://engine.example/?s={sitemap}";
    let outcome = submit(&site, &["--dry-run", "--ping", pattern]).succeeded();
    let request = "GET https://engine.example/?s=https%3A%2F%2Fexample.com%2Fsitemap.xml\n\n";
    assert_eq!(outcome.stdout, request);
    assert_eq!(server.requests().len(), 4);
}

//! Cases of messages to search engines: each is sent to a loopback server that records it.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::case::Case;
use super::checks::{Check, need, of, same};
use crate::loopback::{Reply, Server};
use crate::site_test::{Outcome, SiteTest};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    base: String,
    #[serde(default)]
    urls: usize,
    #[serde(default)]
    urls_list: Vec<String>,
    #[serde(default)]
    now: Vec<String>,
    previous: Option<Vec<String>>,
    #[serde(default)]
    changed: Vec<String>,
    #[serde(default)]
    removed: Vec<String>,
    key: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    key_location: Option<String>,
    #[serde(default = "success")]
    answers: Vec<u16>,
    #[serde(default)]
    pings: Vec<String>,
}

/// Runs a case and checks its requests and output.
pub(super) fn hold(case: &Case) -> Check {
    let input: Input = of(&case.input);
    let site = input.site();
    let server = Server::start(|path| {
        let status = path.trim_start_matches('/').parse().ok()?;
        Some(Reply::of(status, &[], ""))
    });
    if !input.pings.is_empty() {
        let run = |pattern: &String| site.waypost(&["submit", "--ping", pattern]).code;
        let is_refused = input.pings.iter().map(run).all(|code| code != 0);
        need(is_refused, "a ping was accepted")?;
        let expected = json!({ "http_requests": 0, "error_or_warning": true });
        return same(&case.expected, &of(&expected));
    }
    let keys: Vec<&String> = input.key.iter().chain(&input.keys).collect();
    let mut outcomes = Vec::new();
    for key in keys {
        for answer in &input.answers {
            outcomes.push(input.send(&site, key, &server.url(&format!("/{answer}"))));
        }
    }
    case.expected.iter().try_for_each(|(name, value)| {
        hold_one(name, value, &outcomes, &server).map_err(|error| format!("{name}: {error}"))
    })
}

fn success() -> Vec<u16> {
    vec![200]
}

impl Input {
    fn site(&self) -> SiteTest {
        let site = SiteTest::empty();
        let counted = (0..self.urls).map(|number| format!("{}p{number}.html", self.base));
        for url in counted.chain(self.urls_list.iter().chain(&self.now).cloned()) {
            let path = url.strip_prefix(self.base.as_str());
            site.page(path.expect("the URL is below the base"), "");
        }
        assert!(self.removed.is_empty(), "removed URLs are not supported");
        let old = self.previous.iter().flatten().map(|url| {
            let year = 2020 - u16::from(self.changed.contains(url));
            format!("<url><loc>{url}</loc><lastmod>{year}-01-01</lastmod></url>")
        });
        let old: String = old.collect();
        site.write("old.xml", format!("<urlset>{old}</urlset>"));
        let location = self.key_location.as_ref();
        let location = location.map(|url| format!("[submit]\nkey_location = \"{url}\"\n"));
        let dates = "[[rule]]\nmatch = \"**\"\nlastmod = \"2020-01-01\"\n";
        let location = location.unwrap_or_default();
        site.settings(&format!("output_dir = \".\"\n{location}{dates}"));
        site
    }

    fn send(&self, site: &SiteTest, key: &str, endpoint: &str) -> Outcome {
        let since = if self.previous.is_some() {
            &["--since", "old.xml"][..]
        } else {
            &["--all"]
        };
        let mut waypost = site.waypost_command(&["submit", "--endpoint", endpoint]);
        let run = waypost.args(since).env("WAYPOST_SUBMIT_KEY", key);
        let outcome = Outcome::of(run.output().expect("waypost can be run"));
        let printed = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(!printed.contains(key), "the output contains the key");
        outcome
    }
}

fn hold_one(name: &str, value: &Value, outcomes: &[Outcome], server: &Server) -> Check {
    let requests = server.requests();
    let bodies: Vec<Value> = requests.iter().map(|request| body(request)).collect();
    let first = requests.first().map(String::as_str).unwrap_or_default();
    let lists = bodies
        .iter()
        .map(|body| of::<Vec<String>>(&body["urlList"]));
    let succeeded: Vec<bool> = outcomes.iter().map(|outcome| outcome.code == 0).collect();
    let is_done = !succeeded.contains(&false);
    let text = || of::<String>(value);
    match name {
        "posts" => same(&requests.len(), &of(value)),
        "max_urls_per_post" => {
            let longest = lists.map(|list| list.len()).max();
            same(&longest, &Some(of(value)))
        }
        "error" => need(!is_done && requests.is_empty(), "the request was accepted"),
        "ok" => {
            let is_sent = requests.len() == outcomes.len();
            need(is_done && is_sent, "the request was not accepted")
        }
        "method" => need(first.starts_with(&format!("{} /", text())), first),
        "content_type" => {
            let line = format!("\r\ncontent-type: {}\r\n", text());
            need(first.contains(&line), first)
        }
        "json_keys" => {
            let keys = bodies[0].as_object().expect("an object").keys().cloned();
            same(&keys.collect(), &of::<BTreeSet<String>>(value))
        }
        "host" => same(&bodies[0]["host"], value),
        "success" => same(&succeeded, &of(value)),
        "sent" => same(&lists.flatten().collect::<Vec<_>>(), &of(value)),
        "warning" => {
            let warns = |outcome: &Outcome| outcome.stderr.contains("warning");
            need(outcomes.iter().all(warns), "no warning in stderr")
        }
        _ => Err("unknown key".to_owned()),
    }
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("the body is JSON")
}

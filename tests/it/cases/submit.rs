//! Cases of messages to search engines: each is sent to a loopback server that records it.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::{Map, Value, json};

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
    #[serde(default)]
    answers: Vec<u16>,
    #[serde(default)]
    pings: Vec<String>,
}

/// Runs a case and checks its requests and output.
pub(super) fn hold(case: &Case) -> Check {
    let input =
        Input::deserialize(&case.input).unwrap_or_else(|error| panic!("{}: {error}", case.id));
    let site = input.site();
    let server = Server::start(|path| {
        Some(Reply::of(
            path.trim_start_matches('/').parse().ok()?,
            &[],
            "",
        ))
    });
    if !input.pings.is_empty() {
        let run = |pattern: &String| site.waypost(&["submit", "--ping", pattern]);
        let outcomes: Vec<Outcome> = input.pings.iter().map(run).collect();
        need(outcomes.iter().all(|outcome| outcome.code != 0), || {
            "a ping was accepted".to_owned()
        })?;
        return same(
            &case.expected,
            &object(&json!({ "http_requests": 0, "error_or_warning": true })),
        );
    }
    let keys: Vec<&String> = input.key.iter().chain(&input.keys).collect();
    let answers = if input.answers.is_empty() {
        &[200][..]
    } else {
        &input.answers
    };
    let mut outcomes = Vec::new();
    for key in keys {
        for answer in answers {
            outcomes.push(input.send(&site, key, &server.url(&format!("/{answer}"))));
        }
    }
    case.expected.iter().try_for_each(|(name, value)| {
        hold_one(name, value, &outcomes, &server).map_err(|error| format!("{name}: {error}"))
    })
}

impl Input {
    fn site(&self) -> SiteTest {
        let site = SiteTest::empty();
        let counted = (0..self.urls).map(|number| format!("{}p{number}.html", self.base));
        for url in counted.chain(self.urls_list.iter().chain(&self.now).cloned()) {
            site.page(
                url.strip_prefix(self.base.as_str())
                    .expect("the URL is below the base"),
                "",
            );
        }
        assert!(self.removed.is_empty(), "removed URLs are not supported");
        let mut old = String::new();
        for url in self.previous.iter().flatten() {
            let year = if self.changed.contains(url) {
                2019
            } else {
                2020
            };
            write!(
                old,
                "<url><loc>{url}</loc><lastmod>{year}-01-01</lastmod></url>"
            )
            .expect("writing to a string cannot fail");
        }
        site.write("old.xml", format!("<urlset>{old}</urlset>"));
        let location = self
            .key_location
            .iter()
            .map(|url| format!("[submit]\nkey_location = \"{url}\"\n"));
        let dates = "[[rule]]\nmatch = \"**\"\nlastmod = \"2020-01-01\"\n";
        site.settings(&format!("{}{dates}", location.collect::<String>()));
        site
    }

    fn send(&self, site: &SiteTest, key: &str, endpoint: &str) -> Outcome {
        let since = if self.previous.is_some() {
            &["--since", "old.xml"][..]
        } else {
            &["--all"]
        };
        let mut waypost = site.waypost_command(&["submit", "--endpoint", endpoint]);
        let done = waypost
            .args(since)
            .env("WAYPOST_SUBMIT_KEY", key)
            .output()
            .expect("waypost can be run");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("waypost prints UTF-8");
        let outcome = Outcome {
            code: done.status.code().unwrap_or(-1),
            stdout: text(done.stdout),
            stderr: text(done.stderr),
        };
        assert!(
            !outcome.stderr.contains(key) && !outcome.stdout.contains(key),
            "the output contains the key"
        );
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
    let is_done = outcomes.iter().all(|outcome| outcome.code == 0);
    match name {
        "posts" => same(&requests.len(), &of(value)),
        "max_urls_per_post" => same(
            &lists.map(|list| list.len()).max().unwrap_or_default(),
            &of(value),
        ),
        "error" => need(!is_done && requests.is_empty(), || {
            "the request was accepted".to_owned()
        }),
        "ok" => need(is_done && requests.len() == outcomes.len(), || {
            "the request was not accepted".to_owned()
        }),
        "method" => need(
            first.starts_with(&format!("{} /", of::<String>(value))),
            || first.to_owned(),
        ),
        "content_type" => need(
            first.contains(&format!("\r\ncontent-type: {}\r\n", of::<String>(value))),
            || first.to_owned(),
        ),
        "json_keys" => {
            let keys: BTreeSet<String> = bodies[0]
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect();
            same(&keys, &of(value))
        }
        "host" => same(&bodies[0]["host"], value),
        "success" => same(
            &outcomes
                .iter()
                .map(|outcome| outcome.code == 0)
                .collect::<Vec<_>>(),
            &of(value),
        ),
        "sent" => same(&lists.flatten().collect::<Vec<_>>(), &of(value)),
        "warning" => need(
            outcomes.iter().all(|it| it.stderr.contains("warning")),
            || "no warning in stderr".to_owned(),
        ),
        _ => Err("unknown key".to_owned()),
    }
}

fn body(request: &str) -> Value {
    let (_, body) = request
        .split_once("\r\n\r\n")
        .expect("the request has a body");
    serde_json::from_str(body).expect("the body is JSON")
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

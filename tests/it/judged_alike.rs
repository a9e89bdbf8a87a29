//! Tests that each answer of `tests/cases/judged.txt` has one verdict: in a build, in `check` of the directory
//! and in `check` of the URL. What the verdicts are was written from the standards before the first run.

use std::fmt::Write as _;
use std::thread;

use serde_json::Value;

use crate::loopback::{Reply, Server};
use crate::site_test::{SiteTest, page, text_at};

/// How many sites the cases are divided among: each waits most of its time between two requests.
const SITES: usize = 8;

/// A line of the table.
#[derive(Clone)]
struct Answer {
    verdict: &'static str,
    /// A header, or the status and target of a redirect.
    header: &'static str,
    markup: &'static str,
    path: String,
}

impl Answer {
    fn all() -> Vec<Self> {
        let text = include_str!("../cases/judged.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let answers = lines.enumerate().map(|(number, line)| {
            let mut parts = line.splitn(3, " |").map(str::trim);
            let mut part = || parts.next().expect("three parts");
            Self {
                verdict: part(),
                header: part(),
                markup: part(),
                path: format!("/p{number}/"),
            }
        });
        answers.collect()
    }

    fn text(&self, text: &str, host: &str) -> String {
        let name = self.path.trim_matches('/');
        text.replace("HOST", host).replace("PAGE", name)
    }

    fn page(&self, host: &str) -> String {
        let markup = self.text(self.markup, host);
        if markup.contains("<head>") || markup.contains("<body>") {
            return format!("<!DOCTYPE html><title>P</title>{markup}");
        }
        page(&markup)
    }

    /// The status and target of a redirect of the host.
    fn redirect(&self) -> Option<(u16, &'static str)> {
        let (status, target) = self.header.split_once(' ')?;
        Some((status.parse().ok()?, target))
    }

    fn reply(&self, host: &str) -> Reply {
        let header = self.text(self.header, host);
        let kind = "Content-Type: text/html";
        match self.redirect() {
            Some((status, to)) => Reply::of(status, &[&format!("Location: {to}")], ""),
            None if header.is_empty() => Reply::of(200, &[kind], self.page(host)),
            None => Reply::of(200, &[kind, &header], self.page(host)),
        }
    }
}

const OTHERS: [&str; 2] = ["/", "/other/"];

/// A sitemap that lists all of them.
fn sitemap(answers: &[Answer], host: &str) -> String {
    let paths = answers.iter().map(|answer| answer.path.as_str());
    let mut text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    for path in paths.chain(OTHERS) {
        write!(text, "\n<url><loc>{host}{path}</loc></url>").expect("a string");
    }
    text + "</urlset>"
}

fn site_of(answers: &[Answer], host: &str) -> SiteTest {
    let site = SiteTest::empty();
    let settings = "host = \"netlify\"\n[levels]\nbase-url-placeholder = \"allow\"\n";
    site.write(
        "waypost.toml",
        format!("base_url = \"{host}/\"\n{settings}"),
    )
    .page("public/index.html", "")
    .page("public/other/index.html", "")
    .write("public/sitemap.xml", sitemap(answers, host));
    let (mut headers, mut redirects) = (String::new(), String::new());
    for answer in answers {
        let path = &answer.path;
        site.write(format!("public{path}index.html"), answer.page(host));
        if let Some((status, to)) = answer.redirect() {
            writeln!(redirects, "{path} {to} {status}!").expect("a string");
        } else if !answer.header.is_empty() {
            let header = answer.text(answer.header, host);
            writeln!(headers, "{path}\n  {header}").expect("a string");
        }
    }
    site.write("public/_headers", headers);
    site.write("public/_redirects", redirects);
    site
}

/// The verdict of a check on an entry: `listed`, `form` or `rejected`.
fn checked(site: &SiteTest, target: &str, answer: &Answer, findings: &Value) -> &'static str {
    let findings = findings["findings"].as_array().expect("an array").iter();
    let url = format!("{}`", answer.path);
    let about = findings.filter(|finding| {
        let message = text_at(finding, "message").unwrap_or_default();
        message.contains(&url)
    });
    let codes: Vec<String> = about
        .filter_map(|finding| text_at(finding, "code"))
        .collect();
    let has = |code: &str| codes.iter().any(|found| found == code);
    if has("loc-contradicted") || has("loc-excluded") {
        "rejected"
    } else if has("loc-spelling") {
        "form"
    } else {
        assert!(
            !has("live-unchecked"),
            "{target} {codes:?} {}",
            site.root().display()
        );
        "listed"
    }
}

/// Judges these answers in three ways, and returns those that are judged otherwise.
fn faults(answers: &[Answer]) -> Vec<String> {
    let listed = answers.to_vec();
    let server = Server::start_with_url(move |host, path| match path {
        "/robots.txt" => Some(Reply::ok(format!("Sitemap: {host}/sitemap.xml\n"))),
        "/sitemap.xml" => Some(Reply::ok(sitemap(&listed, host))),
        _ if OTHERS.contains(&path) => Some(Reply::of(200, &["Content-Type: text/html"], page(""))),
        _ => Some(
            listed
                .iter()
                .find(|answer| answer.path == path)?
                .reply(host),
        ),
    });
    let host = server.url("");
    let site = site_of(answers, &host);
    let json = |arguments: &[&str]| site.waypost(arguments).json();
    let of_dir = json(&["check", "--json", "-v"]);
    let of_url = json(&["check", "--json", "-v", "--live=all", &host]);
    let built = site.explained("reason");
    let mut faults = Vec::new();
    for answer in answers {
        let file = format!("{}index.html", answer.path.trim_start_matches('/'));
        let reason = built.iter().find(|(name, _)| *name == file);
        let reason = reason.and_then(|(_, reason)| reason.as_deref());
        let wanted = match answer.verdict {
            "listed" | "form" => [("listed", answer.verdict); 2],
            verdict => [(verdict, "rejected"); 2],
        };
        let found = [("check DIR", &of_dir), ("check URL", &of_url)].map(|(name, findings)| {
            let checked = checked(&site, name, answer, findings);
            (reason.unwrap_or("listed"), checked)
        });
        if found != wanted {
            let (header, markup) = (answer.header, answer.markup);
            faults.push(format!("{} {header} {markup}: {found:?}", answer.verdict));
        }
    }
    faults
}

#[test]
fn an_answer_has_one_verdict_in_a_build_a_directory_and_at_a_url() {
    let answers = Answer::all();
    assert!(answers.len() >= 60, "{} cases", answers.len());
    let chunks = answers.chunks(answers.len().div_ceil(SITES));
    let running: Vec<_> = chunks
        .map(|some| {
            let some = some.to_vec();
            thread::spawn(move || faults(&some))
        })
        .collect();
    let faults = running
        .into_iter()
        .flat_map(|site| site.join().expect("a result"));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

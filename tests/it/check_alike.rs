//! Tests that `waypost check` judges the sitemaps of `tests/cases/check.txt` right, and alike as a file, as
//! a URL and in a site, which only adds what it alone knows: files, canonical links, history, robots.txt.

use std::collections::BTreeSet;
use std::thread;

use crate::loopback::{Reply, Server};
use crate::site_test::{Outcome, SiteTest};

const NAMESPACES: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                          xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
                          xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
                          xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
                          xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"";

/// The codes that only the check of a site can give, or that of a URL: whether a sitemap is there.
const ADDED: &[&str] = &[
    "base-url-placeholder",
    "entries-lost",
    "loc-contradicted",
    "loc-excluded",
    "loc-without-file",
    "robots-txt-no-sitemap",
    "sitemap-lacks-pages",
    "sitemap-missing",
    "sitemap-stale",
];

/// How many cases run at once: each waits most of its time between two requests.
const THREADS: usize = 8;

/// A line of the table.
#[derive(Clone)]
struct SitemapCase {
    verdict: &'static str,
    kind: &'static str,
    content: &'static str,
}

impl SitemapCase {
    fn parse(line: &'static str) -> Self {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        Self {
            verdict: word(),
            kind: word(),
            content: word(),
        }
    }

    fn file_name(&self) -> &'static str {
        if self.kind == "text" {
            "sitemap.txt"
        } else {
            "sitemap.xml"
        }
    }

    /// The file, on a host.
    fn text(&self, host: &str) -> String {
        let image = "<image:image><image:loc>HOST/i.png</image:loc></image:image>";
        let content = repeated(self.content, "IMAGES ", image);
        let content = unescaped(&repeated(&content, "x*", "x").replace("HOST", host));
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        match self.kind {
            "entry" => format!("{head}<urlset {NAMESPACES}>{content}</urlset>"),
            "index" => format!("{head}<sitemapindex {NAMESPACES}>{content}</sitemapindex>"),
            _ => content,
        }
    }

    /// Checks the file wherever it is; returns what is wrong.
    fn run(&self) -> Option<String> {
        let name = self.file_name();
        let case = self.clone();
        let server = Server::start_with_url(move |url, path| {
            (path == format!("/{name}")).then(|| Reply::ok(case.text(url)))
        });
        let (host, url) = (server.url(""), server.url(&format!("/{name}")));
        let (text, alone) = (self.text(&host), format!("alone/{name}"));
        let site = SiteTest::of_pages(&["index.html", "a.html", "b.html"]);
        site.write("i.png", "");
        site.write(name, &text).write(&alone, &text);
        site.write("robots.txt", format!("Sitemap: {host}/{name}\n"));
        let mut found = [
            vec!["check", &alone],
            vec!["check", &url, "--live=0"],
            vec!["check", ".", "-o", ".", "--base-url", &host],
        ]
        .map(|arguments| codes(&site.waypost(&[&arguments[..], &["--json"]].concat())));
        let is_right = match self.verdict {
            "valid" => found[0].is_empty(),
            "invalid" => !found[0].is_empty(),
            verdict => verdict == "either",
        };
        // Only the site knows which form the URL of a page has, and which images the build wrote.
        for code in ["loc-spelling", "image-omitted"] {
            if !found[0].contains(code) {
                found[2].remove(code);
            }
        }
        let is_alike = found.iter().all(|codes| *codes == found[0]);
        let Self {
            verdict,
            kind,
            content,
        } = self;
        (!is_right || !is_alike).then(|| format!("{found:?}: {verdict} {kind} {content}"))
    }
}

/// A text in which `sign` and a number mean that number of copies of `copied`.
fn repeated(text: &str, sign: &str, copied: &str) -> String {
    let Some((before, after)) = text.split_once(sign) else {
        return text.to_owned();
    };
    let end = after.find(|letter: char| !letter.is_ascii_digit());
    let (number, rest) = after.split_at(end.unwrap_or(after.len()));
    let count = number.parse().expect("a number");
    [before, &copied.repeat(count), rest].concat()
}

/// A text with the escapes of JSON, in which quotes have none.
fn unescaped(text: &str) -> String {
    let json = format!("\"{}\"", text.replace('"', "\\\""));
    serde_json::from_str(&json).expect("a text with escapes")
}

/// The codes of the findings about a sitemap.
fn codes(outcome: &Outcome) -> BTreeSet<String> {
    let codes = outcome.codes().into_iter();
    codes
        .filter(|code| !ADDED.contains(&code.as_str()))
        .collect()
}

#[test]
fn sitemaps_are_judged_by_the_documents_and_alike_wherever_they_are() {
    let table = include_str!("../cases/check.txt");
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let cases: Vec<_> = table
        .lines()
        .filter(is_case)
        .map(SitemapCase::parse)
        .collect();
    assert!(cases.len() >= 300);
    let shares = cases.chunks(cases.len().div_ceil(THREADS));
    let run = |share: &[SitemapCase]| share.iter().filter_map(SitemapCase::run).collect();
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = shares
            .map(|share| scope.spawn(move || -> Vec<String> { run(share) }))
            .collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended.flat_map(|wrong| wrong.expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

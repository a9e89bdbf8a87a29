//! Tests that `waypost check` judges the sitemaps of `tests/cases/check.txt` right, and alike as a file, as
//! a URL and in a site, which only adds what it alone knows: files, canonical links, history, robots.txt.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use crate::loopback::{Reply, Server};
use crate::site_test::SiteTest;

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
struct SitemapCase<'t> {
    verdict: &'t str,
    kind: &'t str,
    content: &'t str,
}

impl<'t> SitemapCase<'t> {
    fn parse(line: &'t str) -> Self {
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
        let (kind, content) = (self.kind.to_owned(), self.content.to_owned());
        let server = Server::start_with_url(move |url, path| {
            let case = SitemapCase {
                verdict: "",
                kind: &kind,
                content: &content,
            };
            (path == format!("/{}", case.file_name())).then(|| Reply::ok(case.text(url)))
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
        .map(|arguments| codes(&site.waypost(&[&arguments[..], &["--json"]].concat()).stdout));
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
        (!is_right || !is_alike).then(|| {
            let (verdict, kind, content) = (self.verdict, self.kind, self.content);
            format!("{found:?}: {verdict} {kind} {content}")
        })
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

/// A text with the escapes of Rust.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let (letter, rest) = match part.chars().next() {
            None => ('\\', parts.next().unwrap_or_default()),
            Some('n') => ('\n', &part[1..]),
            Some('r') => ('\r', &part[1..]),
            Some('t') => ('\t', &part[1..]),
            Some('x') => (' ', part.strip_prefix("x20").expect("a blank")),
            Some(_) => {
                let (code, rest) = part[2..].split_once('}').expect("a code point");
                let code = u32::from_str_radix(code, 16).expect("a code point");
                (char::from_u32(code).expect("a letter"), rest)
            }
        };
        out.push(letter);
        out.push_str(rest);
    }
    out
}

/// The codes of the findings about a sitemap.
fn codes(json: &str) -> BTreeSet<String> {
    let result: Value = serde_json::from_str(json).expect("stdout is JSON");
    let findings = result["findings"].as_array().expect("an array").iter();
    let mut codes: BTreeSet<String> = findings
        .map(|finding| finding["code"].as_str().expect("a code").to_owned())
        .collect();
    codes.retain(|code| !ADDED.contains(&code.as_str()));
    codes
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
    let next = AtomicUsize::new(0);
    let run = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(case.run());
        }
        wrong
    };
    let wrong = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run)).collect();
        let wrong = threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"));
        wrong.collect::<Vec<String>>()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

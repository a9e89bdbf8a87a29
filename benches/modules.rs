//! Benchmarks of single modules, in memory: reading a page, matching rules, robots.txt, writing a
//! sitemap.
//!
//! `cargo bench --bench modules` prints, for each operation, the nanoseconds per page or entry of the
//! fastest round, because other load on the machine only adds time. `benches/side_by_side.py`
//! measures whole runs against other tools.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use page_signals::{PageReader, ReadOptions};
use sitemaps::robots_txt::{RobotsTxt, add_sitemaps};
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{
    DateFormat, EntryLinks, GzipMode, LanguageLink, LanguageLinks, LastMod, LinkNames, Newest, Now,
    Plan, SitemapEntry, SitemapSettings,
};
use waypost::internals::{GlobPattern, Rule, RuleSet, SurroundingFiles, publish};

/// How long to repeat each operation.
const MIN_DURATION: Duration = Duration::from_millis(400);
/// Pages per round; few, so that a round is seldom interrupted on a busy machine.
const PAGES_PER_ROUND: usize = 1_000;
/// Reads of one page per round.
const READS_PER_ROUND: usize = 100;

fn main() {
    println!("{:46} {:>10}", "fastest round, in nanoseconds", "per item");
    read_pages();
    match_rules();
    match_robots_txt();
    write_sitemaps();
}

/// Measures `work`, which does the same operation `count` times.
fn measure(name: &str, count: usize, mut work: impl FnMut()) {
    let mut fastest = Duration::MAX;
    let begin = Instant::now();
    while begin.elapsed() < MIN_DURATION {
        let start = Instant::now();
        work();
        fastest = fastest.min(start.elapsed());
    }
    println!(
        "{name:46} {:10.0}",
        fastest.as_secs_f64() * 1e9 / f64::from(u32::try_from(count).expect("the count is small"))
    );
}

fn read_pages() {
    let reader = PageReader::new(ReadOptions::default());
    for (shape, page) in pages() {
        let name = format!("read {shape}, {} bytes", page.len());
        measure(&name, READS_PER_ROUND, || {
            (0..READS_PER_ROUND).for_each(|_| drop(black_box(reader.facts_of(page.as_bytes()))));
        });
    }
}

/// Example pages in the shapes that generators write.
fn pages() -> [(&'static str, String); 4] {
    let text = "<p>A paragraph with <em>marks</em> and <a href=\"/about/\">links</a>.</p>\n";
    let chapters = (0..200)
        .map(|n| format!("<li><a href=\"page-{n}.html\"><strong>{n}.</strong> Chapter</a></li>\n"))
        .collect::<Vec<_>>()
        .concat();
    let properties = (0..12)
        .map(|n| format!("<meta property=\"og:{n}\" content=\"A value of some length\">\n"))
        .collect::<Vec<_>>()
        .concat();
    let canonical = "<link rel=\"canonical\" href=\"https://example.com/a/\">";
    [
        (
            "a blog page",
            format!(
                "<!DOCTYPE html><html lang=\"en\"><head>\n<meta charset=\"utf-8\"><title>A</title>\n\
                 {properties}{canonical}\n\
                 <link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/a/\">\n\
                 </head><body>\n{}",
                text.repeat(80)
            ),
        ),
        (
            "a book page",
            format!(
                "<!DOCTYPE HTML><html><head>\n<meta charset=\"UTF-8\"><title>A</title></head>\
                 <body>\n<ol>{chapters}</ol>{}",
                text.repeat(80)
            ),
        ),
        (
            "a minified page",
            format!(
                "<!doctype html><html lang=en><meta charset=utf-8><title>A</title>\
                 <link rel=canonical href=https://example.com/a/><body>{}",
                text.trim_end().repeat(80)
            ),
        ),
        (
            "a large page",
            format!(
                "<!DOCTYPE html><html><head><title>A</title>{canonical}</head><body>{}",
                text.repeat(14_000)
            ),
        ),
    ]
}

fn match_rules() {
    let files: Vec<_> = (0..PAGES_PER_ROUND)
        .map(|n| format!("section-{:03}/page-{n}/index.html", n % 400))
        .collect();
    let files: Vec<_> = files
        .into_iter()
        .map(|file| SitePath::new(file.into_bytes()))
        .collect();
    for count in [1, 20, 200] {
        let rules: Vec<_> = (0..count)
            .map(|n| rule(&format!("section-{n:03}/**/page-*{}*/", n % 10)))
            .collect();
        let set = RuleSet::new(&rules);
        measure(
            &format!("match a path, rules: {count}"),
            PAGES_PER_ROUND,
            || {
                for file in &files {
                    black_box(
                        set.evaluate(file, file.index_of().expect("the files are index pages")),
                    );
                }
            },
        );
    }
}

fn rule(pattern: &str) -> Rule {
    Rule {
        patterns: vec![GlobPattern::new(pattern).expect("the glob is valid")],
        exclude: Some(true),
        ..Rule::default()
    }
}

fn match_robots_txt() {
    let lines = (0..200)
        .map(|n| format!("Disallow: /section-{n:03}/*/draft\n"))
        .collect::<Vec<_>>()
        .concat();
    let text = format!("User-agent: *\n{lines}");
    let urls: Vec<_> = (0..PAGES_PER_ROUND)
        .map(|n| base_url().path_url(format!("section-{:03}/page-{n}/", n % 400).as_bytes()))
        .collect();
    measure("parse a line of robots.txt", 201, || {
        drop(black_box(RobotsTxt::parse(text.as_bytes())));
    });
    let robots_txt = RobotsTxt::parse(text.as_bytes());
    let rules = robots_txt.rules_for("*");
    measure(
        "match a page against 200 robots.txt rules",
        PAGES_PER_ROUND,
        || {
            for url in &urls {
                black_box(rules.disallowing(url));
            }
        },
    );
    let sitemap = [base_url().path_url(b"sitemap.xml")];
    measure("add a line to a robots.txt of 201 lines", 1, || {
        drop(black_box(add_sitemaps(
            Some(text.as_bytes()),
            &sitemap,
            &[],
        )));
    });
}

fn write_sitemaps() {
    for (alternates, what) in [(0, "without alternates"), (5, "with 5 alternates")] {
        let entries = entries(alternates);
        let lay_out = |gzip| {
            let settings = SitemapSettings {
                gzip,
                ..SitemapSettings::default()
            };
            Plan::lay_out(
                entries.clone(),
                &Newest::default(),
                &settings,
                DateFormat::Datetime,
                &base_url(),
            )
        };
        measure(&format!("lay out an entry {what}"), PAGES_PER_ROUND, || {
            drop(black_box(lay_out(GzipMode::Off)));
        });
        let plan = lay_out(GzipMode::Off);
        measure(&format!("render an entry {what}"), PAGES_PER_ROUND, || {
            plan.files()
                .iter()
                .for_each(|file| drop(black_box(plan.render(file))));
        });
        for (gzip, how) in [
            (GzipMode::Off, "write"),
            (GzipMode::Only, "compress and write"),
        ] {
            let plan = lay_out(gzip);
            measure(&format!("{how} an entry {what}"), PAGES_PER_ROUND, || {
                write_plan(&plan);
            });
        }
    }
}

/// Writes a plan into a new directory.
fn write_plan(plan: &Plan) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modules");
    std::fs::remove_dir_all(&dir).ok(); // does not exist in the first round
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let surroundings = SurroundingFiles {
        robots_txt: None,
        key: None,
        memory: None,
    };
    publish(plan, &dir, surroundings).expect("the target directory is writable");
}

fn base_url() -> BaseUrl {
    BaseUrl::parse("https://example.com/").expect("the base URL is valid")
}

/// Entries with the same number of language versions each.
fn entries(alternates: usize) -> Vec<SitemapEntry> {
    let url = |number: usize, dir: &str| {
        base_url().path_url(format!("{dir}section-{:03}/page-{number}/", number % 400).as_bytes())
    };
    let codes = ["de", "fr", "es", "it", "nl"];
    let mut names = LinkNames::default();
    let links: Vec<Box<[LanguageLink]>> = (0..PAGES_PER_ROUND)
        .map(|number| {
            let codes = codes.iter().take(alternates);
            codes
                .map(|code| names.link(code, url(number, &format!("{code}/"))))
                .collect()
        })
        .collect();
    let names = Arc::new(names);
    let entry = |(number, links): (usize, Box<[LanguageLink]>)| SitemapEntry {
        loc: url(number, ""),
        lastmod: LastMod::at(1_700_000_000, 60, Now(2_000_000_000)).ok(),
        by_rule: Arc::default(),
        links: EntryLinks {
            alternates: LanguageLinks::new(links, Arc::clone(&names)),
            ..EntryLinks::default()
        }
        .shared(),
    };
    links.into_iter().enumerate().map(entry).collect()
}

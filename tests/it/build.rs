//! `waypost build`: the files that it writes, and its output.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::site_test::SiteTest;

const NOINDEX: &str = "<meta name=robots content=noindex>";

/// Two listed pages and one excluded page, committed on three days.
pub(crate) fn small_site() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T08:00:00+01:00");
    site.page("blog/a.html", "")
        .commit("2024-02-02T09:00:00-05:00");
    site.page("thanks.html", NOINDEX)
        .commit("2024-03-03T10:00:00Z");
    site
}

#[test]
fn robots_txt_and_the_sitemaps_are_not_pages_whatever_extensions_pages_have() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings(
        "extensions = [\"html\", \"txt\", \"xml\"]\n\
         [sitemap]\nformats = [\"xml\", \"txt\"]\nmax_urls = 2\n",
    );
    site.write("notes.txt", "x")
        .write("a/robots.txt", "x")
        .write("a/sitemap.xml", "x")
        .write("robots.txt", "");
    for _ in 0..2 {
        site.build();
        let expected = ["", "a/robots.txt", "a/sitemap.xml", "notes.txt"]
            .map(|path| format!("https://example.com/{path}"));
        let mut urls = site.urls();
        urls.sort();
        assert_eq!(urls, expected);
    }
}

#[test]
fn the_first_run_writes_one_plain_sitemap_and_names_it_in_robots_txt() {
    let site = small_site();
    let before = site.files();
    site.build();
    assert_eq!(
        site.read("sitemap.xml"),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- waypost: sitemap.xml -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2024-01-01T08:00:00+01:00</lastmod></url>
<url><loc>https://example.com/blog/a.html</loc><lastmod>2024-02-02T09:00:00-05:00</lastmod></url>
</urlset>
"#
    );
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
    let mut expected = [
        before,
        vec!["robots.txt".to_owned(), "sitemap.xml".to_owned()],
    ]
    .concat();
    expected.sort();
    assert_eq!(site.files(), expected);
}

#[test]
fn a_dry_run_writes_nothing_and_reports_what_it_would_write() {
    let site = small_site();
    let before = site.files();
    let outcome = site.waypost(&["--dry-run"]).succeeded();
    outcome
        .says("would write  sitemap.xml")
        .says("2 entries")
        .says("2 of 3 listed")
        .says("1 noindex");
    assert_eq!(site.files(), before);
}

#[test]
fn the_json_object_has_the_documented_keys() {
    let site = small_site();
    site.settings("[[rule]]\nmatch = \"news/**\"\npriority = 0.5\n");
    let mut result = site.build_json();
    let finding = result["findings"][0].take();
    let file_size = |file: &str| site.bytes(file).len();
    assert_eq!(
        result,
        json!({
            "version": 1,
            "generator": null,
            "base_url": "https://example.com/",
            "output_dir": ".",
            "preview": null,
            "refused": false,
            "pages": { "found": 3, "listed": 2, "excluded": { "noindex": 1 } },
            "dates": { "git": 2 },
            "files": [
                { "path": "sitemap.xml", "urls": 2, "bytes": file_size("sitemap.xml"), "changed": true },
                { "path": "robots.txt", "urls": 0, "bytes": file_size("robots.txt"), "changed": true },
            ],
            "removed": [],
            "changes": {
                "added": 2, "removed": 0, "redated": 0, "undated": 0, "newly_dated": 0,
                "language_links": { "before": 0, "now": 0, "lost": 0 },
                "images": { "before": 0, "now": 0, "lost": 0 },
                "since": null, "urls": null,
            },
            "findings": [null],
        })
    );
    let keys: Vec<&String> = finding.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        ["code", "level", "message", "hint", "file", "line", "column"]
    );
    assert_eq!(
        (&finding["code"], &finding["level"]),
        (&json!("setting-unused"), &json!("warn"))
    );
    assert_eq!(
        (&finding["file"], &finding["line"], &finding["column"]),
        (&json!("waypost.toml"), &json!(3), &json!(9))
    );
}

#[test]
fn every_page_found_is_listed_or_excluded_for_one_reason() {
    let site = small_site();
    site.page("404.html", "")
        .page("old.html", "<meta http-equiv=refresh content='0;url=/'>")
        .write("empty.html", "");
    site.page(
        "elsewhere.html",
        "<link rel=canonical href=https://example.net/x>",
    );
    let pages = &site.build_json()["pages"];
    let excluded = pages["excluded"]
        .as_object()
        .expect("an object")
        .values()
        .filter_map(Value::as_u64)
        .sum::<u64>();
    assert_eq!(
        pages["found"].as_u64(),
        pages["listed"].as_u64().map(|listed| listed + excluded)
    );
    assert_eq!(pages["found"], json!(site.explain().len()));
    assert_eq!(pages["listed"], json!(site.urls().len()));
}

#[test]
fn a_time_zone_a_locale_and_the_order_of_a_directory_change_no_byte() {
    let run = |zone: &str, locale: &str, order: &mut dyn Iterator<Item = usize>| {
        let mut site = SiteTest::of_pages(&[]);
        site.settings("[sitemap]\nmax_urls = 20\nformats = [\"xml\", \"txt\"]\n");
        for number in order {
            let path = format!("{}/I{number}\u{131}.html", number % 7);
            let date = "<meta property=article:modified_time content=2024-01-01T00:30:00>";
            site.page(path, ["", NOINDEX, date][number % 3]);
        }
        site.commit("2024-06-30T23:30:00-09:30");
        site.variable("TZ", zone);
        site.variable("LC_ALL", locale);
        let said = site.waypost(&["--verbose"]).succeeded();
        let explained = site.waypost(&["explain", "--json"]).succeeded();
        let sitemaps = site
            .files()
            .into_iter()
            .filter(|file| file.starts_with("sitemap"));
        let written: Vec<_> = sitemaps.map(|file| (site.bytes(&file), file)).collect();
        let summary = said.stderr.clone();
        let without_hashes = site.git(&["rev-parse", "HEAD"]);
        let explained = explained.stdout.replace(without_hashes.trim(), "");
        (summary, explained, written)
    };
    let expected = run("UTC", "C", &mut (0..100));
    assert!(run("Pacific/Kiritimati", "tr_TR.UTF-8", &mut (0..100)) == expected);
    assert!(run("America/St_Johns", "de_DE.UTF-8", &mut (0..100).rev()) == expected);
}

#[test]
fn one_thread_and_eight_write_and_print_the_same_bytes() {
    let site = SiteTest::of_pages(&[]);
    for number in 0..200 {
        site.page(
            format!("{}/p{number}.html", number % 7),
            ["", NOINDEX, "<link rel=canonical href=//x>"][number % 3],
        );
    }
    site.commit("2024-01-01T00:00:00Z");
    site.settings("[sitemap]\nmax_urls = 20\ngzip = \"also\"\n");
    let run = |threads: &str| {
        let said = site
            .waypost(&["--json", "--verbose", "--threads", threads])
            .succeeded();
        let sitemaps = site
            .files()
            .into_iter()
            .filter(|file| file.starts_with("sitemap"));
        let written: Vec<_> = sitemaps
            .map(|file| {
                (
                    site.bytes(&file),
                    fs::remove_file(site.root().join(file)).is_ok(),
                )
            })
            .collect();
        fs::remove_file(site.root().join("robots.txt")).expect("it was written");
        (said.stdout, said.stderr, written)
    };
    assert!(run("1") == run("8"));
}

#[test]
fn stdout_contains_only_data() {
    let site = small_site();
    site.settings("[[rule]]\nmatch = \"news/**\"\npriority = 0.5\n");
    assert_eq!(
        site.waypost(&[])
            .succeeded()
            .says("warning[setting-unused]")
            .stdout,
        ""
    );
    let json = site
        .waypost(&["--json"])
        .succeeded()
        .says("warning[setting-unused]")
        .stdout;
    serde_json::from_str::<Value>(&json).expect("one JSON object");
    let quiet = site.waypost(&["--quiet"]).succeeded();
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn color_is_printed_only_if_it_is_wanted() {
    let mut site = small_site();
    let escapes = |text: &str| text.contains('\u{1b}');
    assert!(!escapes(&site.waypost(&[]).stderr));
    site.variable("CLICOLOR_FORCE", "1");
    assert!(!escapes(&site.waypost(&[]).stderr), "NO_COLOR wins");
    site.variable("NO_COLOR", "");
    assert!(escapes(&site.waypost(&[]).stderr));
}

#[test]
fn a_reader_that_stops_early_is_not_an_error() {
    let site = SiteTest::of_pages(&[]);
    for number in 0..2_000 {
        site.page(format!("p{number:04}.html"), "");
    }
    let mut explain = site.waypost_command(&["explain", "--json"]);
    let mut running = explain
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("waypost runs");
    let mut first = String::new();
    BufReader::new(running.stdout.take().expect("it is piped"))
        .read_line(&mut first)
        .expect("a line comes");
    assert!(
        first.starts_with(r#"{"version":1,"file":"p0000.html""#),
        "{first}"
    );
    let mut said = String::new();
    running
        .stderr
        .take()
        .expect("it is piped")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(
        (running.wait().expect("it ends").code(), said.as_str()),
        (Some(0), "")
    );
}

#[test]
fn a_group_becomes_a_separate_child_sitemap() {
    let site = SiteTest::of_pages(&["index.html", "about.html", "blog/a.html", "blog/b.html"]);
    site.settings("[[rule]]\nmatch = \"blog/**\"\ngroup = \"blog\"\n")
        .build();
    let sitemaps: Vec<String> = site
        .files()
        .into_iter()
        .filter(|file| file.starts_with("sitemap"))
        .collect();
    assert_eq!(
        sitemaps,
        ["sitemap-blog.xml", "sitemap-pages.xml", "sitemap.xml"]
    );
    let of = |file: &str| {
        site.entries_of(file)
            .into_iter()
            .map(|entry| entry.loc)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("sitemap-blog.xml"),
        [
            "https://example.com/blog/a.html",
            "https://example.com/blog/b.html"
        ]
    );
    assert_eq!(
        of("sitemap-pages.xml"),
        ["https://example.com/", "https://example.com/about.html"]
    );
    assert_eq!(site.urls().len(), 4);
    assert_eq!(site.explain()["blog/a.html"]["sitemap"], "sitemap-blog.xml");
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
}

#[test]
fn the_index_has_the_newest_date_of_each_child() {
    let site = SiteTest::of_pages(&["blog/a.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.page("blog/b.html", "").commit("2024-05-05T00:00:00Z");
    site.page("index.html", "").commit("2024-03-03T00:00:00Z");
    site.settings("[[rule]]\nmatch = \"blog/**\"\ngroup = \"blog\"\n")
        .build();
    assert_eq!(
        site.read("sitemap.xml").lines().skip(3).collect::<Vec<_>>(),
        [
            "<sitemap><loc>https://example.com/sitemap-blog.xml</loc>\
             <lastmod>2024-05-05T00:00:00Z</lastmod></sitemap>",
            "<sitemap><loc>https://example.com/sitemap-pages.xml</loc>\
             <lastmod>2024-03-03T00:00:00Z</lastmod></sitemap>",
            "</sitemapindex>",
        ]
    );
}

#[test]
fn a_text_sitemap_has_one_url_per_line() {
    let site = SiteTest::of_pages(&["a&b.html", "with space/ü.html"]);
    site.settings("[sitemap]\nformats = [\"xml\", \"txt\"]\n")
        .build();
    assert_eq!(
        site.read("sitemap.txt"),
        "https://example.com/a&b.html\nhttps://example.com/with%20space/%C3%BC.html\n"
    );
}

#[test]
fn a_compressed_sitemap_has_the_same_text_and_no_time() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[sitemap]\ngzip = \"also\"\n").build();
    let packed = site.bytes("sitemap.xml.gz");
    assert_eq!(packed[4..8], [0; 4], "the time in the gzip header");
    let mut unpacked = String::new();
    GzDecoder::new(packed.as_slice())
        .read_to_string(&mut unpacked)
        .expect("the stream is complete");
    assert_eq!(unpacked, site.read("sitemap.xml"));
    site.settings("[sitemap]\ngzip = \"only\"\n").build();
    assert!(!site.root().join("sitemap.xml").exists());
    assert_eq!(site.bytes("sitemap.xml.gz"), packed);
}

#[test]
fn a_site_below_the_root_of_its_host_has_no_robots_txt() {
    let site = SiteTest::empty();
    site.page("index.html", "")
        .write("waypost.toml", "base_url = \"https://example.com/docs\"\n");
    let elsewhere = "robots.txt   not read here, but at https://example.com/robots.txt";
    site.build().says(elsewhere);
    site.build().says_nothing_of(elsewhere);
    assert_eq!(site.urls(), ["https://example.com/docs/"]);
    assert!(!site.root().join("robots.txt").exists());
}

#[test]
fn the_level_of_a_finding_decides_the_exit_code() {
    let site = small_site();
    let rule = "[[rule]]\nmatch = \"news/**\"\npriority = 0.5\n";
    let check = |level: &str, arguments: &[&str], code: i32, said: &str| {
        site.settings(&format!("levels.setting-unused = \"{level}\"\n{rule}"));
        let outcome = site.waypost(arguments).ended_with(code);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
        assert!(
            !said.is_empty() || !outcome.stderr.contains("setting-unused"),
            "{}",
            outcome.stderr
        );
        assert_eq!(site.urls().len(), 2, "the sitemap is still written");
    };
    check("warn", &[], 0, "warning[setting-unused]");
    check("warn", &["--strict"], 1, "warning[setting-unused]");
    check("deny", &[], 1, "error[setting-unused]");
    check("allow", &["--strict"], 0, "");
}

#[test]
fn findings_that_fail_a_run_are_printed_even_with_quiet() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[[rule]]\nmatch = \"nothing\"\n").build();
    for command in ["build", "check"] {
        let failed = site
            .waypost(&[command, "-q", "--strict"])
            .ended_with(1)
            .says("warning[setting-unused]");
        assert!(!failed.stderr.contains("pages  "), "{}", failed.stderr);
        let quiet = site.waypost(&[command, "-q"]).succeeded();
        assert_eq!(quiet.stderr, "", "{command}");
    }
}

#[test]
fn if_every_page_is_excluded_nothing_is_written_and_a_finding_reports_it() {
    let site = SiteTest::of_pages(&[]);
    site.page("a.html", NOINDEX)
        .write("sitemap.xml", "as it was");
    site.waypost(&[])
        .ended_with(1)
        .says("error[nothing-listed]")
        .says("1 noindex");
    assert_eq!(site.read("sitemap.xml"), "as it was");
    assert!(!site.root().join("robots.txt").exists());
}

#[test]
fn the_sitemap_may_have_another_name() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[sitemap]\nfile = \"map.xml\"\n").build();
    assert_eq!(
        site.files(),
        ["index.html", "map.xml", "robots.txt", "waypost.toml"]
    );
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/map.xml\n"
    );
}

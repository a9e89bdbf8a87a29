//! `waypost build`: the files that it writes, and its output.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::expected::unstyled;
use crate::site_test::{Outcome, SiteTest};

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

/// The sitemaps at the top of the site.
pub(crate) fn sitemaps(site: &SiteTest) -> Vec<String> {
    let files = site.files().into_iter();
    files.filter(|file| file.starts_with("sitemap")).collect()
}

#[test]
fn robots_txt_and_the_sitemaps_are_not_pages_whatever_extensions_pages_have() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings(
        "extensions = [\"html\", \"txt\", \"xml\"]\n\
         [sitemap]\nformats = [\"xml\", \"txt\"]\nmax_urls = 2\n",
    );
    for file in ["notes.txt", "a/robots.txt", "a/sitemap.xml", "robots.txt"] {
        site.write(file, "x");
    }
    for _ in 0..2 {
        site.build();
        let expected = ["", "a/robots.txt", "a/sitemap.xml", "notes.txt"];
        let expected = expected.map(|path| format!("https://example.com/{path}"));
        assert_eq!(site.urls(), expected);
    }
}

#[test]
fn the_first_run_writes_one_plain_sitemap_and_names_it_in_robots_txt() {
    let site = small_site();
    let mut expected = site.files();
    site.build();
    assert_eq!(
        unstyled(&site.read("sitemap.xml")),
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
    expected.extend(["robots.txt", "sitemap.xml"].map(str::to_owned));
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
fn a_time_zone_a_locale_the_order_of_a_directory_and_threads_change_no_byte() {
    let run = |zone: &str, locale: &str, threads: &str, order: &mut dyn Iterator<Item = usize>| {
        let mut site = SiteTest::of_pages(&[]);
        site.settings("output_dir = \".\"\n[sitemap]\nmax_urls = 20\nformats = [\"xml\", \"txt\"]\ngzip = \"also\"\n");
        for number in order {
            let path = format!("{}/I{number}\u{131}.html", number % 7);
            let date = "<meta property=article:modified_time content=2024-01-01T00:30:00>";
            let elsewhere = "<link rel=canonical href=//x>";
            site.page(path, ["", NOINDEX, date, elsewhere][number % 4]);
        }
        site.commit("2024-06-30T23:30:00-09:30");
        site.variable("TZ", zone).variable("LC_ALL", locale);
        let built = ["--json", "--verbose", "--threads", threads];
        let built = site.waypost(&built).succeeded();
        let explained = site.waypost(&["explain", "--json"]).succeeded().stdout;
        let explained = explained.replace(&site.git(&["rev-parse", "HEAD"]), "");
        let written = sitemaps(&site).into_iter();
        let written: Vec<_> = written.map(|file| (site.bytes(&file), file)).collect();
        (built.stdout, built.stderr, explained, written)
    };
    let expected = run("UTC", "C", "1", &mut (0..200));
    assert!(run("Pacific/Kiritimati", "tr_TR.UTF-8", "8", &mut (0..200)) == expected);
    assert!(run("America/St_Johns", "de_DE.UTF-8", "2", &mut (0..200).rev()) == expected);
}

#[test]
fn a_reader_that_stops_early_is_not_an_error() {
    let site = SiteTest::of_pages(&[]);
    for number in 0..2_000 {
        site.page(format!("p{number:04}.html"), "");
    }
    let mut explain = site.waypost_command(&["explain", "--json"]);
    explain.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = explain.spawn().expect("waypost runs");
    let mut first = String::new();
    let stdout = running.stdout.take().expect("it is piped");
    let read = BufReader::new(stdout).read_line(&mut first);
    assert!(read.is_ok() && first.contains("p0000.html"), "{first}");
    let ended = Outcome::of(running.wait_with_output().expect("it ends"));
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
}

#[test]
fn a_group_becomes_a_separate_child_sitemap_with_its_newest_date() {
    let site = SiteTest::of_pages(&["blog/a.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.page("blog/b.html", "").commit("2024-05-05T00:00:00Z");
    site.page("index.html", "").commit("2024-03-03T00:00:00Z");
    site.settings("[[rule]]\nmatch = \"blog/**\"\ngroup = \"blog\"\n")
        .build();
    let of_blog = site.entries_of("sitemap-blog.xml").into_iter();
    assert_eq!(
        of_blog.map(|entry| entry.loc).collect::<Vec<_>>(),
        ["a", "b"].map(|page| format!("https://example.com/blog/{page}.html"))
    );
    assert_eq!(site.urls().len(), 3);
    assert_eq!(site.explain()["blog/a.html"]["sitemap"], "sitemap-blog.xml");
    assert_eq!(
        site.read("sitemap.xml").lines().skip(4).collect::<Vec<_>>(),
        [
            "<sitemap><loc>https://example.com/sitemap-blog.xml</loc>\
             <lastmod>2024-05-05T00:00:00Z</lastmod></sitemap>",
            "<sitemap><loc>https://example.com/sitemap-pages.xml</loc>\
             <lastmod>2024-03-03T00:00:00Z</lastmod></sitemap>",
            "</sitemapindex>",
        ]
    );
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/sitemap.xml\n"
    );
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
fn the_level_of_a_finding_decides_the_exit_code_and_stdout_has_only_data() {
    let site = small_site();
    let rule = "[[rule]]\nmatch = \"news/**\"\npriority = 0.5\n";
    let check = |level: &str, arguments: &[&str], code: i32, said: &str| {
        site.settings(&format!("levels.setting-unused = \"{level}\"\n{rule}"));
        let outcome = site.waypost(arguments).ended_with(code);
        let expected = usize::from(!said.is_empty());
        let found = outcome.stderr.matches("[setting-unused]").count();
        assert_eq!((found, outcome.stdout.as_str()), (expected, ""));
        outcome.says(said);
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
        site.waypost(&[command, "-q", "--strict"])
            .ended_with(1)
            .says("warning[setting-unused]")
            .says_nothing_of("pages  ");
        let quiet = site.waypost(&[command, "-q"]).succeeded();
        assert_eq!((quiet.stdout, quiet.stderr), Default::default());
    }
}

#[test]
fn a_sitemap_with_a_stylesheet_is_as_valid_as_one_without() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("sitemap.stylesheet = true\n")
        .page("a.html", "<base>")
        .build();
    let written = site.read("sitemap.xml");
    let sheet = written.lines().nth(2).expect("three lines");
    assert!(sheet.starts_with("<?xml-stylesheet type=\"text/css\""));
    assert_eq!(site.urls().len(), 2);
    site.waypost(&["check", "--strict"]).succeeded();
    let result = site.build_json();
    assert_eq!(result["files"][0]["bytes"], written.len());
    assert_eq!(result["files"][0]["changed"], false);
}

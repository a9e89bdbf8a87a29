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

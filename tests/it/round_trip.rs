//! What one command writes, the others accept: `build` then `check` finds nothing wrong with the
//! sitemaps, and a second `build` changes no byte.
//!
//! `ROUND_TRIPS` is the number of random sites, `ROUND_TRIP_SEED` the number of the first.

use std::env;

use serde_json::Value;

use crate::random_numbers::RandomNumbers;
use crate::site_test::SiteTest;

/// Prefixes of findings about the sitemaps themselves and how they are found.
const ABOUT_SITEMAPS: [&str; 4] = ["sitemap-", "loc-", "robots-txt-", "feed-"];

/// Builds a site, builds it again, and checks it.
#[track_caller]
fn round_trip(site: &SiteTest, what: &str) {
    let build = || site.waypost(&["build", "--quiet"]).ended_with(0);
    build();
    let state = || -> Vec<(String, Vec<u8>)> {
        let files = site.files().into_iter();
        files
            .map(|file| (file.clone(), site.bytes(&file)))
            .collect()
    };
    let before = state();
    build();
    assert_eq!(state(), before, "a second build changes nothing: {what}");
    let checked = site.waypost(&["check", "--json"]).ended_with(0);
    let result: Value = serde_json::from_str(&checked.stdout).expect("stdout is JSON");
    let findings = result["findings"].as_array().expect("a list of findings");
    let is_about_sitemaps = |finding: &&Value| {
        let code = finding["code"].as_str().expect("each finding has a code");
        // One file is another program's.
        code != "sitemap-stale" && ABOUT_SITEMAPS.iter().any(|prefix| code.starts_with(prefix))
    };
    let wrong: Vec<&Value> = findings.iter().filter(is_about_sitemaps).collect();
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
}

fn site_of(pages: usize, settings: &str, robots: Option<&str>) -> SiteTest {
    let site = SiteTest::empty();
    for number in 0..pages {
        site.page(
            format!("public/d{}/p{number}.html", number % 3),
            "<title>t</title>",
        );
    }
    site.write(
        "waypost.toml",
        format!("output_dir = \"public\"\n{settings}"),
    );
    if let Some(text) = robots {
        site.write("public/robots.txt", text);
    }
    site.commit("2024-01-02T03:04:05Z");
    site
}

#[test]
fn a_check_accepts_compressed_feeds() {
    let settings = "base_url = \"https://example.com/\"\n\
                    [sitemap]\ngzip = \"only\"\nformats = [\"xml\", \"rss\"]\n";
    round_trip(&site_of(5, settings, None), "compressed feeds");
}

#[test]
fn a_check_below_a_path_finds_text_sitemaps() {
    let settings = "base_url = \"https://example.com/base/\"\n\
                    [sitemap]\nformats = [\"txt\"]\nmax_urls = 2\n";
    round_trip(&site_of(5, settings, None), "text sitemaps");
}

#[test]
fn a_line_for_the_sitemap_of_another_site_of_the_host_stays() {
    let robots = "User-agent: *\nSitemap: https://example.com/sitemap.xml\n";
    let settings = "base_url = \"https://example.com/base/\"\n";
    let site = site_of(2, settings, Some(robots));
    site.build();
    site.build();
    let expected = format!("{robots}Sitemap: https://example.com/base/sitemap.xml\n");
    assert_eq!(site.read("public/robots.txt"), expected);
}

#[test]
fn a_check_finds_text_sitemaps_that_no_robots_txt_names() {
    let settings = "base_url = \"https://example.com/\"\n[robots_txt]\nupdate = false\n\
                    [sitemap]\nformats = [\"txt\"]\nmax_urls = 2\n";
    let site = site_of(5, settings, None);
    site.build();
    let outcome = site.waypost(&["check"]).ended_with(0);
    assert!(!outcome.stderr.contains("sitemap-missing"));
    outcome.says("robots-txt-no-sitemap");
}

/// Checks that a second build reports no change of the set.
#[track_caller]
fn has_no_change(site: &SiteTest, command: &str) {
    let outcome = site.waypost(&[command, "--json"]).ended_with(0);
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
    let changes = &result["changes"];
    let counts = ["added", "removed", "redated"].map(|kind| changes[kind].as_u64());
    assert_eq!(counts, [Some(0); 3], "{command}");
    assert_eq!(changes["since"], "waypost", "{command}");
}

#[test]
fn a_text_sitemap_has_no_dates_that_could_change() {
    let settings = "base_url = \"https://example.com/\"\n[sitemap]\nformats = [\"txt\"]\n";
    for parts in ["", "max_urls = 2\n"] {
        let site = site_of(5, &format!("{settings}{parts}"), None);
        site.build();
        has_no_change(&site, "build");
        has_no_change(&site, "check");
        let summary = site.waypost(&["build"]).ended_with(0).stderr;
        assert!(!summary.contains("another program"), "{summary}");
    }
}

#[test]
fn a_text_sitemap_is_compared_with_itself_and_not_with_that_of_another_program() {
    let settings = "base_url = \"https://example.com/\"\n[sitemap]\nformats = [\"txt\"]\n";
    let site = site_of(5, settings, None);
    let foreign = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/d0/p0.html</loc></url></urlset>";
    site.write("public/sitemap.xml", foreign);
    site.build();
    has_no_change(&site, "build");
}

#[test]
fn a_build_reports_a_text_sitemap_that_stays_as_a_check_does() {
    let settings = "base_url = \"https://example.com/\"\n[robots_txt]\nupdate = false\n";
    let site = site_of(2, settings, None);
    site.write(
        "public/sitemap.txt",
        "https://example.com/d0/p0.html\nhttps://example.com/d1/p1.html\n",
    );
    for command in ["build", "build", "check"] {
        let outcome = site.waypost(&[command]).ended_with(0);
        outcome.says("`sitemap.txt` also lists pages of this site");
    }
}

#[test]
fn random_sites_make_round_trips() {
    let number = |name: &str, default: u64| {
        env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (rounds, first) = (number("ROUND_TRIPS", 10), number("ROUND_TRIP_SEED", 1));
    for seed in first..first + rounds {
        let random = &mut RandomNumbers(seed);
        let settings = random_settings(random);
        let robots = [
            "",
            "User-agent: *\nDisallow: /private/\n",
            "Sitemap: https://example.com/news.xml",
        ];
        let robots = random.one_of(&robots);
        let pages = usize::try_from(1 + random.below(12)).expect("a small number");
        let site = site_of(
            pages,
            &settings,
            Some(robots).filter(|text| !text.is_empty()),
        );
        if robots.contains("news.xml") {
            let news = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/d0/p0.html</loc></url></urlset>";
            site.write("public/news.xml", news);
        }
        round_trip(&site, &format!("seed {seed}: {settings}"));
    }
}

fn random_settings(random: &mut RandomNumbers) -> String {
    let base = random.one_of(&["https://example.com/", "https://example.com/base/"]);
    let formats = random.one_of(&[
        "\"xml\"",
        "\"xml\", \"txt\"",
        "\"xml\", \"rss\"",
        "\"xml\", \"atom\", \"txt\"",
        "\"txt\"",
    ]);
    let gzip = random.one_of(&["off", "also", "only"]);
    let max_urls = 1 + random.below(6);
    let group = random.one_of(&["", "[[rule]]\nmatch = \"d1/**\"\ngroup = \"a\"\n"]);
    format!(
        "base_url = \"{base}\"\n[sitemap]\nformats = [{formats}]\ngzip = \"{gzip}\"\n\
         max_urls = {max_urls}\n{group}"
    )
}

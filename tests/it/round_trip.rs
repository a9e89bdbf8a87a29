//! What one command writes, the others accept: `build` then `check` finds nothing wrong with the
//! sitemaps, and a second `build` changes no byte.
//!
//! `tests/slow/random_sites.py` does the same with random sites.

use crate::site_test::SiteTest;

/// Builds a site, builds it again, and checks it.
#[track_caller]
fn round_trip(site: &SiteTest) {
    let state = || -> Vec<(String, Vec<u8>)> {
        site.waypost(&["build", "--quiet"]).succeeded();
        let files = site.files().into_iter();
        files
            .map(|file| (file.clone(), site.bytes(&file)))
            .collect()
    };
    assert_eq!(state(), state(), "a second build changes nothing");
    let codes = site.waypost(&["check", "--json"]).succeeded().codes();
    let prefixes = ["sitemap-", "loc-", "robots-txt-", "feed-"];
    let is_about_sitemaps = |code: &&String| prefixes.iter().any(|prefix| code.starts_with(prefix));
    assert_eq!(codes.iter().find(is_about_sitemaps), None);
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
    round_trip(&site_of(5, settings, None));
}

#[test]
fn a_check_below_a_path_finds_text_sitemaps() {
    let settings = "base_url = \"https://example.com/base/\"\n\
                    [sitemap]\nformats = [\"txt\"]\nmax_urls = 2\n";
    round_trip(&site_of(5, settings, None));
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
    let result = site.waypost(&[command, "--json"]).succeeded().json();
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

//! Sets that lost most of their pages, entries or dates: nothing is written.

use std::fs;

use crate::site_test::SiteTest;

/// A site whose sitemap lists this many pages.
fn listed_site(count: usize) -> SiteTest {
    let site = SiteTest::of_pages(&["index.html"]);
    for number in 1..count {
        site.page(format!("p{number}.html"), "");
    }
    site.commit("2024-05-05T00:00:00Z");
    site.build();
    site
}

#[test]
fn a_set_that_lost_most_of_its_pages_is_refused() {
    for (count, removed, arguments, code) in [
        (30, 16, &[][..], 1),
        (30, 16, &["--accept", "set-shrunk"], 0),
        (30, 15, &[], 0),
        (12, 10, &[], 0),
    ] {
        let site = listed_site(count);
        let before = site.read("sitemap.xml");
        for number in 1..=removed {
            let page = site.root().join(format!("p{number}.html"));
            std::fs::remove_file(page).expect("the page exists");
        }
        let outcome = site.waypost(arguments).ended_with(code);
        let said = outcome.stderr.contains("error[set-shrunk]");
        let is_kept = site.read("sitemap.xml") == before;
        assert_eq!((said, is_kept), (code == 1, code == 1));
    }
}

#[test]
fn a_set_of_another_tool_that_would_lose_most_entries_is_refused() {
    let noindex = "<meta name=robots content=noindex>";
    for (entries, pages, head, is_refused) in [
        (11, 0, "", true),
        (10, 0, "", true),
        (2, 0, "", false),
        (11, 11, noindex, false),
        (40, 20, "", false),
        (41, 20, "", true),
    ] {
        let site = SiteTest::of_pages(&["index.html"]);
        for number in 0..pages {
            site.page(format!("{number}.html"), head);
        }
        let urls = (0..entries)
            .map(|number| format!("<url><loc>https://example.com/{number}.html</loc></url>"));
        let urls: String = urls.collect();
        let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let text = format!("<urlset xmlns=\"{namespace}\">{urls}</urlset>");
        site.write("sitemap.xml", &text);
        site.waypost(&[]).ended_with(i32::from(is_refused));
        assert_eq!(site.read("sitemap.xml") == text, is_refused);
        if is_refused {
            site.waypost(&["check"]).says("error[set-shrunk]");
            site.waypost(&["--accept", "set-shrunk"]).succeeded();
        }
    }
}

#[test]
fn a_set_that_lost_most_of_its_dates_is_refused() {
    let site = listed_site(30);
    let before = site.read("sitemap.xml");
    std::fs::remove_dir_all(site.root().join(".git")).expect("the repository exists");
    site.waypost(&[]).ended_with(1).says("error[dates-lost]");
    assert_eq!(site.read("sitemap.xml"), before);
    site.waypost(&["--accept", "dates-lost"]).succeeded();
    // Dates that the user disables are lost on purpose.
    let site = listed_site(30);
    site.settings("[lastmod]\nfrom = []\n").build();
}

#[test]
fn every_command_shows_the_refusal_first() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("exclude = [\"nothing/**\"]\n");
    for number in 0..5 {
        let link = format!("<link rel=canonical href=https://staging.example.com/p{number}/>");
        site.page(format!("p{number}/index.html"), &link);
    }
    for (command, code) in [("build", 1), ("check", 1), ("explain", 0)] {
        let printed = site.waypost(&[command]).ended_with(code).stderr;
        let is_first = printed.starts_with("error[base-url-contradicted]");
        assert!(is_first, "{command}: {printed}");
    }
    let report = site.waypost(&["report"]).succeeded().stdout;
    assert!(report.contains("base-url-contradicted"));
    assert!(!site.root().join("sitemap.xml").exists());
}

#[test]
fn a_small_set_of_which_no_url_is_left_is_refused_unless_its_pages_moved_as_a_whole() {
    let check = |before: &str, after: &[(&str, &str)], base: &str, is_refused: bool| {
        let site = SiteTest::empty();
        site.index_pages("public", before);
        site.waypost(&["-o", "public", "--base-url", "https://example.com/"])
            .succeeded();
        let written = site.read("public/sitemap.xml");
        fs::remove_dir_all(site.root().join("public")).expect("it can be removed");
        for (file, head) in after {
            site.page(format!("public/{file}"), head);
        }
        site.write("public/sitemap.xml", &written);
        let outcome = site.waypost(&["-o", "public", "--base-url", base]);
        assert_eq!(
            outcome.stderr.contains("error[set-shrunk]"),
            is_refused,
            "{after:?}"
        );
    };
    let here = "https://example.com/";
    let others = [("x/index.html", ""), ("y/index.html", "")];
    check("a/ b/ c/", &others, here, true);
    check("a/ b/", &others, here, false);
    let moved = [("a/index.html", ""), ("b/index.html", "")];
    check("a/ b/ c/", &moved, "https://example.org/", false);
    let home = (
        "index.html",
        "<meta http-equiv=refresh content='0; url=/en/'>",
    );
    check(
        "/ a/ b/",
        &[home, ("en/index.html", ""), ("en/x/index.html", "")],
        here,
        false,
    );
}

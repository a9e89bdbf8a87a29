//! Tests how `waypost check` compares dates: as instants, whichever tool wrote them.

use crate::check::codes;
use crate::site_test::SiteTest;

const PAGES: [&str; 6] = [
    "a.html",
    "b.html",
    "c.html",
    "d.html",
    "e.html",
    "index.html",
];

/// A site whose pages changed in one commit of this date.
fn changed_together(date: &str) -> SiteTest {
    let site = SiteTest::of_pages(&PAGES);
    site.commit(date);
    site
}

/// Writes a sitemap of the first pages with these dates; an empty one is omitted.
fn list(site: &SiteTest, dates: &[&str]) {
    let entry = |(page, date): (&&str, &&str)| {
        let path = page.trim_end_matches("index.html");
        let lastmod = format!("<lastmod>{date}</lastmod>").replace("<lastmod></lastmod>", "");
        format!("<url><loc>https://example.com/{path}</loc>{lastmod}</url>\n")
    };
    let entries: String = PAGES.iter().zip(dates).map(entry).collect();
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let text = format!("<urlset xmlns=\"{namespace}\">\n{entries}</urlset>\n");
    site.write("sitemap.xml", text)
        .write("robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
}

/// The codes of the check of a sitemap of the first pages with these dates.
fn found(site: &SiteTest, dates: &[&str]) -> Vec<String> {
    list(site, dates);
    let codes = codes(site).into_iter();
    codes.filter(|code| code != "sitemap-lacks-pages").collect()
}

#[test]
fn another_spelling_of_the_date_of_a_commit_is_true() {
    let evening = "2020-05-06T23:30:00-05:00";
    for (commit, listed, is_true) in [
        ("2020-05-06T00:00:00Z", "2020-05-06T00:00:00+00:00", true),
        ("2020-05-06T00:00:00Z", "2020-05-05", true),
        ("2020-05-06T00:00:00Z", "2020-05-04", false),
        ("2020-05-06T00:00:00Z", "2020-05-05T00:00:00Z", false),
        (evening, "2020-05-06", true),
        (evening, "2020-05-07", true),
        (evening, "2020-05-07T04:30:00Z", true),
        (evening, "2020-05-07T04:30:00.000Z", true),
        (evening, "2020-05-08", true),
        (evening, "2020-05-09", false),
        (evening, "2020-05-06T23:30:01-05:00", false),
    ] {
        let codes = found(&changed_together(commit), &[listed; 6]);
        assert_eq!(
            codes.is_empty(),
            is_true,
            "{listed} for {commit}: {codes:?}"
        );
        assert!(is_true || codes == ["lastmod-untrue"], "{codes:?}");
    }
}

#[test]
fn a_day_of_front_matter_is_true_at_any_time_of_that_day() {
    let site = SiteTest::hugo("");
    site.write("content/a.md", "---\ndate: 2020-01-01\n---\nA\n")
        .page("public/a/index.html", "")
        .build();
    let written = site.read("public/sitemap.xml");
    for (listed, is_true) in [
        ("2020-01-01T00:00:00+00:00", true),
        ("2020-01-01T09:00:00+09:00", true),
        ("2020-01-03T00:00:00+00:00", false),
    ] {
        site.write("public/sitemap.xml", written.replace("2020-01-01", listed));
        let codes = codes(&site);
        assert_eq!(codes.is_empty(), is_true, "{listed}: {codes:?}");
    }
}

#[test]
fn an_unknown_date_is_not_false() {
    let without_history = SiteTest::of_pages(&PAGES);
    assert_eq!(found(&without_history, &["2020-05-06"; 6]), [""; 0]);
    let site = changed_together("2020-05-06T00:00:00Z");
    let dates = ["", "2020-05-06", "2020-05-06T00:00:00Z", "", "", ""];
    assert_eq!(found(&site, &dates), [""; 0]);
    let check = site.waypost(&["check"]).succeeded();
    check.says("same pages").says_nothing_of("re-dated");
}

#[test]
fn the_first_three_false_dates_are_shown_and_all_are_counted() {
    let site = changed_together("2024-01-02T03:04:05+01:00");
    list(&site, &["2020-05-06"; 6]);
    let outcome = site.waypost(&["check"]).succeeded();
    let shown = outcome
        .stderr
        .matches("the sitemap says 2020-05-06, the last change");
    assert_eq!(shown.count(), 3, "{}", outcome.stderr);
    outcome
        .says("(and 3 more; `-v` shows all)")
        .says(" --> sitemap.xml:2:11\n")
        .says("6 re-dated\n");
    let outcome = site.waypost(&["check", "-v"]).succeeded();
    outcome.says("`https://example.com/e.html`: the sitemap says");
    let result = site.waypost(&["check", "--json"]).json();
    assert_eq!(result["changes"]["redated"], 6);
}

#[test]
fn both_dates_of_a_commit_are_true() {
    let (author, committer) = ("2020-04-01T08:00:00+02:00", "2020-05-06T10:00:00Z");
    let site = SiteTest::of_pages(&PAGES);
    site.commit_of_author(author, committer);
    for date in [committer, author, "2020-04-01"] {
        assert_eq!(found(&site, &[date]), [""; 0], "{date}");
    }
    assert_eq!(found(&site, &["2020-04-02"]), ["lastmod-untrue"]);
}

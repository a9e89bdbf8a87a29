//! Tests how `waypost check` compares dates: as instants, whichever tool wrote them.

use serde_json::Value;

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
    let site = SiteTest::of_pages(&[]);
    for page in PAGES {
        site.page(page, &format!("<meta name=description content={page}>"));
    }
    site.commit(date);
    site
}

/// Writes a sitemap in which each page has this date; an empty one is omitted.
fn list(site: &SiteTest, dates: &[&str]) {
    let entry = |(page, date): (&&str, &&str)| {
        let path = page.trim_end_matches("index.html");
        let lastmod = match *date {
            "" => String::new(),
            date => format!("<lastmod>{date}</lastmod>"),
        };
        format!("<url><loc>https://example.com/{path}</loc>{lastmod}</url>\n")
    };
    let entries: String = PAGES.iter().zip(dates).map(entry).collect();
    site.write(
        "sitemap.xml",
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
        ),
    );
    site.write("robots.txt", "Sitemap: https://example.com/sitemap.xml\n");
}

fn date_codes(site: &SiteTest) -> Vec<String> {
    codes(site).into_iter().collect()
}

#[test]
fn another_spelling_of_the_date_of_a_commit_is_true() {
    let check = |commit: &str, listed: &str, expected: &[&str]| {
        let site = changed_together(commit);
        list(&site, &[listed; 6]);
        assert_eq!(date_codes(&site), expected, "{listed} for {commit}");
    };
    check("2020-05-06T00:00:00Z", "2020-05-06T00:00:00+00:00", &[]);
    let evening = "2020-05-06T23:30:00-05:00";
    for listed in [
        "2020-05-06",
        "2020-05-07",
        "2020-05-07T04:30:00Z",
        "2020-05-07T04:30:00.000Z",
    ] {
        check(evening, listed, &[]);
    }
    check(evening, "2020-05-08", &["lastmod-untrue"]);
    check(evening, "2020-05-06T23:30:01-05:00", &["lastmod-untrue"]);
}

#[test]
fn a_day_of_front_matter_is_true_at_any_time_of_that_day() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n")
        .write("content/a.md", "---\ndate: 2020-01-01\n---\nA\n")
        .page("public/a/index.html", "");
    let check = |listed: &str, expected: &[&str]| {
        site.write(
            "public/sitemap.xml",
            format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>\
                 <loc>https://example.com/a/</loc><lastmod>{listed}</lastmod></url></urlset>\n"
            ),
        );
        site.write(
            "public/robots.txt",
            "Sitemap: https://example.com/sitemap.xml\n",
        );
        assert_eq!(date_codes(&site), expected, "{listed}");
    };
    check("2020-01-01T00:00:00+00:00", &[]);
    check("2020-01-01T09:00:00+09:00", &[]);
    check("2020-01-03T00:00:00+00:00", &["lastmod-untrue"]);
}

#[test]
fn an_unknown_date_is_not_false() {
    let without_history = SiteTest::of_pages(&[]);
    for page in PAGES {
        without_history.page(page, &format!("<meta name=description content={page}>"));
    }
    list(&without_history, &["2020-05-06"; 6]);
    assert_eq!(date_codes(&without_history), [""; 0]);
    let site = changed_together("2020-05-06T00:00:00Z");
    list(
        &site,
        &["", "2020-05-06", "2020-05-06T00:00:00Z", "", "", ""],
    );
    assert_eq!(date_codes(&site), [""; 0]);
    let outcome = site.waypost(&["check"]).succeeded();
    outcome.says("replaces  a sitemap of another program: 0 added, 0 removed, 0 re-dated");
}

#[test]
fn a_false_date_is_shown_with_the_last_change_and_its_commit() {
    let site = changed_together("2024-01-02T03:04:05+01:00");
    let hash = site.git(&["rev-parse", "--short=7", "HEAD"]);
    list(
        &site,
        &["2020-05-06", "2020-05-06", "2024-01-02", "", "", ""],
    );
    let expected = format!(
        "`https://example.com/a.html`: the sitemap says 2020-05-06, the last change is \
         2024-01-02T03:04:05+01:00 (commit {hash})"
    );
    let outcome = site.waypost(&["check"]).succeeded();
    outcome
        .says(&format!("{expected}\n --> sitemap.xml:2:11\n"))
        .says("2 re-dated\n");
    let outcome = site.waypost(&["check", "-v"]).succeeded();
    outcome.says(&expected.replace("/a.html", "/b.html"));
    let result: Value =
        serde_json::from_str(&site.waypost(&["check", "--json"]).stdout).expect("stdout is JSON");
    let findings = result["findings"].as_array().expect("an array");
    let messages = findings.iter().map(|finding| finding["message"].as_str());
    let messages: Vec<&str> = messages.flatten().collect();
    assert!(messages.contains(&expected.as_str()), "{messages:?}");
    assert_eq!(result["changes"]["redated"], 2);
}

#[test]
fn pages_that_changed_together_may_have_one_date() {
    let site = changed_together("2020-05-06T00:00:00Z");
    list(&site, &["2019-01-01"; 6]);
    assert_eq!(date_codes(&site), ["lastmod-untrue"]);
    site.page("a.html", "<meta name=description content=changed>");
    site.commit("2020-05-06T12:00:00Z");
    list(&site, &["2020-05-06"; 6]);
    assert_eq!(date_codes(&site), [""; 0]);
    list(&site, &["2020-05-06T00:00:00Z"; 6]);
    let expected = ["lastmod-untrue"];
    assert_eq!(date_codes(&site), expected);
    let spelled = ["2020-05-06T00:00:00Z", "2020-05-06T00:00:00+00:00"].repeat(3);
    list(&site, &spelled);
    assert_eq!(date_codes(&site), expected);
}

#[test]
fn the_first_three_false_dates_are_shown() {
    let site = changed_together("2020-05-06T00:00:00Z");
    list(&site, &["2019-01-01"; 6]);
    let shown = site.waypost(&["check"]).stderr;
    assert_eq!(
        shown.matches("the sitemap says 2019-01-01").count(),
        3,
        "{shown}"
    );
    assert_eq!(
        shown.matches("(and 3 more; `-v` shows all)").count(),
        1,
        "{shown}"
    );
}

#[test]
fn both_dates_of_a_commit_are_true() {
    let site = changed_together("2020-05-06T10:00:00Z");
    let amended = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    let amend = [
        "commit",
        "-q",
        "--amend",
        "--no-edit",
        "--date=2020-04-01T08:00:00+02:00",
    ];
    site.git(&[&amended[..], &amend[..]].concat());
    let committer = site.git(&["log", "-1", "--format=%cI"]);
    let author = "2020-04-01T08:00:00+02:00";
    for date in [committer.as_str(), author, "2020-04-01"] {
        list(&site, &[date, "", "", "", "", ""]);
        assert_eq!(date_codes(&site), Vec::<String>::new(), "{date}");
    }
    list(&site, &["2020-04-02", "", "", "", "", ""]);
    assert_eq!(date_codes(&site), ["lastmod-untrue"]);
}

//! Rules and settings: priorities, sources, dates and exclusions by glob.

use crate::site_test::{SiteTest, pair};

#[test]
fn the_last_matching_rule_that_sets_a_key_wins() {
    let site = SiteTest::of_pages(&["blog/a.html", "blog/news/b.html", "c.html"]);
    site.settings(
        r#"
        rule = [
            { match = "blog/**", priority = 0, changefreq = "monthly" },
            { match = "/blog/news/", priority = 0.5 },
            { match = "blog/news/**", priority = 0.9 },
            { match = "*.html", changefreq = "never" },
        ]"#,
    );
    site.build().says("warning[setting-unused]");
    let entries = site.entries().into_iter();
    let found = entries.map(|entry| (entry.priority, entry.changefreq));
    let row = |priority: Option<&str>, changefreq: &str| {
        (priority.map(str::to_owned), Some(changefreq.to_owned()))
    };
    let expected = [
        row(Some("0.0"), "monthly"),
        row(Some("0.9"), "monthly"),
        row(None, "never"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let rules = site
        .explain()
        .into_values()
        .map(|page| page["rules"].to_string())
        .collect::<Vec<_>>();
    assert_eq!(rules, ["[0]", "[0,2]", "[3]"]);
}

#[test]
fn a_rule_matches_the_file_path_or_the_url_path() {
    let check = |pattern: &str, expected: &[&str]| {
        let site = SiteTest::of_pages(&["index.html", "a/index.html", "a/b.html", "ab.html"]);
        site.settings(&format!("[[rule]]\nmatch = '{pattern}'\npriority = 0.5\n"))
            .build();
        let entries = site
            .entries()
            .into_iter()
            .filter(|entry| entry.priority.is_some());
        let paths: Vec<String> = entries
            .map(|entry| entry.loc.replace("https://example.com", ""))
            .collect();
        assert_eq!(paths, expected, "{pattern}");
    };
    check("a/index.html", &["/a/"]);
    check("/a/", &["/a/"]);
    check("/a/**", &["/a/", "/a/b.html"]);
    check("a*", &["/ab.html"]);
    check("*", &["/", "/ab.html"]);
    check("**/index.html", &["/", "/a/"]);
    check("{a,ab}*.html", &["/ab.html"]);
}

#[test]
fn a_later_rule_includes_an_excluded_page_again() {
    let site = SiteTest::of_pages(&["drafts/a.html", "drafts/ok.html", "a.html", "a-not.html"]);
    site.settings(
        r#"
        exclude = ["drafts/**", "a.html"]
        rule = [{ match = "drafts/ok.html", exclude = false }]"#,
    );
    site.build();
    let reasons = [
        pair("a-not.html", None),
        pair("a.html", "excluded-by-settings"),
        pair("drafts/a.html", "excluded-by-settings"),
        pair("drafts/ok.html", None),
    ];
    assert_eq!(site.explained("reason"), reasons);
    assert_eq!(site.urls().len(), 2);
    site.waypost(&["explain", "drafts/a.html"])
        .shows("drafts/**");
}

/// A site with pages in `public` and their sources in other directories.
fn site_with_sources() -> SiteTest {
    let site = SiteTest::empty();
    site.write(".gitignore", "public\n")
        .write("content/2024/a.txt", "a")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/2024/b.txt", "b")
        .commit("2024-02-02T00:00:00Z");
    site.write("data/prices.csv", "1")
        .commit("2024-03-03T00:00:00Z");
    site.index_pages("public", "/ posts/2024/a/ posts/2024/b/");
    site
}

#[test]
fn a_rule_builds_the_source_from_what_its_wildcards_matched() {
    let site = site_with_sources();
    site.settings("[[rule]]\nmatch = \"posts/*/*/index.html\"\nsource = \"content/{1}/{2}.txt\"\n")
        .build();
    let sources = [
        pair("index.html", "public/index.html"),
        pair("posts/2024/a/index.html", "content/2024/a.txt"),
        pair("posts/2024/b/index.html", "content/2024/b.txt"),
    ];
    assert_eq!(site.explained("source"), sources);
    let dates = site.explained("lastmod");
    assert_eq!(dates[1].1, Some(site.date_by_git("content/2024/a.txt")));
    assert_eq!(dates[2].1, Some(site.date_by_git("content/2024/b.txt")));
}

#[test]
fn a_missing_source_is_reported_and_gives_no_date() {
    let site = site_with_sources();
    site.settings("[[rule]]\nmatch = \"posts/*/*/index.html\"\nsource = \"texts/{2}.txt\"\n");
    site.build()
        .says("warning[source-missing]")
        .says("the source `texts/a.txt` named by a rule does not exist");
    assert_eq!(site.explained("lastmod")[1].1, None);
}

#[test]
fn an_uncommitted_source_is_reported_and_gives_no_date() {
    let site = site_with_sources();
    site.write("content/2024/a.txt", "changed")
        .write("content/2024/c.txt", "new")
        .page("public/posts/2024/c/index.html", "");
    site.settings("[[rule]]\nmatch = \"posts/*/*/index.html\"\nsource = \"content/{1}/{2}.txt\"\n");
    site.build()
        .says("warning[source-uncommitted]")
        .says("warning[source-uncommitted]");
    let dates: Vec<Option<String>> = site.explained("lastmod")[1..]
        .iter()
        .map(|(_, date)| date.clone())
        .collect();
    assert_eq!(dates, [None, Some("2024-02-02T00:00:00Z".to_owned()), None]);
}

#[test]
fn a_fixed_date_is_written_unchanged() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.settings("[[rule]]\nmatch = \"a.html\"\nlastmod = \"2023-05-06\"\n")
        .build();
    let by_git = pair("/b.html", "2024-01-01T00:00:00Z");
    assert_eq!(site.dates(), [pair("/a.html", "2023-05-06"), by_git]);
    let origins = [pair("a.html", "rule"), pair("b.html", "git")];
    assert_eq!(site.explained("lastmod_from"), origins);
}

#[test]
fn a_rule_chooses_the_source_of_its_pages_dates() {
    let site = SiteTest::of_pages(&["b.html"]);
    site.page(
        "a.html",
        "<meta property=article:modified_time content=2023-03-03>",
    )
    .commit("2024-01-01T00:00:00Z");
    site.settings("[[rule]]\nmatch = \"a.html\"\nlastmod_from = [\"page\"]\n")
        .build();
    let by_git = pair("/b.html", "2024-01-01T00:00:00Z");
    assert_eq!(site.dates(), [pair("/a.html", "2023-03-03"), by_git]);
}

#[test]
fn files_with_other_extensions_are_listed_and_dated_but_not_read() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("paper.PDF", "<meta name=robots content=noindex>")
        .write("notes.txt", "")
        .commit("2024-01-01T00:00:00Z");
    site.settings("extensions = [\"html\", \"pdf\"]\n").build();
    let dated = ["/", "/paper.PDF"].map(|path| pair(path, "2024-01-01T00:00:00Z"));
    assert_eq!(site.dates(), dated);
}

#[test]
fn a_reason_with_a_level_is_reported_for_each_page() {
    let site = SiteTest::of_pages(&["a.html", "drafts/b.html"]);
    site.page("c.html", "<meta name=robots content=noindex>");
    let exclude = "exclude = [\"drafts/**\"]\n";
    site.settings(&format!(
        "{exclude}[levels]\nnoindex = \"deny\"\nexcluded-by-settings = \"warn\"\n"
    ));
    let outcome = site.waypost(&[]).ended_with(1);
    let outcome = outcome
        .says("error[noindex]: `c.html` is excluded: robots: noindex")
        .says("--> c.html:1:");
    outcome.says("warning[excluded-by-settings]: `drafts/b.html` is excluded: rule `drafts/**`");
    site.settings(exclude);
    assert!(!site.build().stderr.contains("is excluded"));
}

#[test]
fn a_page_with_the_url_of_an_excluded_page_is_listed() {
    let site = SiteTest::empty();
    site.settings("exclude = [\"about.html\"]\n");
    for page in ["about.html", "about/index.html"] {
        site.page(page, "<link rel=canonical href=/about>");
    }
    site.build();
    assert_eq!(site.urls(), ["https://example.com/about"]);
}

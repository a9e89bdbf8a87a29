//! Settings in a page's front matter, which override every rule.

use crate::site_test::{SiteTest, pair};

fn zola(pages: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    for (page, front_matter) in pages {
        site.write(
            format!("content/{page}.md"),
            format!("+++\n{front_matter}\n+++\ntext\n"),
        );
        site.page(format!("public/{page}/index.html"), "");
    }
    site.commit("2024-05-06T07:08:09Z");
    site
}

#[test]
fn front_matter_in_zola_overrides_the_rules() {
    let site = zola(&[
        (
            "a",
            "[extra.waypost]\npriority = 0.3\nchangefreq = \"daily\"",
        ),
        ("b", "[extra.waypost]\nexclude = true"),
        (
            "c",
            "[extra.waypost]\nexclude = false\nlastmod = 2023-04-05",
        ),
        ("d", ""),
    ]);
    let rules = "[[rule]]\nmatch = \"**\"\npriority = 0.9\nexclude = true\n\
                 [[rule]]\nmatch = [\"a/\", \"b/\", \"d/\"]\nexclude = false\n";
    site.write("waypost.toml", format!("{rules}lastmod = 2020-01-01\n"))
        .build();
    let entries = site.entries_of("public/sitemap.xml");
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| {
            let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
            [
                &entry.loc,
                &text(&entry.lastmod),
                &text(&entry.priority),
                &text(&entry.changefreq),
            ]
            .map(String::as_str)
            .join(" ")
        })
        .collect();
    let expected = [
        "https://example.com/a/ 2020-01-01 0.3 daily",
        "https://example.com/c/ 2023-04-05 0.9 -",
        "https://example.com/d/ 2020-01-01 0.9 -",
    ];
    assert_eq!(shown, expected);
    assert_eq!(
        site.explained("reason")[1],
        pair("b/index.html", "excluded-by-page")
    );
    assert_eq!(
        site.explained("lastmod_from")[2],
        pair("c/index.html", "front_matter")
    );
    let told = site.waypost(&["explain", ".", "/a/"]).succeeded().stdout;
    assert!(
        told.contains("priority 0.3, changefreq daily (front matter of its source)"),
        "{told}"
    );
}

#[test]
fn front_matter_in_hugo_uses_hugos_own_table() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n");
    let pages = [
        (
            "a",
            "sitemap:\n  priority: 0.25\n  changefreq: monthly\n  filename: sitemap.xml",
        ),
        ("b", "Sitemap:\n  disable: true"),
        ("c", "params:\n  waypost:\n    lastmod: 2023-04-05"),
    ];
    for (page, front_matter) in pages {
        site.write(
            format!("content/{page}.md"),
            format!("---\n{front_matter}\n---\n"),
        );
        site.page(format!("public/{page}/index.html"), "");
    }
    site.commit("2024-05-06T07:08:09Z");
    site.build().says_nothing_of("warning");
    let entries = site.entries_of("public/sitemap.xml");
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| (entry.priority.as_deref(), entry.lastmod.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            (Some("0.25"), Some("2024-05-06T07:08:09Z")),
            (None, Some("2023-04-05"))
        ]
    );
}

#[test]
fn values_that_mean_unset_to_hugo_are_accepted_in_its_own_table() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n");
    let pages = [
        ("a", "priority: 0.5\n  changefreq: \"\""),
        ("b", "priority: -1"),
        ("c", "priority: 2"),
    ];
    for (page, table) in pages {
        site.write(
            format!("content/{page}.md"),
            format!("---\nsitemap:\n  {table}\n---\n"),
        );
        site.page(format!("public/{page}/index.html"), "");
    }
    site.commit("2024-05-06T07:08:09Z");
    site.build()
        .says_nothing_of("a.md")
        .says_nothing_of("b.md")
        .says("content/c.md");
    let entries = site.entries_of("public/sitemap.xml").into_iter();
    let shown: Vec<_> = entries
        .map(|entry| (entry.priority, entry.changefreq))
        .collect();
    assert_eq!(
        shown,
        [(Some("0.5".to_owned()), None), (None, None), (None, None)]
    );
}

#[test]
fn malformed_front_matter_is_reported_at_its_line() {
    let site = zola(&[("a", "title = \"x\"\ndate = ")]);
    let outcome = site
        .build()
        .says("warning[source-unreadable]")
        .says("content/a.md:3:8")
        .says("3 | date = ");
    let outcome = outcome
        .says("`content/a.md`: string values must be quoted, expected literal string; its page");
    outcome.says_nothing_of("TOML parse error");
}

#[test]
fn invalid_values_are_reported_and_ignored() {
    let site = zola(&[(
        "a",
        "title = \"é\"\n[extra.waypost]\npriority = 2\nchangfreq = \"daily\"\nlastmod = \"soon\"",
    )]);
    let outcome = site.waypost(&["-v"]).succeeded();
    let outcome = outcome
        .says("warning[settings-ignored]")
        .says("content/a.md")
        .says("`extra.waypost.priority` must be a number from 0.0 to 1.0, not 2");
    let outcome = outcome.says("unknown key `extra.waypost.changfreq`");
    outcome
        .says("did you mean `changefreq`?")
        .says("must be a date, not `soon`");
    let entry = site.entries_of("public/sitemap.xml").remove(0);
    assert_eq!(
        (entry.priority, entry.lastmod.as_deref()),
        (None, Some("2024-05-06T07:08:09Z"))
    );
    site.write("content/a.md", "---\nextra:\n  waypost: 7\n---\n")
        .build()
        .says("`extra.waypost` must be a table");
}

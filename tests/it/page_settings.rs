//! Settings in a page's front matter, which override every rule.

use crate::site_test::SiteTest;

fn zola(pages: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::zola("");
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
    let shown = entries.into_iter().map(|entry| {
        let values = [entry.lastmod, entry.priority, entry.changefreq];
        let values = values.map(|value| value.unwrap_or_else(|| "-".to_owned()));
        format!("{} {}", entry.loc, values.join(" "))
    });
    let expected = [
        "https://example.com/a/ 2020-01-01 0.3 daily",
        "https://example.com/c/ 2023-04-05 0.9 -",
        "https://example.com/d/ 2020-01-01 0.9 -",
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let explained = site.explain();
    assert_eq!(explained["b/index.html"]["reason"], "excluded-by-page");
    assert_eq!(explained["c/index.html"]["lastmod_from"], "front_matter");
    let told = site.waypost(&["explain", ".", "/a/"]).succeeded().stdout;
    assert!(
        told.contains("priority 0.3, changefreq daily (front matter of its source)"),
        "{told}"
    );
}

#[test]
fn front_matter_in_hugo_uses_hugos_own_table_and_its_values_that_mean_unset() {
    let site = SiteTest::hugo("");
    for (page, front_matter) in [
        (
            "a",
            "sitemap:\n  priority: 0.25\n  changefreq: monthly\n  filename: sitemap.xml",
        ),
        ("b", "Sitemap:\n  disable: true"),
        ("c", "params:\n  waypost:\n    lastmod: 2023-04-05"),
        ("d", "sitemap:\n  priority: -1\n  changefreq: \"\""),
        ("e", "sitemap:\n  priority: 2"),
    ] {
        let text = format!("---\n{front_matter}\n---\n");
        site.write(format!("content/{page}.md"), text)
            .index_pages("public", &format!("{page}/"));
    }
    site.commit("2024-05-06T07:08:09Z");
    let outcome = site.build().says("content/e.md");
    for page in ["a", "b", "c", "d"] {
        assert!(!outcome.stderr.contains(&format!("{page}.md")));
    }
    let entries = site.entries_of("public/sitemap.xml");
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| (entry.priority.as_deref(), entry.lastmod.as_deref()))
        .collect();
    let by_git = Some("2024-05-06T07:08:09Z");
    let expected = [
        (Some("0.25"), by_git),
        (None, Some("2023-04-05")),
        (None, by_git),
        (None, by_git),
    ];
    assert_eq!(shown, expected);
    assert_eq!(entries[0].changefreq.as_deref(), Some("monthly"));
    assert_eq!(entries[2].changefreq, None);
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

//! `waypost explain`: the inventory as JSON Lines and as text.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

fn site() -> SiteTest {
    let site = SiteTest::of_pages(&["b/index.html", "a.html"]);
    site.page("c.html", "<meta name=robots content=noindex>")
        .commit("2024-01-02T03:04:05+01:00");
    site.settings(
        r#"
        rule = [
            { match = "**", changefreq = "weekly" },
            { match = "x", priority = 0.1 },
            { match = "b/**", priority = 0.8 },
        ]"#,
    );
    site
}

#[test]
fn json_has_one_object_per_page_sorted_by_file_with_the_documented_keys_in_order() {
    let site = site();
    let commit = site.git(&["rev-parse", "HEAD"]);
    let stdout = site.waypost(&["explain", "--json"]).succeeded().stdout;
    let lines: Vec<&str> = stdout.lines().collect();
    let expected = [
        format!(
            r#"{{"version":1,"file":"a.html","url":"https://example.com/a.html","listed":true,"reason":null,"evidence":null,"lastmod":"2024-01-02T03:04:05+01:00","lastmod_from":"git","source":"a.html","source_from":"itself","commit":"{commit}","dated_by":"a.html","priority":null,"changefreq":"weekly","rules":[0],"sitemap":"sitemap.xml","undated":null}}"#
        ),
        format!(
            r#"{{"version":1,"file":"b/index.html","url":"https://example.com/b/","listed":true,"reason":null,"evidence":null,"lastmod":"2024-01-02T03:04:05+01:00","lastmod_from":"git","source":"b/index.html","source_from":"itself","commit":"{commit}","dated_by":"b/index.html","priority":0.8,"changefreq":"weekly","rules":[0,2],"sitemap":"sitemap.xml","undated":null}}"#
        ),
        r#"{"version":1,"file":"c.html","url":"https://example.com/c.html","listed":false,"reason":"noindex","evidence":"robots: noindex","lastmod":null,"lastmod_from":null,"source":"c.html","source_from":"itself","commit":null,"dated_by":null,"priority":null,"changefreq":"weekly","rules":[0],"sitemap":null,"undated":"the page is excluded"}"#.to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn explain_agrees_with_the_sitemap_and_writes_nothing() {
    let site = site();
    let before = site.files();
    let explained = site.explain();
    assert_eq!(site.files(), before);
    site.build();
    let listed = explained.values().filter(|page| page["listed"] == true);
    let listed: Vec<Value> = listed
        .map(|page| json!([page["url"], page["lastmod"], page["changefreq"]]))
        .collect();
    let written = site
        .entries()
        .into_iter()
        .map(|entry| json!([entry.loc, entry.lastmod, entry.changefreq]));
    assert_eq!(listed, written.collect::<Vec<_>>());
}

#[test]
fn a_page_is_found_by_file_url_path_or_source() {
    let site = site();
    let with_site =
        ["b/index.html", "https://example.com/b/", "/b/", "b/"].map(|name| vec![".", name]);
    let alone = ["b/index.html", "https://example.com/b/", "/b/"].map(|name| vec![name]);
    for name in with_site.into_iter().chain(alone) {
        let arguments = [&["explain", "--json"], &name[..]].concat();
        let stdout = site.waypost(&arguments).succeeded().stdout;
        assert_eq!(stdout.lines().count(), 1, "{name:?}: {stdout}");
        assert!(
            stdout.starts_with(r#"{"version":1,"file":"b/index.html""#),
            "{name:?}: {stdout}"
        );
    }
}

#[test]
fn a_page_is_found_by_every_path_that_waypost_prints_for_it() {
    let site = SiteTest::empty();
    site.write(
        "docs/config.toml",
        "base_url = \"https://example.com/docs/\"\n",
    )
    .write("docs/content/b.md", "");
    site.page("docs/public/b/index.html", "")
        .page("docs/public/c/b/index.html", "");
    let absolute = site
        .root()
        .join("docs/public/b/index.html")
        .display()
        .to_string();
    for name in [
        "docs/public/b/index.html",
        "./docs/public/b/index.html",
        &absolute,
        "b/index.html",
        "./b/index.html",
        "docs/content/b.md",
        "content/b.md",
        "https://example.com/docs/b",
        "/docs/b",
        "b",
        "docs/public/b/",
        "/b/",
        "/b",
        "/b/index.html",
        "/docs/b/index.html",
        "https://example.com/docs/b/index.html",
        "b/index.html/",
    ] {
        let stdout = site
            .waypost(&["explain", "docs", name, "--json"])
            .succeeded()
            .stdout;
        assert_eq!(stdout.lines().count(), 1, "{name}: {stdout}");
        assert!(
            stdout.starts_with(r#"{"version":1,"file":"b/index.html""#),
            "{name}: {stdout}"
        );
    }
    site.waypost(&["explain", "docs", "public"])
        .ended_with(2)
        .says("no page matches `public`");
}

#[test]
fn the_explanation_of_a_page_shows_everything_that_led_to_its_entry() {
    let site = site();
    let explanation = |page: &str| site.waypost(&["explain", ".", page]).succeeded().stdout;
    let b = explanation("b/index.html");
    for part in [
        "yes, in sitemap.xml",
        "https://example.com/b/",
        "2024-01-02T03:04:05+01:00 (git)",
        "rule  `b/**`: priority 0.8 (waypost.toml:6)",
        "source  b/index.html (itself)",
        "change",
    ] {
        assert!(b.contains(part), "`{part}` is missing:\n{b}");
    }
    let c = explanation("c.html");
    for part in ["no: noindex", "robots: noindex"] {
        assert!(c.contains(part), "`{part}` is missing:\n{c}");
    }
}

#[test]
fn the_explanation_names_the_file_that_lists_the_page_in_any_format() {
    let site = SiteTest::of_pages(&["index.html", "a.html"]);
    let listed = |settings: &str| {
        let explanation = site
            .settings(settings)
            .waypost(&["explain", ".", "a.html"])
            .succeeded()
            .stdout;
        explanation
            .lines()
            .find(|line| line.contains("listed"))
            .expect("the page is explained")
            .trim()
            .to_owned()
    };
    assert_eq!(
        listed("sitemap.formats = [\"txt\"]\n"),
        "listed  yes, in sitemap.txt"
    );
    assert_eq!(
        listed("sitemap.formats = [\"xml\", \"txt\"]\n"),
        "listed  yes, in sitemap.xml"
    );
    assert_eq!(listed("sitemap.formats = [\"rss\"]\n"), "listed  yes");
}

#[test]
fn the_commit_that_dates_a_page_is_shown_with_its_subject() {
    let site = site();
    let (hash, subject) = (
        site.git(&["rev-parse", "HEAD"]),
        site.git(&["log", "-1", "--format=%s"]),
    );
    let explanation = site.waypost(&["explain", ".", "a.html"]).succeeded().stdout;
    assert!(
        explanation.contains(&format!("    commit  {hash} {subject}\n")),
        "{explanation}"
    );
}

#[test]
fn the_table_of_all_pages_has_a_heading_and_one_line_per_page() {
    let site = site();
    site.page("new.html", "");
    let stdout = site.waypost(&["explain"]).succeeded().stdout;
    let expected = "     lastmod                    page          source, or reason\n\
         in   2024-01-02T03:04:05+01:00  a.html        a.html\n\
         in   2024-01-02T03:04:05+01:00  b/index.html  b/index.html\n\
         out  -                          c.html        noindex: robots: noindex\n\
         in   -                          new.html      new.html (no date: no generator found, and \
         the page is not committed)\n";
    assert_eq!(stdout, expected);
}

#[test]
fn the_nearest_page_is_suggested() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com/docs/\"\n")
        .write("content/first-post.md", "");
    site.page("public/first-post/index.html", "");
    for (typed, suggested) in [
        ("first-pots/index.html", "first-post/index.html"),
        ("content/frist-post.md", "content/first-post.md"),
        ("/docs/fist-post/", "first-post/"),
        ("https://example.com/docs/first-pst/", "first-post/"),
    ] {
        site.waypost(&["explain", ".", typed])
            .ended_with(2)
            .says(&format!("did you mean `{suggested}`?"));
        site.waypost(&["explain", ".", suggested]).succeeded();
    }
}

#[test]
fn a_finding_a_reason_and_a_setting_are_explained_without_a_site() {
    let site = SiteTest::of_pages(&["index.html"]);
    let check = |name: &str, texts: &[&str]| {
        let outcome = site.waypost(&["explain", name]).succeeded();
        assert!(outcome.stdout.starts_with(&format!("{name}\n\n")));
        for text in texts {
            assert!(outcome.stdout.contains(text), "{}", outcome.stdout);
        }
    };
    check(
        "history-shallow",
        &[
            "Default level: `warn`",
            "/how-to/shallow-clones.html)",
            "/findings/dates.html#history-shallow\n",
        ],
    );
    check("noindex", &["/findings/reasons.html#noindex\n"]);
    check(
        "rule.priority",
        &["/reference/settings.html#rulepriority\n"],
    );
    for (typed, meant) in [
        ("history-shalow", "history-shallow"),
        ("rule.priorities", "rule.priority"),
    ] {
        site.waypost(&["explain", typed])
            .ended_with(2)
            .says(&format!("did you mean `waypost explain {meant}`?"));
    }
}

#[test]
fn a_directory_is_a_site_even_if_its_name_is_that_of_a_reason() {
    let site = SiteTest::empty();
    site.page("draft/index.html", "");
    let arguments = ["explain", "draft", "--base-url", "https://example.com/"];
    let explained = site.waypost(&arguments).succeeded().stdout;
    assert!(explained.contains("in   -  "), "{explained}");
}

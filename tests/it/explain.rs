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
fn a_page_is_found_by_every_path_that_waypost_prints_for_it() {
    let site = SiteTest::empty();
    let base = "base_url = \"https://example.com/docs/\"\n";
    site.write("docs/config.toml", base)
        .write("docs/content/b.md", "")
        .page("docs/public/b/index.html", "")
        .page("docs/public/c/b/index.html", "");
    let absolute = site.root().join("docs/public/b/index.html");
    let absolute = absolute.display().to_string();
    let names = "docs/public/b/index.html ./docs/public/b/index.html b/index.html ./b/index.html \
         docs/content/b.md content/b.md https://example.com/docs/b /docs/b b docs/public/b/ /b/ /b \
         /b/index.html /docs/b/index.html https://example.com/docs/b/index.html b/index.html/";
    for name in names.split_whitespace().chain([absolute.as_str()]) {
        let arguments = ["explain", "docs", name, "--json"];
        let found = site.waypost(&arguments).succeeded().json();
        assert_eq!(found["file"], "b/index.html", "{name}");
    }
    let outcome = site.waypost(&["explain", "docs", "public"]).ended_with(2);
    outcome.says("no page matches `public`");
}

#[test]
fn the_explanation_of_a_page_shows_everything_that_led_to_its_entry() {
    let site = site();
    let hash = site.git(&["rev-parse", "HEAD"]);
    let commit = format!("    commit  {hash} change\n");
    // A page alone is one of the site in the working directory.
    for arguments in [&["explain", ".", "b/"][..], &["explain", "/b/"]] {
        let explanation = site.waypost(arguments).succeeded().stdout;
        for part in [
            "yes, in sitemap.xml",
            "https://example.com/b/",
            "2024-01-02T03:04:05+01:00 (git)",
            "rule  `b/**`: priority 0.8 (waypost.toml:6)",
            "source  b/index.html (itself)",
            &commit,
        ] {
            assert!(explanation.contains(part), "{part}:\n{explanation}");
        }
    }
}

#[test]
fn a_finding_a_reason_and_a_setting_are_explained_without_a_site() {
    let site = SiteTest::of_pages(&["index.html"]);
    for (name, misspelt, page) in [
        ("history-shallow", "history-shalow", "findings/dates"),
        ("noindex", "", "findings/reasons"),
        ("rule.priority", "rule.priorities", "reference/settings"),
    ] {
        let shown = site.waypost(&["explain", name]).succeeded().stdout;
        assert!(shown.starts_with(&format!("{name}\n\n")), "{shown}");
        let anchor = format!("/{page}.html#{}\n", name.replace('.', ""));
        assert_eq!(shown.contains(&anchor), cfg!(published), "{shown}");
        if !misspelt.is_empty() {
            let outcome = site.waypost(&["explain", misspelt]).ended_with(2);
            outcome.says(&format!("did you mean `waypost explain {name}`?"));
        }
    }
}

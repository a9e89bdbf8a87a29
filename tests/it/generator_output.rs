//! The output directory of a generator: how it is found, what it may contain, and which base URL and
//! settings apply to it.

use crate::site_test::{SiteTest, pair};

#[test]
fn the_base_url_is_taken_from_the_first_place_that_sets_it() {
    let mut site = SiteTest::empty();
    let (home, docs) = ("index.html", "docs/index.html");
    site.page(home, "");
    let check = |site: &SiteTest, url: &str, origin: &str| {
        let expected = format!("site  https://{url}/ from {origin}");
        site.build().says(&expected);
    };
    site.variable("GITLAB_CI", "true")
        .variable("CI_PAGES_URL", "https://pipeline.example.com");
    check(&site, "pipeline.example.com", "the pipeline's CI_PAGES_URL");
    site.write("CNAME", "cname.example.com\n");
    check(&site, "cname.example.com", "CNAME");
    let link = |path| format!("<link rel=canonical href=https://canonical.example.com/{path}>");
    let in_docs = "canonical.example.com/docs";
    site.page(home, &link("docs/"));
    check(&site, in_docs, "the canonical link of index.html");
    // A home page that is a copy of another page has that page's canonical link.
    site.page(docs, &link("docs/"));
    check(
        &site,
        "canonical.example.com",
        "the canonical link of one page",
    );
    site.page(docs, "");
    check(&site, "cname.example.com", "CNAME");
    site.page(docs, &link("docs/docs/"));
    check(&site, in_docs, "the canonical links of 2 pages");
    site.page(home, "").page(docs, "");
    let settings = "base_url = \"https://settings.example.com\"\n";
    site.write("waypost.toml", settings);
    check(&site, "settings.example.com", "the settings");
    site.variable("WAYPOST_BASE_URL", "https://variable.example.com");
    check(&site, "variable.example.com", "WAYPOST_BASE_URL");
    site.waypost(&["--base-url", "https://flag.example.com"])
        .succeeded()
        .says("site  https://flag.example.com/ from --base-url");
}

#[test]
fn templates_that_mkdocs_copies_from_the_theme_directory_are_not_pages() {
    let site = SiteTest::empty();
    for file in ["own.html", "overrides/nav.html"] {
        site.page(format!("docs/{file}"), "")
            .page(format!("site/{file}"), "");
    }
    for (theme, reason) in [
        (
            "\n  name: material\n  custom_dir: docs/overrides",
            Some("not-a-page"),
        ),
        ("\n  custom_dir: overrides", None),
        ("\n  custom_dir: docs", None),
        (" material", None),
    ] {
        let settings = format!("site_url: https://example.com/\ntheme:{theme}\n");
        site.write("mkdocs.yml", settings);
        let expected = [pair("overrides/nav.html", reason), pair("own.html", None)];
        assert_eq!(site.explained("reason"), expected, "{theme}");
    }
}

#[test]
fn ignored_settings_in_the_parent_directory_are_reported() {
    let site = SiteTest::of_pages(&["public/index.html", "public/secret/a.html"]);
    let base = ["--base-url", "https://example.com/"];
    let run = |arguments: &[&str]| site.waypost(&[arguments, &base].concat()).succeeded();
    run(&["public"])
        .says("warning[settings-ignored]: `waypost.toml`, above this site, is not read")
        .says("with `-o public`");
    run(&["-o", "public"]).says_nothing_of("settings-ignored");
    site.write("public/waypost.toml", "");
    run(&["public"]).says_nothing_of("settings-ignored");
    site.write("config.toml", "title = \"x");
    run(&["public"])
        .says("warning[settings-ignored]: the directory is treated as plain HTML because")
        .says("config.toml");
}

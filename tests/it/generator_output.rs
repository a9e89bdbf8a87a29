//! The output directory of a generator: how it is found, what it may contain, and which base URL and
//! settings apply to it.

use crate::site_test::{SiteTest, pair};

#[test]
fn the_output_directory_of_a_site_is_accepted_as_the_site() {
    let site = SiteTest::empty();
    site.write(
        "config.toml",
        "base_url = \"https://example.com\"\n[extra.waypost]\nexclude = [\"b/**\"]\n",
    );
    site.write("content/a.md", "+++\n+++\n")
        .page("public/a/index.html", "")
        .page("public/b/index.html", "");
    site.commit("2024-05-05T00:00:00Z");
    site.waypost(&["public"]).succeeded();
    let entry = &site.entries_of("public/sitemap.xml")[..];
    assert_eq!(entry.len(), 1);
    assert_eq!(
        (entry[0].loc.as_str(), entry[0].lastmod.as_deref()),
        ("https://example.com/a/", Some("2024-05-05T00:00:00Z"))
    );
}

#[test]
fn the_base_url_is_taken_from_the_first_place_that_sets_it() {
    let mut site = SiteTest::empty();
    site.page("index.html", "");
    let check = |site: &SiteTest, url: &str, origin: &str| {
        let outcome = site.build();
        assert!(
            outcome
                .stderr
                .contains(&format!("site  {url} from {origin}")),
            "{}",
            outcome.stderr
        );
    };
    site.variable("GITLAB_CI", "true")
        .variable("CI_PAGES_URL", "https://pipeline.example.com");
    check(
        &site,
        "https://pipeline.example.com/",
        "the pipeline's CI_PAGES_URL",
    );
    site.write("CNAME", "cname.example.com\n");
    check(&site, "https://cname.example.com/", "CNAME");
    site.page(
        "index.html",
        "<link rel=canonical href=https://canonical.example.com/docs/>",
    );
    check(
        &site,
        "https://canonical.example.com/docs/",
        "the canonical link of index.html",
    );
    // A home page that is a copy of another page has that page's canonical link.
    site.page(
        "docs/index.html",
        "<link rel=canonical href=https://canonical.example.com/docs/>",
    );
    check(
        &site,
        "https://canonical.example.com/",
        "the canonical link of one page",
    );
    site.page("docs/index.html", "");
    check(&site, "https://cname.example.com/", "CNAME");
    site.page(
        "docs/index.html",
        "<link rel=canonical href=https://canonical.example.com/docs/docs/>",
    );
    check(
        &site,
        "https://canonical.example.com/docs/",
        "the canonical links of 2 pages",
    );
    site.page("index.html", "").page("docs/index.html", "");
    site.write(
        "waypost.toml",
        "base_url = \"https://settings.example.com\"\n",
    );
    check(&site, "https://settings.example.com/", "the settings");
    site.variable("WAYPOST_BASE_URL", "https://variable.example.com");
    check(&site, "https://variable.example.com/", "WAYPOST_BASE_URL");
    let flag = site
        .waypost(&["--base-url", "https://flag.example.com"])
        .succeeded();
    flag.says("site  https://flag.example.com/ from --base-url");
}

#[test]
fn a_generators_own_sitemaps_are_replaced_and_this_is_reported() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .page("public/index.html", "");
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let child = "https://example.com/sitemap1.xml";
    site.write(
        "public/sitemap.xml",
        format!(
            "<sitemapindex xmlns=\"{namespace}\"><sitemap><loc>{child}</loc></sitemap>\
             </sitemapindex>"
        ),
    );
    let url = "<url><loc>https://example.com/tags/</loc></url>";
    site.write(
        "public/sitemap1.xml",
        format!("<urlset xmlns=\"{namespace}\">{url}</urlset>"),
    );
    site.build()
        .says("replaces  Zola's sitemap: 1 added, 1 removed, 0 re-dated")
        .says("sitemap1.xml  removed");
    assert_eq!(
        site.files(),
        [
            "config.toml",
            "public/index.html",
            "public/robots.txt",
            "public/sitemap.xml"
        ]
    );
}

#[test]
fn templates_that_mkdocs_copies_from_the_theme_directory_are_not_pages() {
    let site = SiteTest::empty();
    let settings = |theme: &str| {
        site.write(
            "mkdocs.yml",
            format!("site_name: x\nsite_url: https://example.com/\ntheme:{theme}\n"),
        );
    };
    for file in ["own.html", "overrides/nav.html"] {
        site.page(format!("docs/{file}"), "")
            .page(format!("site/{file}"), "");
    }
    settings("\n  name: material\n  custom_dir: docs/overrides");
    let reasons = [
        pair("overrides/nav.html", "not-a-page"),
        pair("own.html", None),
    ];
    assert_eq!(site.explained("reason"), reasons);
    for theme in [
        "\n  custom_dir: overrides",
        "\n  custom_dir: docs",
        " material",
    ] {
        settings(theme);
        assert_eq!(
            site.explained("reason")[0],
            pair("overrides/nav.html", None),
            "{theme}"
        );
    }
}

#[test]
fn a_site_that_is_not_built_is_reported_before_a_missing_base_url() {
    let site = SiteTest::empty();
    site.write("_config.yml", "title: x\n")
        .write("index.md", "");
    site.waypost(&[])
        .ended_with(2)
        .says("cannot open the output directory")
        .says("build the site first");
    site.write("_site/style.css", "");
    site.waypost(&[])
        .ended_with(2)
        .says("no page found in `./_site`")
        .says("build the site first");
    site.page("_site/index.html", "");
    site.waypost(&[]).ended_with(2).says("no base URL");
}

#[test]
fn the_build_output_of_a_package_takes_precedence_over_its_template() {
    let site = SiteTest::of_pages(&["index.html", "dist/index.html", "dist/a.html"]);
    assert_eq!(
        site.waypost(&["explain", "--json"])
            .succeeded()
            .stdout
            .lines()
            .count(),
        3
    );
    site.write("package.json", "{}").build();
    assert!(
        site.root().join("dist/sitemap.xml").exists() && !site.root().join("sitemap.xml").exists()
    );
}

#[test]
fn ignored_settings_in_the_parent_directory_are_reported() {
    let site = SiteTest::empty();
    site.settings("exclude = [\"secret/**\"]\n")
        .page("public/index.html", "")
        .page("public/secret/a.html", "");
    let address = ["--base-url", "https://example.com/"];
    let run = |arguments: &[&str]| site.waypost(&[arguments, &address].concat()).succeeded();
    run(&["public"])
        .says("warning[settings-ignored]: `waypost.toml`, above this site, is not read")
        .says("with `-o public`");
    assert!(!run(&["-o", "public"]).stderr.contains("settings-ignored"));
    site.write("public/waypost.toml", "");
    assert!(!run(&["public"]).stderr.contains("settings-ignored"));
    site.write("config.toml", "title = \"x");
    run(&["public"])
        .says("warning[settings-ignored]: the directory is treated as plain HTML because")
        .says("config.toml");
}

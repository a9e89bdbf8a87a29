//! Pages whose source is a draft.

use crate::site_test::{SiteTest, pair};

fn site(site: SiteTest, pages: &[(&str, &str)]) -> SiteTest {
    for (name, front_matter) in pages {
        site.write(
            format!("content/{name}.md"),
            format!("---\n{front_matter}\n---\ntext\n"),
        );
        site.page(format!("public/{name}/index.html"), "");
    }
    site.commit("2024-05-06T07:08:09Z");
    site
}

#[test]
fn listed_pages_whose_sources_are_drafts_are_one_finding() {
    for mark in ["draft: true", "published: false"] {
        let pages = [("a", mark), ("b", mark), ("c", mark), ("d", "title: d")];
        let site = site(SiteTest::hugo(""), &pages);
        let outcome = site.build();
        assert_eq!(outcome.stderr.matches("draft-built").count(), 1);
        outcome.says(&format!("is a draft: `{mark}`, and 2 other pages"));
        site.write("waypost.toml", "drafts = \"allow\"\n");
        site.build().says_nothing_of("draft-built");
    }
}

#[test]
fn drafts_are_excluded_on_request_unless_they_say_otherwise() {
    let pages = [
        ("a", "title: a"),
        ("b", "draft: true"),
        ("c", "draft: true\nparams:\n  waypost:\n    exclude: false"),
    ];
    let site = site(SiteTest::hugo(""), &pages);
    site.write("waypost.toml", "drafts = \"exclude\"\n");
    site.build().says_nothing_of("draft-built");
    let expected = [
        pair("a/index.html", None),
        pair("b/index.html", "draft"),
        pair("c/index.html", None),
    ];
    assert_eq!(site.explained("reason"), expected);
}

#[test]
fn pages_that_the_generator_is_told_to_build_are_no_finding() {
    let check = |setting: &str, front_matter: &str| {
        let hugo = SiteTest::hugo(&format!("{setting}\n"));
        let site = site(hugo, &[("a", front_matter)]);
        site.build().says_nothing_of("draft-built");
    };
    check("buildDrafts = true", "draft: true");
    check("", "draft: false");
}

#[test]
fn each_generator_has_its_own_marks_of_a_draft() {
    let drafts = site(SiteTest::zola(""), &[("a", "draft: true")]);
    drafts.build().says("warning[draft-built]");
    // A key of other generators.
    let other = site(SiteTest::zola(""), &[("a", "published: false")]);
    other.build().says_nothing_of("draft-built");
    let jekyll = SiteTest::empty();
    let url = "url: https://example.com\n";
    jekyll
        .write("_config.yml", url)
        .write("a.md", "---\npublished: false\n---\n")
        .page("_site/a.html", "");
    jekyll.build().says("warning[draft-built]: `a.html`");
    jekyll.write("_config.yml", format!("{url}unpublished: true\n"));
    jekyll.build().says_nothing_of("draft-built");
}

#[test]
fn jekyll_builds_the_directory_of_drafts_only_on_request() {
    for (front_matter, page) in [
        ("date: 2024-01-02", "2024/01/02/a.html"),
        ("permalink: /a.html", "a.html"),
    ] {
        let site = SiteTest::empty();
        site.write("_config.yml", "url: https://example.com\n")
            .write("_drafts/a.md", format!("---\n{front_matter}\n---\n"))
            .page(format!("_site/{page}"), "");
        site.build().says("source `_drafts/a.md` is a draft");
        let settings = site.read("_config.yml") + "show_drafts: true\n";
        site.write("_config.yml", settings);
        site.build().says_nothing_of("draft-built");
    }
}

#[test]
fn astro_builds_drafts_unless_starlight_leaves_them_out() {
    let starlight = "integrations: [starlight({ title: 'A' })], ";
    for (config, source, is_reported) in [
        ("", "src/pages/a.md", false),
        (starlight, "src/content/docs/a.md", true),
    ] {
        let site = SiteTest::empty();
        let config = format!("export default {{ {config}site: 'https://example.com' }}");
        site.write("astro.config.mjs", config)
            .write(source, "---\ndraft: true\n---\n")
            .page("dist/a/index.html", "");
        let found = site.build().stderr.contains("draft-built");
        assert_eq!(found, is_reported, "{source}");
    }
}

#[test]
fn drafts_and_hidden_pages_which_pelican_always_builds_are_not_listed() {
    let site = SiteTest::empty();
    site.write("pelicanconf.py", "SITEURL = 'https://example.com'\n");
    let mut expected = Vec::new();
    for (file, status, page) in [
        ("a.md", "published", "a.html"),
        ("c.md", "hidden", "c.html"),
        ("b.md", "draft", "drafts/b.html"),
        ("pages/d.md", "draft", "drafts/pages/d.html"),
    ] {
        let slug = page.split('/').next_back().unwrap_or_default();
        let text = format!("Title: T\nSlug: {}\nStatus: {status}\n", &slug[..1]);
        site.write(format!("content/{file}"), text)
            .page(format!("output/{page}"), "");
        let is_excluded = status != "published";
        expected.push(pair(page, is_excluded.then_some("excluded-by-page")));
    }
    assert_eq!(site.explained("reason"), expected);
}

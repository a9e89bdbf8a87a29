//! Pages whose source is a draft.

use crate::site_test::{SiteTest, pair};

fn site(config: (&str, &str), pages: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::empty();
    site.write(config.0, config.1);
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

const HUGO: (&str, &str) = ("hugo.toml", "baseURL = \"https://example.com/\"\n");

#[test]
fn a_listed_page_whose_source_is_a_draft_is_reported() {
    let check = |front_matter: &str, state: &str| {
        let message = format!(
            "warning[draft-built]: `b/index.html` is listed, but its source `content/b.md` is a draft: {state}"
        );
        let site = site(HUGO, &[("a", "title: a"), ("b", front_matter)]);
        site.build().says(&message);
        site.write("waypost.toml", "drafts = \"allow\"\n");
        site.build().says_nothing_of("draft-built");
    };
    check("draft: true", "`draft: true`");
    check("published: false", "`published: false`");
}

#[test]
fn many_drafts_are_one_finding() {
    let draft = "draft: true";
    let pages = [("a", draft), ("b", draft), ("c", draft), ("d", "title: d")];
    let outcome = site(HUGO, &pages).build();
    assert_eq!(outcome.stderr.matches("draft-built").count(), 1);
    outcome.says("is a draft: `draft: true`, and 2 other pages are listed likewise");
}

#[test]
fn drafts_are_excluded_on_request_with_a_reason_of_their_own() {
    let pages = [
        ("a", "title: a"),
        ("b", "draft: true"),
        ("c", "draft: true\nparams:\n  waypost:\n    exclude: false"),
    ];
    let site = site(HUGO, &pages);
    site.write("waypost.toml", "drafts = \"exclude\"\n");
    site.build().says_nothing_of("draft-built");
    assert_eq!(
        site.explained("reason"),
        [
            pair("a/index.html", None),
            pair("b/index.html", "draft"),
            pair("c/index.html", None)
        ]
    );
    assert_eq!(
        site.explained("evidence")[1],
        pair("b/index.html", "`draft: true`")
    );
}

#[test]
fn pages_that_the_generator_is_told_to_build_are_no_finding() {
    let check = |setting: &str, front_matter: &str| {
        let config = format!("{}{setting}\n", HUGO.1);
        site((HUGO.0, &config), &[("a", front_matter)])
            .build()
            .says_nothing_of("draft-built");
    };
    check("buildDrafts = true", "draft: true");
    check("", "draft: false");
}

#[test]
fn each_generator_has_its_own_marks_of_a_draft() {
    let zola = ("config.toml", "base_url = \"https://example.com\"\n");
    site(zola, &[("a", "draft: true")])
        .build()
        .says("warning[draft-built]");
    // A key of other generators.
    site(zola, &[("a", "published: false")])
        .build()
        .says_nothing_of("draft-built");
    let jekyll = SiteTest::empty();
    jekyll
        .write("_config.yml", "url: https://example.com\n")
        .write("a.md", "---\npublished: false\n---\n")
        .page("_site/a.html", "");
    jekyll.build().says(
        "warning[draft-built]: `a.html` is listed, but its source `a.md` is a draft: `published: false`",
    );
    jekyll.write(
        "_config.yml",
        "url: https://example.com\nunpublished: true\n",
    );
    jekyll.build().says_nothing_of("draft-built");
}

#[test]
fn jekyll_builds_the_directory_of_drafts_only_on_request() {
    let jekyll = |config: &str, front_matter: &str, page: &str| {
        let site = SiteTest::empty();
        site.write("_config.yml", format!("url: https://example.com\n{config}"))
            .write("_drafts/a.md", format!("---\n{front_matter}\n---\n"))
            .page(format!("_site/{page}"), "");
        site.build()
    };
    for (front_matter, page) in [
        ("date: 2024-01-02", "2024/01/02/a.html"),
        ("permalink: /a.html", "a.html"),
    ] {
        let message = format!(
            "warning[draft-built]: `{page}` is listed, but its source `_drafts/a.md` is a draft: `_drafts/`"
        );
        jekyll("", front_matter, page).says(&message);
        jekyll("show_drafts: true\n", front_matter, page).says_nothing_of("draft-built");
    }
}

#[test]
fn astro_builds_drafts_unless_starlight_leaves_them_out() {
    let astro = |config: &str, source: &str| {
        let site = SiteTest::empty();
        let site_url = "site: 'https://example.com'";
        site.write(
            "astro.config.mjs",
            format!("export default {{ {config}{site_url} }}"),
        )
        .write(source, "---\ndraft: true\n---\n")
        .page("dist/a/index.html", "");
        site.build()
    };
    astro("", "src/pages/a.md").says_nothing_of("draft-built");
    let starlight = "integrations: [starlight({ title: 'A' })], ";
    astro(starlight, "src/content/docs/a.md").says("draft-built");
}

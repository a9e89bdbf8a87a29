//! Sites beyond a generator's conventions: languages with their own hosts, links out of the content.

use crate::site_test::{SiteTest, text_at};

#[test]
fn languages_with_their_own_hosts_are_separate_sites() {
    let site = SiteTest::empty();
    site.write(
        "hugo.toml",
        "baseURL = \"https://example.org/\"\n\
         [languages.en]\nbaseURL = \"https://en.example.org/\"\n\
         [languages.fr]\nbaseURL = \"https://fr.example.org/sub/\"\n",
    );
    site.write("content/a.md", "---\n---\n")
        .write("content/a.fr.md", "---\n---\n");
    site.page("public/en/a/index.html", "")
        .page("public/fr/a/index.html", "");
    site.commit("2024-05-05T00:00:00Z");
    let whole = site.waypost(&[]).ended_with(2);
    whole
        .says("each language of this site has its own base URL")
        .says("`waypost -o public/en`");
    site.waypost(&["-o", "public"]).ended_with(2);
    site.waypost(&["-o", "public/fr"]).succeeded();
    let entry = site.entries_of("public/fr/sitemap.xml").remove(0);
    assert_eq!(entry.loc, "https://fr.example.org/sub/a/");
    assert_eq!(entry.lastmod.as_deref(), Some("2024-05-05T00:00:00Z"));
}

#[test]
fn links_out_of_the_content_are_not_followed() {
    let site = SiteTest::zola("");
    site.write("outside/secret.md", "+++\ndate = 2001-01-01\n+++\n");
    let inner = |path: &str| site.root().join("site").join(path);
    std::fs::create_dir_all(inner("content")).expect("the directory can be created");
    site.write("site/config.toml", "base_url = \"https://example.com\"\n")
        .write("site/shared/a.md", "+++\n+++\n");
    site.link("site/content/out", "../../outside")
        .link("site/content/in", "../shared");
    site.page("site/public/out/secret/index.html", "")
        .page("site/public/in/a/index.html", "");
    let explained = site.waypost(&["explain", "site", "--json"]).succeeded();
    let sources = explained.stdout.lines().map(|line| {
        let page: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        (text_at(&page, "file"), text_at(&page, "source"))
    });
    let row = |file: &str, source: Option<&str>| (Some(file.to_owned()), source.map(str::to_owned));
    let expected = [
        row("in/a/index.html", Some("content/in/a.md")),
        row("out/secret/index.html", None),
    ];
    assert_eq!(sources.collect::<Vec<_>>(), expected);
    site.waypost(&["site"])
        .succeeded()
        .says("this path leads outside the site and its repository, so it is not followed");
}

#[test]
fn settings_of_other_programs_valid_or_not_do_not_identify_a_generator() {
    // Valid ones of Jupyter Book, of a script and of a tool.
    let book = ("_config.yml", "title: a book\nexecute: {}\n");
    for (file, text) in [
        book,
        ("conf.py", "import os\n"),
        ("config.toml", "[core]\n"),
    ] {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write(file, text)
            .build()
            .says("(directory of HTML files)");
    }
    for file in ["config.yml", "config.yaml", "config.json", "config.toml"] {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write(file, "a: [1\n")
            .build()
            .says("(directory of HTML files)");
        let site = SiteTest::empty();
        site.write(file, "a: [1\n")
            .write("mkdocs.yml", "site_url: https://example.com/\n");
        site.page("site/index.html", "").build().says("(MkDocs)");
        site.waypost(&["site"]).succeeded().says("(MkDocs)");
        let site = SiteTest::empty();
        site.write(file, "a: [1\n").page("out/index.html", "");
        site.waypost(&["out", "--base-url", "https://example.com/"])
            .succeeded()
            .says("(directory of HTML files)");
    }
}

#[test]
fn invalid_settings_stop_the_run_if_nothing_else_identifies_the_site() {
    let check = |file: &str| {
        let site = SiteTest::empty();
        site.write(file, "a: [1\n")
            .page("public/index.html", "")
            .page("_site/index.html", "");
        site.waypost(&["--base-url", "https://example.com/"])
            .ended_with(2)
            .says(file);
    };
    check("config.toml");
    check("_config.yml");
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("_config.yml", "a: [1\n")
        .waypost(&[])
        .ended_with(2)
        .says("_config.yml");
}

#[test]
fn a_computed_base_url_is_not_replaced_by_the_url_of_something_else() {
    let check = |file: &str, settings: &str, page: &str| {
        let site = SiteTest::empty();
        site.write(file, settings).page(page, "");
        let said = " is computed, and settings are not run";
        site.waypost(&[]).ended_with(2).says(said);
        site.waypost(&["--base-url", "https://example.com/"])
            .succeeded();
    };
    let pelican = "SITEURL = 'https://example.com' if released else ''\n";
    check("pelicanconf.py", pelican, "output/index.html");
    let astro = "export default defineConfig({\n  site: process.env.SITE_URL,\n  \
                 integrations: [analytics({ site: 'https://stats.example.org' })],\n});\n";
    check("astro.config.mjs", astro, "dist/index.html");
    let docusaurus = "module.exports = { url: process.env.URL ?? 'https://example.com', \
                      baseUrl: '/',\n  \
                      themeConfig: { items: [{ url: 'https://example.org/' }] } };\n";
    check("docusaurus.config.js", docusaurus, "build/index.html");
}

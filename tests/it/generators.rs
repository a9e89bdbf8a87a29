//! Small sites of several generators: each page has the source it was made from, and its date.
//!
//! The paths of the pages, here and in [`crate::hugo`], were taken from the real generators; the slow
//! suite checks them against those.

use crate::site_test::{SiteTest, pair};

/// Writes content files with front matter, and the pages generated from them.
pub(crate) fn fill(site: &SiteTest, front_matter_mark: &str, content: &[(&str, &str, &str)]) {
    for (source, front_matter, page) in content {
        site.write(
            source,
            format!("{front_matter_mark}\n{front_matter}\n{front_matter_mark}\ntext\n"),
        );
        site.page(page, "");
    }
}

/// Asserts that every page has the source in `content`.
#[track_caller]
pub(crate) fn sources_are(site: &SiteTest, output: &str, content: &[(&str, &str, &str)]) {
    let mut expected: Vec<(String, Option<String>)> = content
        .iter()
        .map(|(source, _, page)| {
            (
                page.trim_start_matches(output).to_owned(),
                Some((*source).to_owned()),
            )
        })
        .collect();
    expected.sort();
    assert_eq!(site.explained("source"), expected);
}

#[test]
fn a_section_of_zola_is_served_at_its_directory_regardless_of_path_and_slug() {
    let site = SiteTest::empty();
    site.write(
        "config.toml",
        "base_url = \"https://example.com\"\ntaxonomies = [{ name = \"tags\" }]\n",
    );
    let content = [
        (
            "content/posts/_index.md",
            "path = \"tags\"",
            "public/posts/index.html",
        ),
        (
            "content/notes/_index.md",
            "slug = \"named\"",
            "public/notes/index.html",
        ),
        (
            "content/notes/a.md",
            "path = \"elsewhere\"",
            "public/elsewhere/index.html",
        ),
    ];
    fill(&site, "+++", &content);
    sources_are(&site, "public/", &content);
    site.page("public/tags/index.html", "")
        .page("public/named/index.html", "");
    let sources = site.explained("source");
    for list in ["named/index.html", "tags/index.html"] {
        assert!(sources.contains(&pair(list, None)), "{sources:?}");
    }
}

fn book() -> SiteTest {
    let site = SiteTest::empty();
    site.write(
        "book.toml",
        "[book]\ntitle = \"B\"\n[output.html]\nsite-url = \"/book/\"\ncname = \"example.com\"\n",
    );
    site.write(
        "src/SUMMARY.md",
        "# Summary\n\n- [First](first.md)\n- [Part](part/README.md)\n  - [Two](part/two.md)\n",
    );
    for chapter in ["first", "part/README", "part/two"] {
        site.write(format!("src/{chapter}.md"), format!("# {chapter}\n"));
    }
    for page in ["first", "part/index", "part/two", "index"] {
        let text = if page == "index" { "first" } else { page };
        site.write(
            format!("book/{page}.html"),
            format!("<!DOCTYPE html><title>{text}</title><p>{text}</p>"),
        );
    }
    site.page(
        "book/print.html",
        "<meta name=\"robots\" content=\"noindex\">",
    )
    .page("book/404.html", "");
    site
}

#[test]
fn mdbooks_pages_are_traced_to_their_chapters_and_the_first_is_listed_once() {
    let site = book();
    site.commit("2024-05-05T00:00:00Z");
    site.build();
    let sources = [
        pair("404.html", None),
        pair("first.html", "src/first.md"),
        pair("index.html", "src/first.md"),
        pair("part/index.html", "src/part/README.md"),
        pair("part/two.html", "src/part/two.md"),
        pair("print.html", None),
    ];
    assert_eq!(site.explained("source"), sources);
    let reasons: Vec<_> = site
        .explained("reason")
        .into_iter()
        .filter(|(_, reason)| reason.is_some())
        .collect();
    let expected = [
        pair("404.html", "error-page"),
        pair("first.html", "canonical-duplicate"),
        pair("print.html", "noindex"),
    ];
    assert_eq!(reasons, expected);
    let urls: Vec<String> = site
        .entries_of("book/sitemap.xml")
        .into_iter()
        .map(|entry| entry.loc)
        .collect();
    let base = "https://example.com/book/";
    assert_eq!(
        urls,
        ["", "part/", "part/two.html"].map(|path| format!("{base}{path}"))
    );
}

#[test]
fn a_book_with_a_second_renderer_is_found_in_its_html_directory() {
    let site = book();
    std::fs::rename(site.root().join("book"), site.root().join("html"))
        .expect("the directory exists");
    std::fs::create_dir(site.root().join("book")).expect("it is free");
    std::fs::rename(site.root().join("html"), site.root().join("book/html")).expect("it is free");
    let settings = site.read("book.toml");
    site.write("book.toml", settings + "[output.linkcheck]\n")
        .build();
    assert_eq!(site.entries_of("book/html/sitemap.xml").len(), 3);
}

#[test]
fn a_draft_does_not_compete_with_a_published_file() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    fill(&site, "+++", &[("content/a.md", "", "public/a/index.html")]);
    site.write("content/2024-01-01-a.md", "+++\ndraft = true\n+++\n");
    assert_eq!(
        site.explained("source"),
        [pair("a/index.html", "content/a.md")]
    );
    // Two published files or two drafts are ambiguous.
    site.write("content/2024-01-01-a.md", "+++\n+++\n");
    assert_eq!(site.explained("source"), [pair("a/index.html", None)]);
    for file in ["content/a.md", "content/2024-01-01-a.md"] {
        site.write(file, "+++\ndraft = true\n+++\n");
    }
    assert_eq!(site.explained("source"), [pair("a/index.html", None)]);
}

#[test]
fn a_page_may_name_its_own_source() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .write("data/list.toml", "");
    site.page(
        "public/list/index.html",
        "<meta name=\"waypost:source\" content=\"data/list.toml\">",
    );
    site.page(
        "public/evil/index.html",
        "<meta name=\"waypost:source\" content=\"../../etc/passwd\">",
    );
    site.commit("2024-05-05T00:00:00Z");
    site.build()
        .says("warning[source-missing]")
        .says("is outside the site root");
    assert_eq!(
        site.explained("source"),
        [
            pair("evil/index.html", None),
            pair("list/index.html", "data/list.toml")
        ]
    );
    assert_eq!(
        site.explained("lastmod")[1],
        pair("list/index.html", "2024-05-05T00:00:00Z")
    );
}

#[test]
fn the_directory_of_a_language_is_spelt_as_in_the_settings_of_zola() {
    let zola = SiteTest::empty();
    zola.write(
        "config.toml",
        "base_url = \"https://example.com\"\n[languages.zh-TW]\n[languages.pt-BR]\n",
    );
    let content = [
        ("content/_index.zh-TW.md", "", "public/zh-TW/index.html"),
        ("content/a.md", "", "public/a/index.html"),
        ("content/a.pt-BR.md", "", "public/pt-BR/a/index.html"),
    ];
    fill(&zola, "+++", &content);
    sources_are(&zola, "public/", &content);
}

#[test]
fn the_index_of_a_directory_may_be_a_file_next_to_it() {
    let astro = SiteTest::empty();
    astro.write(
        "astro.config.mjs",
        "export default { site: 'https://example.com', build: { format: 'file' } };\n",
    );
    let content = [
        ("src/pages/index.astro", "", "dist/index.html"),
        ("src/pages/about.astro", "", "dist/about.html"),
        ("src/pages/blog/index.astro", "", "dist/blog.html"),
    ];
    fill(&astro, "---", &content);
    sources_are(&astro, "dist/", &content);
    let sphinx = SiteTest::empty();
    sphinx.write(
        "conf.py",
        "project = about.__title__\nhtml_baseurl = u'https://example.com/'\n",
    );
    for source in ["index.rst", "api.rst", "api/index.rst", "guide/index.rst"] {
        sphinx.write(source, "");
        sphinx.page(
            format!("_build/html/{}", source.replace(".rst", ".html")),
            "",
        );
    }
    let expected = [
        pair("api.html", "api.rst"),
        pair("api/index.html", None),
        pair("guide/index.html", "guide/index.rst"),
        pair("index.html", "index.rst"),
    ];
    assert_eq!(sphinx.explained("source"), expected);
}

#[test]
fn mkdocs_builds_one_of_two_indexes_in_a_directory() {
    let site = SiteTest::empty();
    site.write(
        "mkdocs.yml",
        "site_name: x\nsite_url: https://example.com/\n",
    )
    .write("docs/README.md", "");
    let content = [
        ("docs/index.md", "", "site/index.html"),
        ("docs/a/README.md", "", "site/a/index.html"),
    ];
    fill(&site, "---", &content);
    sources_are(&site, "site/", &content);
}

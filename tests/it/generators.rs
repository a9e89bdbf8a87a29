//! Small sites of several generators: each page has the source it was made from, and its date.
//!
//! The paths of the pages, here and in [`crate::hugo`], were taken from the real generators; the slow
//! suite checks them against those.

use crate::site_test::{SiteTest, pair};

/// Writes content files with front matter, and the pages generated from them.
pub(crate) fn fill(site: &SiteTest, front_matter_mark: &str, content: &[(&str, &str, &str)]) {
    for (source, front_matter, page) in content {
        let text = format!("{front_matter_mark}\n{front_matter}\n{front_matter_mark}\ntext\n");
        site.write(source, text).page(page, "");
    }
}

/// Asserts that every page has the source in `content`.
#[track_caller]
pub(crate) fn sources_are(site: &SiteTest, output: &str, content: &[(&str, &str, &str)]) {
    let expected = content.iter().map(|(source, _, page)| {
        let page = page.trim_start_matches(output);
        (page.to_owned(), Some((*source).to_owned()))
    });
    let mut expected: Vec<_> = expected.collect();
    expected.sort();
    assert_eq!(site.explained("source"), expected);
}

#[test]
fn a_section_of_zola_is_served_at_its_directory_regardless_of_path_and_slug() {
    let site = SiteTest::zola("taxonomies = [{ name = \"tags\" }]\n");
    let (posts, notes) = ("content/posts/_index.md", "content/notes/_index.md");
    let content = [
        (posts, "path = \"tags\"", "public/posts/index.html"),
        (notes, "slug = \"named\"", "public/notes/index.html"),
        ("content/notes/a.md", "path = \"b\"", "public/b/index.html"),
    ];
    fill(&site, "+++", &content);
    sources_are(&site, "public/", &content);
    site.index_pages("public", "tags/ named/");
    let sources = site.explained("source");
    for list in ["named/index.html", "tags/index.html"] {
        assert!(sources.contains(&pair(list, None)), "{sources:?}");
    }
}

#[test]
fn the_first_chapter_is_listed_once_also_in_a_book_with_a_second_renderer() {
    let html = "[book]\n[output.html]\nsite-url = \"/book/\"\ncname = \"example.com\"\n";
    for (settings, output) in [("", "book"), ("[output.linkcheck]\n", "book/html")] {
        let site = SiteTest::empty();
        site.write("book.toml", format!("{html}{settings}"))
            .write("src/SUMMARY.md", "- [First](first.md)\n- [Two](two.md)\n")
            .write("src/first.md", "# First\n")
            .write("src/two.md", "# Two\n")
            .page(format!("{output}/404.html"), "");
        let noindex = "<meta name=\"robots\" content=\"noindex\">";
        site.page(format!("{output}/print.html"), noindex);
        for (page, chapter) in [("index", "first"), ("first", "first"), ("two", "two")] {
            let text = format!("<!DOCTYPE html><title>{chapter}</title>");
            site.write(format!("{output}/{page}.html"), text);
        }
        site.build();
        let entries = site.entries_of(&format!("{output}/sitemap.xml"));
        let urls = entries.into_iter().map(|entry| entry.loc);
        let expected = ["", "two.html"].map(|path| format!("https://example.com/book/{path}"));
        assert_eq!(urls.collect::<Vec<_>>(), expected);
        let expected = pair("index.html", "src/first.md");
        assert!(site.explained("source").contains(&expected));
    }
}

#[test]
fn a_draft_does_not_compete_with_a_published_file() {
    let (draft, published) = ("+++\ndraft = true\n+++\n", "+++\n+++\n");
    for (first, second, source) in [
        (published, draft, Some("content/a.md")),
        // Two published files or two drafts are ambiguous.
        (published, published, None),
        (draft, draft, None),
    ] {
        let site = SiteTest::zola("");
        site.write("content/a.md", first)
            .write("content/2024-01-01-a.md", second)
            .page("public/a/index.html", "");
        assert_eq!(site.explained("source"), [pair("a/index.html", source)]);
    }
}

#[test]
fn a_page_may_name_its_own_source() {
    let site = SiteTest::zola("");
    site.write("data/list.toml", "");
    for (page, source) in [("list", "data/list.toml"), ("evil", "../../etc/passwd")] {
        let hint = format!("<meta name=\"waypost:source\" content=\"{source}\">");
        site.page(format!("public/{page}/index.html"), &hint);
    }
    site.commit("2024-05-05T00:00:00Z");
    site.build()
        .says("warning[source-missing]")
        .says("is outside the site root");
    let sources = [
        pair("evil/index.html", None),
        pair("list/index.html", "data/list.toml"),
    ];
    assert_eq!(site.explained("source"), sources);
}

#[test]
fn the_directory_of_a_language_is_spelt_as_in_the_settings_of_zola() {
    let zola = SiteTest::zola("[languages.zh-TW]\n[languages.pt-BR]\n");
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
    let settings = "export default { site: 'https://example.com', build: { format: 'file' } };\n";
    let astro = SiteTest::with(&[("astro.config.mjs", settings)]);
    let content = [
        ("src/pages/index.astro", "", "dist/index.html"),
        ("src/pages/about.astro", "", "dist/about.html"),
        ("src/pages/blog/index.astro", "", "dist/blog.html"),
    ];
    fill(&astro, "---", &content);
    sources_are(&astro, "dist/", &content);
    let settings = "project = about.__title__\nhtml_baseurl = u'https://example.com/'\n";
    let sphinx = SiteTest::with(&[("conf.py", settings)]);
    for name in ["index", "api", "api/index", "guide/index"] {
        sphinx
            .write(format!("{name}.rst"), "")
            .page(format!("_build/html/{name}.html"), "");
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
    site.write("mkdocs.yml", "site_url: https://example.com/\n")
        .write("docs/README.md", "");
    let content = [
        ("docs/index.md", "", "site/index.html"),
        ("docs/a/README.md", "", "site/a/index.html"),
    ];
    fill(&site, "---", &content);
    sources_are(&site, "site/", &content);
}

#[test]
fn copied_files_are_found_where_the_settings_of_the_generator_have_them() {
    let vitepress = "export default { srcDir: 'src', outDir: 'public', sitemap: { hostname: 'https://example.com' } };\n";
    let astro =
        "export default { site: 'https://example.com', publicDir: 'static', outDir: 'public' };\n";
    for (file, settings, source) in [
        (".vitepress/config.mjs", vitepress, "src/public/a.html"),
        ("astro.config.mjs", astro, "static/a.html"),
    ] {
        let site = SiteTest::empty();
        site.write(file, settings).page(source, "");
        site.page("public/a.html", "").page("public/b.html", "");
        let sources = [pair("a.html", source), pair("b.html", None)];
        assert_eq!(site.explained("source"), sources);
    }
}

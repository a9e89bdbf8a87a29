//! Source maps: the lists of generators and lists with two columns give pages their sources.

use crate::chain::{hugo, steps};
use crate::site_test::{SiteTest, pair};

const HUGO_HEADER: &str =
    "path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section\n";

/// A row of `hugo list all`.
fn hugo_row(path: &str, permalink: &str) -> String {
    format!("{path},,\"A title, quoted\",2024-01-02T00:00:00Z,,,false,{permalink},page,posts\n")
}

#[test]
fn the_list_of_hugo_gives_sources_that_no_convention_can_find() {
    let site = hugo(
        "[permalinks]\nposts = \"/:year/:title/\"\n",
        &[
            "content/posts/a.md",
            "content/_content.gotmpl",
            "content/posts/late.md",
            "content/about.md",
        ],
        &[],
    );
    site.index_pages("public", "2024/a-title/ made/ about/ tags/");
    let rows = [
        hugo_row("content/posts/a.md", "https://example.com/2024/a-title/"),
        hugo_row("content/_content.gotmpl", "https://example.com/made/"),
        hugo_row("content/about.md", "https://example.com/about/"),
        hugo_row("content/posts/late.md", "https://example.com/2030/late/"),
    ];
    site.write(
        "list.csv",
        format!("a launcher's banner, \"in\n{HUGO_HEADER}{}", rows.concat()),
    );
    site.write("waypost.toml", "source_map = [\"list.csv\"]\n");
    let expected = [
        "2024/a-title/index.html: content/posts/a.md source_map",
        "about/index.html: content/about.md source_map",
        "made/index.html: content/_content.gotmpl source_map",
        "tags/index.html: - -",
    ];
    assert_eq!(steps(&site), expected);
    let made = pair("made/index.html", "2024-05-06T07:08:09Z");
    assert_eq!(site.explained("lastmod")[2], made);
    site.waypost(&["explain", ".", "/made/"])
        .shows("content/_content.gotmpl (source_map)");
}

#[test]
fn urls_in_a_list_may_have_the_base_url_of_the_generator_or_of_a_language() {
    let check = |settings: &str, dir: &str, rows: &[String]| {
        let site = hugo(
            settings,
            &["content/a.md", "content/a.fr.md", "content/b.md"],
            &["b/index.html", "en/a/index.html", "fr/a/index.html"],
        );
        site.write("list.csv", format!("{HUGO_HEADER}{}", rows.concat()));
        let preview = ["--base-url", "https://preview.example.org/", "-o", dir];
        let explain = ["explain", "--json", "--source-map", "list.csv"];
        let outcome = site.waypost(&[&explain[..], &preview].concat());
        let stdout = outcome.succeeded().stdout;
        let found = stdout.matches("\"source_from\":\"source_map\"").count();
        assert_eq!(found, 1, "{dir}: {stdout}");
    };
    let languages = "[languages.en]\nbaseURL = \"https://en.example.net/\"\n\
                     [languages.fr]\nbaseURL = \"https://fr.example.net/x/\"\n";
    let of_both = [
        hugo_row("content/a.md", "https://en.example.net/a/"),
        hugo_row("content/a.fr.md", "https://fr.example.net/x/a/"),
    ];
    let of_one = [hugo_row("content/b.md", "https://example.com/b/")];
    check("", "public", &of_one);
    check(languages, "public/en", &of_both);
    check(languages, "public/fr", &of_both);
}

#[test]
fn a_file_next_to_the_site_may_be_a_source_but_not_one_outside_its_repository() {
    let site = SiteTest::empty();
    site.write("README.md", "")
        .write("docs/hugo.toml", "baseURL = \"https://example.com/\"\n");
    site.page("docs/public/readme/index.html", "")
        .page("docs/public/evil/index.html", "");
    site.commit("2024-05-06T07:08:09Z");
    let readme = site.root().join("README.md").display().to_string();
    site.write(
        "docs/list.csv",
        format!("readme/,{readme}\nevil/,../../../etc/passwd\n"),
    );
    let outcome = site
        .waypost(&["explain", "docs", "--json", "--source-map", "docs/list.csv"])
        .succeeded();
    let shown = outcome.stdout;
    assert!(shown.contains(r#""source":"../README.md","source_from":"source_map""#));
    assert!(shown.contains(r#""lastmod":"2024-05-06T07:08:09Z""#));
    assert!(!shown.contains("passwd"), "{shown}");
    site.waypost(&["docs", "--source-map", "docs/list.csv"])
        .succeeded()
        .says("is outside the site root");
}

#[test]
fn lists_of_docusaurus_and_eleventy_are_recognized_by_their_content() {
    let site = SiteTest::of_pages(&["build/docs/intro/index.html", "build/blog.html"]);
    let settings = "base_url = \"https://example.com/base/\"\noutput_dir = \"build\"\n";
    site.write("waypost.toml", settings);
    site.write("docs/intro.mdx", "")
        .write("blog/index.njk", "")
        .commit("2024-05-06T07:08:09Z");
    let eleventy = r#"[{"url": "/blog.html", "inputPath": "./blog/index.njk", "content": "<p>"}]"#;
    let made = ".docusaurus/docusaurus-plugin-content-docs/default/p/base-docs-3f1.json";
    site.docusaurus_page("/base/docs/intro", "docs/intro.mdx")
        .write(made, "{\"categoryGeneratedIndex\": {}}")
        .write(
            ".docusaurus/site-metadata.json",
            r#"{"docusaurusVersion": "3.10.0"}"#,
        )
        .write("eleventy.json", eleventy);
    let lists = "--source-map .docusaurus --source-map eleventy.json";
    let lists: Vec<&str> = lists.split(' ').collect();
    let explained = site.waypost(&[&["explain", "--json"], &lists[..]].concat());
    let stdout = explained.succeeded().stdout;
    for source in ["docs/intro.mdx", "blog/index.njk"] {
        let named = format!(r#""source":"{source}","source_from":"source_map""#);
        assert!(stdout.contains(&named), "{source}: {stdout}");
    }
}

#[test]
fn a_list_with_two_columns_works_for_every_other_generator() {
    let site = SiteTest::of_pages(&["a/index.html", "b.html", "caf\u{e9}.html", "d.html"]);
    for source in ["src/a.adoc", "src/b.adoc", "src/d.adoc"] {
        site.write(source, "");
    }
    site.commit("2024-05-06T07:08:09Z");
    let list = "page,source\n# ours\n/a/,./src/a.adoc\nb.html,src/b.adoc\n\
                https://example.com/caf%C3%A9,src/d.adoc\n";
    site.write("map.csv", list)
        .settings("source_map = [\"map.csv\"]\n");
    let expected = [
        "a/index.html: src/a.adoc source_map",
        "b.html: src/b.adoc source_map",
        "caf\u{e9}.html: src/d.adoc source_map",
        "d.html: d.html itself",
    ];
    assert_eq!(steps(&site), expected);
}

#[test]
fn a_list_that_cannot_be_read_stops_the_run_and_its_line_is_reported() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.write("map.csv", "a.html,a.md\nb.html\n")
        .write("empty/x", "");
    let formats = "hint: supported formats: two columns `page,source`";
    let before = "hint: write it before running waypost";
    for (list, said, hint) in [
        ("map.csv", "map.csv` does not have two columns", formats),
        ("none.csv", "cannot read the source map", before),
        ("empty", "empty` does not list any page", formats),
    ] {
        let outcome = site.waypost(&["--source-map", list]).ended_with(2);
        outcome.says(said).says(hint);
    }
    let utf_16: Vec<u8> = "\u{feff}a.html,a.html\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    site.write("utf-16.csv", utf_16)
        .waypost(&["--source-map", "utf-16.csv"])
        .succeeded();
}

#[test]
fn a_list_of_another_site_is_a_finding_and_so_is_a_missing_source() {
    let site = SiteTest::of_pages(&["a.html"]);
    let missing = "the source `gone.md` named by the source map does not exist";
    let two = "source maps name two sources, `a.md` and `waypost.toml`, so neither is used";
    for (list, said) in [
        (
            "https://example.net/a.html,a.md\n",
            "warning[setting-unused]",
        ),
        ("a.html,gone.md\n", missing),
        ("a.html,a.md\na.html,waypost.toml\n", two),
    ] {
        site.write("map.csv", list);
        let outcome = site.waypost(&["--source-map", "map.csv"]);
        outcome.succeeded().says(said);
    }
}

#[test]
fn the_index_of_a_directory_in_docusaurus_has_its_source_with_and_without_a_slash() {
    for page in ["a.html", "a/index.html"] {
        let site = SiteTest::empty();
        let config = "module.exports = { url: 'https://example.com', baseUrl: '/' };";
        site.write("docusaurus.config.js", config)
            .docusaurus_page("/a/", "docs/a/index.md")
            .write("docs/a/index.md", "# A\n")
            .page(format!("build/{page}"), "");
        assert_eq!(site.explained("source"), [pair(page, "docs/a/index.md")]);
    }
}

//! How the source of a page is found: the order of the steps, the result, and disagreements.

use crate::site_test::{SiteTest, pair};

const HUGO_HEADER: &str =
    "path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section\n";

/// A row of `hugo list all`.
fn hugo_row(path: &str, draft: bool, permalink: &str) -> String {
    format!("{path},,\"A title, quoted\",2024-01-02T00:00:00Z,,,{draft},{permalink},page,posts\n")
}

/// A committed Hugo site with these content files and pages.
fn hugo(settings: &str, content: &[&str], pages: &[&str]) -> SiteTest {
    let site = SiteTest::empty();
    site.write(
        "hugo.toml",
        format!("baseURL = \"https://example.com/\"\n{settings}"),
    );
    for file in content {
        site.write(file, "---\ntitle: t\n---\n");
    }
    for page in pages {
        site.page(format!("public/{page}"), "");
    }
    site.commit("2024-05-06T07:08:09Z");
    site
}

/// Pages with their sources and the steps that found them.
fn steps(site: &SiteTest) -> Vec<String> {
    let text = |page: &serde_json::Value, key: &str| page[key].as_str().unwrap_or("-").to_owned();
    let pages = site.explain().into_iter();
    pages
        .map(|(file, page)| {
            format!(
                "{file}: {} {}",
                text(&page, "source"),
                text(&page, "source_from")
            )
        })
        .collect()
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
        &[
            "2024/a-title/index.html",
            "made/index.html",
            "about/index.html",
            "tags/index.html",
        ],
    );
    let rows = [
        hugo_row(
            "content/posts/a.md",
            false,
            "https://example.com/2024/a-title/",
        ),
        hugo_row(
            "content/posts/late.md",
            true,
            "https://example.com/2024/a-title/",
        ),
        hugo_row(
            "content/_content.gotmpl",
            false,
            "https://example.com/made/",
        ),
        hugo_row("content/about.md", false, "https://example.com/about/"),
        hugo_row(
            "content/posts/late.md",
            false,
            "https://example.com/2030/late/",
        ),
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
    assert_eq!(
        site.explained("lastmod")[2],
        pair("made/index.html", "2024-05-06T07:08:09Z")
    );
    let stdout = site.waypost(&["explain", ".", "/made/"]).succeeded().stdout;
    assert!(
        stdout.contains("content/_content.gotmpl (source map)"),
        "{stdout}"
    );
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
        let arguments = [
            &["explain", "--json", "--source-map", "list.csv"][..],
            &preview,
        ]
        .concat();
        let stdout = site.waypost(&arguments).succeeded().stdout;
        assert_eq!(
            stdout.matches("\"source_from\":\"source_map\"").count(),
            1,
            "{dir}: {stdout}"
        );
    };
    let languages = "[languages.en]\nbaseURL = \"https://en.example.net/\"\n\
                     [languages.fr]\nbaseURL = \"https://fr.example.net/x/\"\n";
    let of_both = [
        hugo_row("content/a.md", false, "https://en.example.net/a/"),
        hugo_row("content/a.fr.md", false, "https://fr.example.net/x/a/"),
    ];
    check(
        "",
        "public",
        &[hugo_row("content/b.md", false, "https://example.com/b/")],
    );
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
    assert!(
        outcome
            .stdout
            .contains(r#""source":"../README.md","source_from":"source_map""#),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome
            .stdout
            .contains(r#""lastmod":"2024-05-06T07:08:09Z""#),
        "{}",
        outcome.stdout
    );
    assert!(!outcome.stdout.contains("passwd"), "{}", outcome.stdout);
    site.waypost(&["docs", "--source-map", "docs/list.csv"])
        .succeeded()
        .says("is outside the site root");
}

#[test]
fn lists_of_docusaurus_and_eleventy_are_recognized_by_their_content() {
    let site = SiteTest::of_pages(&[
        "build/docs/intro/index.html",
        "build/blog.html",
        "build/index.html",
    ]);
    site.write(
        "waypost.toml",
        "base_url = \"https://example.com/base/\"\noutput_dir = \"build\"\n",
    );
    site.write("docs/intro.mdx", "")
        .write("blog/index.njk", "")
        .commit("2024-05-06T07:08:09Z");
    let dir = ".docusaurus/docusaurus-plugin-content-docs/default";
    let page =
        r#"{"id": "intro", "source": "@site/docs/intro.mdx", "permalink": "/base/docs/intro"}"#;
    site.write(format!("{dir}/site-docs-intro-mdx-1a2.json"), page);
    site.write(
        format!("{dir}/p/base-docs-3f1.json"),
        "{\"categoryGeneratedIndex\": {}}",
    );
    site.write(
        ".docusaurus/site-metadata.json",
        r#"{"docusaurusVersion": "3.10.0", "pluginVersions": {}}"#,
    );
    site.write(
        ".docusaurus/site-storage.json",
        r#"{"type": "localStorage", "namespace": ""}"#,
    );
    site.write(
        "eleventy.json",
        r#"[{"url": "/blog.html", "inputPath": "./blog/index.njk", "content": "<p>"}]"#,
    );
    let arguments = [
        "explain",
        "--json",
        "--source-map",
        ".docusaurus",
        "--source-map",
        "eleventy.json",
    ];
    let stdout = site.waypost(&arguments).succeeded().stdout;
    for source in ["docs/intro.mdx", "blog/index.njk"] {
        assert!(
            stdout.contains(&format!(
                r#""source":"{source}","source_from":"source_map""#
            )),
            "{source}: {stdout}"
        );
    }
}

#[test]
fn a_list_with_two_columns_works_for_every_other_generator() {
    let site = SiteTest::of_pages(&["a/index.html", "b.html", "caf\u{e9}.html", "d.html"]);
    for source in ["src/a.adoc", "src/b, c.adoc", "src/d.adoc"] {
        site.write(source, "");
    }
    site.commit("2024-05-06T07:08:09Z");
    let list = "page,source\n# ours\n/a/,./src/a.adoc\nb.html,\"src/b, c.adoc\"\n\
                https://example.com/caf%C3%A9,src/d.adoc\n";
    site.write("map.csv", list)
        .settings("source_map = [\"map.csv\"]\n");
    let expected = [
        "a/index.html: src/a.adoc source_map",
        "b.html: src/b, c.adoc source_map",
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
    let check = |list: &str, said: &str, hint: &str| {
        site.waypost(&["--source-map", list])
            .ended_with(2)
            .says(said)
            .says(&format!("hint: {hint}"));
    };
    check(
        "map.csv",
        "map.csv` has one column instead of two",
        "supported formats: two columns `page,source`",
    );
    check(
        "none.csv",
        "cannot read the source map",
        "write it before running waypost",
    );
    check(
        "empty",
        "no Docusaurus page list in the directory",
        "build the Docusaurus site and pass its `.docusaurus` directory",
    );
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
    site.write("map.csv", "https://example.net/a.html,a.md\n");
    site.waypost(&["--source-map", "map.csv"])
        .succeeded()
        .says("warning[source-map-unused]");
    site.write("map.csv", "a.html,gone.md\n");
    let said = "the source `gone.md` named by the source map does not exist";
    site.waypost(&["--source-map", "map.csv"])
        .succeeded()
        .says(said);
    site.write("map.csv", "a.html,a.md\na.html,waypost.toml\n");
    let said = "source maps name two sources, `a.md` and `waypost.toml`, so neither is used";
    site.waypost(&["--source-map", "map.csv"])
        .succeeded()
        .says(said);
}

#[test]
fn the_first_step_that_finds_a_source_wins_and_a_disagreement_is_reported() {
    let site = hugo(
        "",
        &[
            "content/a.md",
            "content/b.md",
            "content/c.md",
            "content/d.md",
        ],
        &[],
    );
    let hint = |source: &str| format!("<meta name=\"waypost:source\" content=\"{source}\">");
    site.page("public/a/index.html", &hint("content/d.md"));
    site.page("public/b/index.html", &hint("content/b.md"))
        .page("public/c/index.html", "");
    site.write(
        "map.csv",
        "a/,content/b.md\nb/,content/b.md\nc/,content/d.md\n",
    );
    site.write(
        "hugo.toml",
        "baseURL = \"https://example.com/\"\n[params.waypost]\nsource_map = [\"map.csv\"]\n",
    );
    let expected = [
        "a/index.html: content/d.md hint",
        "b/index.html: content/b.md hint",
        "c/index.html: content/d.md source_map",
    ];
    assert_eq!(steps(&site), expected);
    let said = "disagree on the source of `a/index.html`: \
                `content/d.md` (hint in the page), `content/b.md` (source map)";
    let outcome = site.build().says("warning[source-disagreement]").says(said);
    let outcome = outcome.says(
        "disagree on the source of `c/index.html`: \
             `content/d.md` (source map), `content/c.md` (convention)",
    );
    outcome.says_nothing_of("disagree on the source of `b/index.html`");
    site.write(
        "waypost.toml",
        "[[rule]]\nmatch = \"**\"\nsource = \"content/a.md\"\n",
    );
    site.build().says_nothing_of("disagree");
    assert_eq!(steps(&site)[0], "a/index.html: content/a.md rule");
}

/// A page whose body links to its source on a forge.
fn linking(links: &[&str]) -> String {
    let links = links
        .iter()
        .map(|link| format!("<a href=\"https://forge.example/o/r/{link}\">Edit this page</a>"));
    format!(
        "<!DOCTYPE html><title>t</title><body>{}",
        links.collect::<String>()
    )
}

#[test]
fn an_edit_link_gives_the_source_if_nothing_else_does() {
    let site = hugo(
        "",
        &[
            "content/a.md",
            "content/blog/_index.md",
            "content/_content.gotmpl",
        ],
        &["a/index.html"],
    );
    site.write("data/terms.toml", "")
        .commit("2024-06-07T00:00:00Z");
    let page = |path: &str, links: &[&str]| {
        site.write(format!("public/{path}"), linking(links));
    };
    page("a/index.html", &["edit/main/content/a.md"]);
    page(
        "b/index.html",
        &["blob/main/content/_content.gotmpl?plain=1"],
    );
    page("c/index.html", &["edit/main/content/_content.gotmpl"]);
    page(
        "blog/page/2/index.html",
        &["edit/main/content/blog/_index.md"],
    );
    page("gone/index.html", &["edit/main/content/gone.md"]);
    page("new/index.html", &["edit/main/content/new.md"]);
    page("tags/index.html", &["src/branch/main/data/terms.toml"]);
    page(
        "dots/index.html",
        &["edit/main/website/../data/./terms.toml"],
    );
    page(
        "two/index.html",
        &["edit/main/data/terms.toml", "edit/main/hugo.toml"],
    );
    page("up/index.html", &["edit/main/../site/hugo.toml"]);
    site.write("content/new.md", "").write("static/x", "");
    site.write(
        "hugo.toml",
        "baseURL = \"https://example.com/\"\ncontentDir = \"content\"\n",
    );
    std::fs::remove_file(site.root().join("content/new.md")).expect("it exists");
    site.write("data/new.toml", "");
    page("new/index.html", &["edit/main/data/new.toml"]);
    let expected = [
        "a/index.html: content/a.md convention",
        "b/index.html: content/_content.gotmpl edit_link",
        "blog/page/2/index.html: - -",
        "c/index.html: content/_content.gotmpl edit_link",
        "dots/index.html: data/terms.toml edit_link",
        "gone/index.html: - -",
        "new/index.html: - -",
        "tags/index.html: data/terms.toml edit_link",
        "two/index.html: - -",
        "up/index.html: - -",
    ];
    assert_eq!(steps(&site), expected);
    let dates = site.explained("lastmod");
    assert_eq!(dates[1], pair("b/index.html", "2024-05-06T07:08:09Z"));
    site.write("waypost.toml", "edit_links = false\n");
    assert_eq!(steps(&site)[1], "b/index.html: - -");
}

#[test]
fn a_link_that_other_pages_contradict_is_ignored() {
    let site = hugo(
        "",
        &[
            "content/a.md",
            "content/d.md",
            "README.md",
            "content/_content.gotmpl",
        ],
        &[],
    );
    site.write(
        "public/a/index.html",
        linking(&["edit/main/content/a.md", "edit/main/README.md"]),
    );
    site.write("public/b/index.html", linking(&["edit/main/README.md"]));
    site.write(
        "public/c/index.html",
        linking(&["edit/main/README.md", "edit/main/content/_content.gotmpl"]),
    );
    let expected = [
        "a/index.html: content/a.md convention",
        "b/index.html: - -",
        "c/index.html: content/_content.gotmpl edit_link",
    ];
    assert_eq!(steps(&site), expected);
    // The page `a` has its edit link, so its other links do not count.
    site.build().says_nothing_of("disagree");
    site.write("public/d/index.html", linking(&["edit/main/README.md"]));
    site.build().says(
        "disagree on the source of `d/index.html`: \
             `content/d.md` (convention), `README.md` (edit link)",
    );
}

#[test]
fn a_link_in_the_text_is_not_an_edit_link_if_the_page_has_one_of_another_form() {
    let site = hugo(
        "",
        &["content/a.md", "data/b.toml", "data/c.toml", "data/d.toml"],
        &[],
    );
    site.write(
        "public/a/index.html",
        linking(&["edit/main/content/a.md", "blob/main/data/d.toml"]),
    );
    site.write(
        "public/b/index.html",
        linking(&["edit/main/data/b.toml", "blob/main/data/c.toml"]),
    );
    site.write("public/c/index.html", linking(&["blob/main/data/c.toml"]));
    site.write("public/d/index.html", linking(&["blob/main/data/d.toml"]));
    let by_editor = [
        "a/index.html: content/a.md convention",
        "b/index.html: data/b.toml edit_link",
        "c/index.html: data/c.toml edit_link",
        "d/index.html: - -",
    ];
    assert_eq!(steps(&site), by_editor);
    site.build().says_nothing_of("disagree");
    // If the site's edit links show files, links that open an editor are links in its text.
    site.write("public/a/index.html", linking(&["blob/main/content/a.md"]));
    assert_eq!(steps(&site)[1], "b/index.html: data/c.toml edit_link");
}

#[test]
fn without_a_generator_a_committed_page_is_its_own_source() {
    let site = SiteTest::of_pages(&[]);
    site.write(".gitignore", "public/\n")
        .write("docs/a.rst", "")
        .write("docs/b.rst", "")
        .write("README.md", "");
    site.settings("output_dir = \"public\"\n")
        .commit("2024-05-06T07:08:09Z");
    for (page, source) in [
        ("a", "docs/a.rst"),
        ("b", "docs/b.rst"),
        ("c", "README.md"),
        ("d", "README.md"),
    ] {
        site.write(
            format!("public/{page}.html"),
            linking(&[&format!("edit/main/{source}")]),
        );
    }
    // Nothing confirms the links here, so a link on several pages is not trusted.
    let expected = [
        "a.html: docs/a.rst edit_link",
        "b.html: docs/b.rst edit_link",
        "c.html: public/c.html itself",
        "d.html: public/d.html itself",
    ];
    assert_eq!(steps(&site), expected);
    site.write(".gitignore", "").commit("2024-06-07T00:00:00Z");
    assert_eq!(steps(&site)[0], "a.html: public/a.html itself");
}

//! How the source of a page is found: the order of the steps, edit links, and disagreements.

use crate::site_test::{SiteTest, pair, rows, text_or_dash};

/// A committed Hugo site with these content files and pages.
pub(crate) fn hugo(settings: &str, content: &[&str], pages: &[&str]) -> SiteTest {
    let site = SiteTest::hugo(settings);
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
pub(crate) fn steps(site: &SiteTest) -> Vec<String> {
    let line = |(file, page): (String, serde_json::Value)| {
        let [source, step] = ["source", "source_from"].map(|key| text_or_dash(&page, key));
        format!("{file}: {source} {step}")
    };
    site.explain().into_iter().map(line).collect()
}

#[test]
fn the_first_step_that_finds_a_source_wins() {
    let content = ["a", "b", "c", "d"].map(|name| format!("content/{name}.md"));
    let maps = "[params.waypost]\nsource_map = [\"map.csv\"]\n";
    let site = hugo(maps, &content.each_ref().map(String::as_str), &[]);
    for (page, hint) in [("a", "d"), ("b", "b")] {
        let hint = format!("<meta name=\"waypost:source\" content=\"content/{hint}.md\">");
        site.page(format!("public/{page}/index.html"), &hint);
    }
    let map = "a/,content/b.md\nb/,content/b.md\nc/,content/d.md\n";
    site.page("public/c/index.html", "").write("map.csv", map);
    let expected = [
        "a/index.html: content/d.md hint",
        "b/index.html: content/b.md hint",
        "c/index.html: content/d.md source_map",
    ];
    assert_eq!(steps(&site), expected);
    let rule = "[[rule]]\nmatch = \"**\"\nsource = \"content/a.md\"\n";
    site.write("waypost.toml", rule);
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
    let content = ["a.md", "blog/_index.md", "_content.gotmpl"];
    let content = content.map(|file| format!("content/{file}"));
    let site = hugo("", &content.each_ref().map(String::as_str), &[]);
    site.git(&["remote", "add", "origin", "git@forge.example:o/r.git"]);
    site.write("data/terms.toml", "")
        .write("data/dots.toml", "")
        .commit("2024-06-07T00:00:00Z");
    site.write("data/new.toml", "");
    let mut expected = Vec::new();
    for [page, links, source] in rows(
        "a    | edit/main/content/a.md                        | content/a.md convention
         b    | blob/main/content/_content.gotmpl?plain=1     | content/_content.gotmpl edit_link
         blog/page/2 | edit/main/content/blog/_index.md       | - -
         dots | edit/main/website/../data/./dots.toml         | data/dots.toml edit_link
         gone | edit/main/content/gone.md                     | - -
         new  | edit/main/data/new.toml                       | - -
         tags | src/branch/main/data/terms.toml               | data/terms.toml edit_link
         two  | edit/main/data/terms.toml edit/main/hugo.toml | - -
         up   | edit/main/../site/hugo.toml                   | - -",
    ) {
        let links: Vec<&str> = links.split(' ').collect();
        site.write(format!("public/{page}/index.html"), linking(&links));
        expected.push(format!("{page}/index.html: {source}"));
    }
    assert_eq!(steps(&site), expected);
    let dates = site.explained("lastmod");
    assert_eq!(dates[1], pair("b/index.html", "2024-05-06T07:08:09Z"));
}

#[test]
fn a_link_that_other_pages_contradict_is_ignored() {
    let content = ["content/a.md", "README.md", "content/_content.gotmpl"];
    let site = hugo("", &content, &[]);
    let readme = "edit/main/README.md";
    for (page, links) in [
        ("a", &["edit/main/content/a.md", readme][..]),
        ("b", &[readme]),
        ("c", &[readme, "edit/main/content/_content.gotmpl"]),
    ] {
        site.write(format!("public/{page}/index.html"), linking(links));
    }
    let expected = [
        "a/index.html: content/a.md convention",
        "b/index.html: - -",
        "c/index.html: content/_content.gotmpl edit_link",
    ];
    assert_eq!(steps(&site), expected);
}

#[test]
fn a_link_in_the_text_is_not_an_edit_link_if_the_page_has_one_of_another_form() {
    let data = ["content/a.md", "data/b.toml", "data/c.toml", "data/d.toml"];
    let site = hugo("", &data, &[]);
    for (page, links) in [
        ("a", "edit/main/content/a.md blob/main/data/d.toml"),
        ("b", "edit/main/data/b.toml blob/main/data/c.toml"),
        ("c", "blob/main/data/c.toml"),
        ("d", "blob/main/data/d.toml"),
    ] {
        let links: Vec<&str> = links.split(' ').collect();
        site.write(format!("public/{page}/index.html"), linking(&links));
    }
    let by_editor = [
        "a/index.html: content/a.md convention",
        "b/index.html: data/b.toml edit_link",
        "c/index.html: data/c.toml edit_link",
        "d/index.html: - -",
    ];
    assert_eq!(steps(&site), by_editor);
    site.build().says_nothing_of("disagree");
    // If the site's edit links show files, links that open an editor are links in its text. Both
    // pages then link to one file, so it is the source of neither.
    site.write("public/a/index.html", linking(&["blob/main/content/a.md"]));
    let neither = ["b/index.html: - -", "c/index.html: - -"];
    assert_eq!(steps(&site)[1..3], neither);
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
        let text = linking(&[&format!("edit/main/{source}")]);
        site.write(format!("public/{page}.html"), text);
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

#[test]
fn the_generators_own_list_gives_sources_that_conventions_do_not() {
    let site = hugo("", &["content/a.md"], &["a/index.html"]);
    site.page("public/adapted/index.html", "");
    site.write("pages.csv", "/adapted/,content/a.md\n");
    let expected = [
        "a/index.html: content/a.md convention",
        "adapted/index.html: content/a.md source_map",
    ];
    assert_eq!(steps(&site), expected);
}

//! Tests of `waypost mdbook` as a renderer, called in the way mdBook calls it.
//!
//! `tests/mdbook/context-0.5.4.json` is the render context of mdBook 0.5.4 for the book in
//! `tests/slow/sites/mdbook`, with `ROOT` in place of the book's directory.
//! `tests/slow/renderer.sh` checks it against the real mdBook.

use std::io::Write;
use std::process::Stdio;

use crate::site_test::{Outcome, SiteTest, pair};

const CONTEXT: &str = include_str!("../mdbook/context-0.5.4.json");

const SETTINGS: &str = r#"[book]
title = "A book"
[output.html]
site-url = "/book/"
[output.waypost]
command = "waypost mdbook"
base-url = "https://example.com/book/"
exclude = ["table.html"]
rule = [{ match = "guide/**", changefreq = "weekly", lastmod-from = ["git"] }]
[output.waypost.sitemap]
max-urls = 4
[output.waypost.levels]
excluded-by-settings = "warn"
"#;

/// The built book of the render context.
fn book() -> SiteTest {
    let site = SiteTest::empty();
    site.write("book.toml", SETTINGS)
        .write("src/SUMMARY.md", "[A book](README.md)\n");
    for chapter in "README guide/first-steps guide/further-on guide/README examples".split(' ') {
        site.write(format!("src/{chapter}.md"), "# C\n");
    }
    let pages = "index guide/first-steps guide/further-on guide/index examples table 404";
    for page in pages.split(' ') {
        let comment = format!("<!-- {page} -->");
        site.page(format!("book/html/{page}.html"), &comment);
    }
    site.page("book/html/print.html", "<meta name=robots content=noindex>")
        .write("src/table.html", "<table>");
    site.write("book/waypost/.keep", "")
        .commit("2024-05-06T07:08:09Z");
    site
}

/// Runs the renderer in the directory that mdBook makes for it, with a render context on stdin.
fn render(site: &SiteTest, context: &str) -> Outcome {
    let mut command = site.waypost_command(&["mdbook"]);
    command.current_dir(site.root().join("book/waypost"));
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("waypost starts");
    let context = context.replace("ROOT", &site.root().display().to_string());
    child
        .stdin
        .take()
        .expect("stdin is piped")
        .write_all(context.as_bytes())
        .expect("waypost reads all of stdin");
    let done = child.wait_with_output().expect("waypost exits");
    Outcome::of(done)
}

#[test]
fn the_sitemap_is_written_next_to_the_pages() {
    let site = book();
    let before = site.files();
    let outcome = render(&site, CONTEXT).succeeded();
    assert_eq!(outcome.stdout, "");
    let written: Vec<String> = site
        .files()
        .into_iter()
        .filter(|file| !before.contains(file))
        .collect();
    assert_eq!(
        written,
        [
            "book/html/sitemap-0.xml",
            "book/html/sitemap-1.xml",
            "book/html/sitemap.xml"
        ]
    );
    let entries = site.entries_of("book/html/sitemap.xml").into_iter();
    let pages: Vec<_> = entries
        .map(|entry| {
            let path = entry.loc.replace("https://example.com/book/", "/");
            assert_eq!(entry.lastmod.as_deref(), Some("2024-05-06T07:08:09Z"));
            (path, entry.changefreq)
        })
        .collect();
    let expected = [
        pair("/", None),
        pair("/examples.html", None),
        pair("/guide/", "weekly"),
        pair("/guide/first-steps.html", "weekly"),
        pair("/guide/further-on.html", "weekly"),
    ];
    assert_eq!(pages, expected);
}

#[test]
fn a_chapter_moved_by_a_preprocessor_has_the_source_from_the_render_context() {
    let site = book();
    site.write("src/deep/origin.md", "")
        .commit("2024-06-07T00:00:00Z");
    let moved = CONTEXT.replace(
        "\"source_path\": \"examples.md\"",
        "\"source_path\": \"deep/origin.md\"",
    );
    render(&site, &moved).succeeded();
    let url = "https://example.com/book/examples.html";
    let mut entries = site.entries_of("book/html/sitemap.xml").into_iter();
    let entry = entries.find(|entry| entry.loc == url);
    let lastmod = entry.and_then(|entry| entry.lastmod);
    assert_eq!(lastmod.as_deref(), Some("2024-06-07T00:00:00Z"));
}

#[test]
fn settings_changed_by_the_environment_apply() {
    let site = book();
    let elsewhere = CONTEXT.replace("https://example.com/book/", "https://example.org/");
    render(&site, &elsewhere).succeeded();
    let entries = site.entries_of("book/html/sitemap.xml");
    assert_eq!(entries[0].loc, "https://example.org/");
    let wrong = CONTEXT.replace("\"base-url\"", "\"base-irl\"");
    render(&site, &wrong)
        .ended_with(2)
        .says("unknown key `base_irl`")
        .says("did you mean `base_url`?")
        .says("site/book.toml, with changes from the environment:2:3");
}

#[test]
fn mistakes_in_the_settings_are_reported_in_book_toml() {
    let site = book();
    let wrong = SETTINGS.replace("max-urls = 4", "max-urls = 0");
    site.write("book.toml", wrong);
    let context = CONTEXT.replace("\"max-urls\": 4", "\"max-urls\": 0");
    let outcome = render(&site, &context).ended_with(2);
    outcome.says("book.toml:11:1");
}

#[test]
fn mdbook_serve_writes_no_sitemap() {
    let site = book();
    let served = CONTEXT.replace(
        "\"html\": {",
        "\"html\": {\"live-reload-endpoint\": \"__livereload\", ",
    );
    assert_ne!(served, CONTEXT);
    let before = site.files();
    render(&site, &served).succeeded().says("`mdbook serve`");
    assert_eq!(site.files(), before);
}

#[test]
fn a_book_without_html_is_refused_with_a_hint() {
    let site = book();
    let alone = CONTEXT.replace("\"html\": {", "\"other\": {");
    let no_html = "book.toml has `[output.waypost]` but no `[output.html]`";
    render(&site, &alone)
        .ended_with(2)
        .says(no_html)
        .says("hint: add the line `[output.html]`");
    let config = r#"{"output": {"waypost": {"command": "waypost mdbook"}}}"#;
    let context = format!(
        r#"{{"root": "ROOT", "book": {{"items": []}}, "config": {config}, "destination": "ROOT/book"}}"#
    );
    render(&site, &context).ended_with(2).says(no_html);
    let early = CONTEXT.replace("book/waypost\"", "book/dates\"");
    render(&site, &early)
        .ended_with(2)
        .says("`[output.dates]` runs before the HTML is written");
    render(&site, "")
        .ended_with(2)
        .says("stdin does not contain an mdBook render context")
        .says("mdBook runs `waypost mdbook` as a renderer");
}

#[test]
fn a_front_page_made_by_a_preprocessor_does_not_get_the_source_of_the_next_chapter() {
    let site = SiteTest::empty();
    site.write(
        "book.toml",
        "[output.html]\n[output.waypost]\nbase-url = \"https://example.com/\"\n",
    );
    site.write("src/SUMMARY.md", "- [One](one.md)\n")
        .write("src/one.md", "# One\n");
    for (page, text) in [("index", "made"), ("made", "made"), ("one", "one")] {
        site.page(format!("book/html/{page}.html"), text);
    }
    site.write("book/waypost/.keep", "")
        .commit("2024-05-06T07:08:09Z");
    let chapter = |name: &str, source: &str| {
        format!(
            r#"{{"Chapter": {{"name": "N", "content": "", "sub_items": [], "path": "{name}.md", "source_path": {source}}}}}"#
        )
    };
    let items = [chapter("made", "null"), chapter("one", "\"one.md\"")].join(", ");
    let config = r#"{"output": {"html": {}, "waypost": {"base-url": "https://example.com/"}}}"#;
    let context = format!(
        r#"{{"root": "ROOT", "book": {{"items": [{items}]}}, "config": {config}, "destination": "ROOT/book/waypost"}}"#
    );
    render(&site, &context).succeeded();
    let dates = site
        .entries_of("book/html/sitemap.xml")
        .into_iter()
        .map(|entry| (entry.loc, entry.lastmod));
    let expected = [
        pair("https://example.com/", None),
        pair("https://example.com/one.html", "2024-05-06T07:08:09Z"),
    ];
    assert_eq!(dates.collect::<Vec<_>>(), expected);
}

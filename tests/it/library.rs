//! Tests the library against the command line, which runs the same pipeline.

use std::time::{Duration, UNIX_EPOCH};

use waypost::{FindingLevel, LastmodOrigin, PageStatus, Site, Sitemap};

use crate::site_test::{SiteTest, text_at};

#[path = "../../examples/list_pages.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run`")]
mod list_pages;
#[path = "../../examples/publish_site.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run`")]
mod publish_site;

/// The site of a test, as `SiteTest` runs the command line on it.
fn opened(site: &SiteTest) -> Site {
    Site::open(site.root())
        .expect("the directory exists")
        .output_dir(site.root())
        .at_time(UNIX_EPOCH + Duration::from_secs(1_768_478_400))
        .accept("base-url-placeholder")
}

fn sitemap_of(site: &SiteTest) -> Sitemap {
    opened(site).sitemap().expect("the site can be read")
}

/// A site with a page for several reasons and origins of dates.
fn varied_site() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html", "blog/index.html", "blog/a.html"]);
    let modified = "<meta property=\"article:modified_time\" content=\"2025-02-03\">";
    site.page("thanks.html", "<meta name=\"robots\" content=\"noindex\">");
    let canonical = "<link rel=\"canonical\" href=\"/blog/a.html\">";
    site.page("copy.html", canonical);
    site.commit("2024-05-06T07:08:09+02:00");
    site.page("blog/a.html", "<meta name=\"author\" content=\"A\">");
    site.commit("2025-01-02T03:04:05+01:00");
    site.page("new.html", modified);
    site.settings("[[rule]]\nmatch = \"copy.html\"\nlastmod = \"2023-01-01\"\n");
    site
}

#[test]
fn the_library_and_the_command_line_give_the_same_pages() {
    let site = varied_site();
    let sitemap = sitemap_of(&site);
    let explained = site.explain();
    assert_eq!(sitemap.pages().len(), explained.len());
    for page in sitemap.pages() {
        let line = &explained[&*page.file()];
        let text = |key: &str| text_at(line, key);
        assert_eq!(Some(page.url().to_owned()), text("url"));
        assert_eq!(page.lastmod(), text("lastmod"), "{}", page.file());
        assert_eq!(page.source(), text("source"), "{}", page.file());
        let (reason, evidence) = match page.status() {
            PageStatus::Excluded { reason, evidence } => (Some(reason), Some(evidence)),
            _ => (None, None),
        };
        assert_eq!(reason.map(str::to_owned), text("reason"));
        assert_eq!(evidence.map(str::to_owned), text("evidence"));
        assert_eq!(page.is_listed(), reason.is_none());
        let (commit, undated) = match page.date_origin() {
            LastmodOrigin::Commit(commit) => (Some(commit), None),
            LastmodOrigin::Missing(why) => (None, Some(why.to_owned())),
            _ => (None, None),
        };
        assert_eq!(commit, text("commit"), "{}", page.file());
        assert_eq!(undated, text("undated"), "{}", page.file());
    }
}

#[test]
fn each_date_names_its_origin() {
    let site = varied_site();
    site.settings("[[rule]]\nmatch = \"index.html\"\nlastmod = \"2023-01-01\"\n");
    let sitemap = sitemap_of(&site);
    let origin = |file: &str| sitemap.page(file).expect("a page").date_origin();
    assert_eq!(origin("index.html"), LastmodOrigin::Rule);
    let commit = site.git(&["log", "-1", "--format=%H", "--", "blog/a.html"]);
    assert_eq!(origin("blog/a.html"), LastmodOrigin::Commit(commit));
    assert_eq!(origin("new.html"), LastmodOrigin::Metadata);
    let excluded = LastmodOrigin::Missing("the page is excluded");
    assert_eq!(origin("thanks.html"), excluded);
    assert!(sitemap.page("none.html").is_none());
}

#[test]
fn a_list_page_names_the_page_that_dates_it() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://docs.example.com\"\n")
        .write("content/blog/a.md", "+++\n+++\n")
        .page("public/blog/a/index.html", "")
        .page("public/blog/index.html", "");
    site.commit("2024-05-06T07:08:09+02:00");
    let opened = Site::open(site.root()).expect("the directory exists");
    let sitemap = opened.accept("base-url-placeholder").sitemap();
    let sitemap = sitemap.expect("the site can be read");
    assert_eq!(sitemap.generator(), Some("zola"));
    assert_eq!(sitemap.output_dir(), site.root().join("public"));
    let list = sitemap.page("blog/index.html").expect("a page");
    let newest = "blog/a/index.html".into();
    assert_eq!(list.date_origin(), LastmodOrigin::NewestBelow(newest));
    assert_eq!(list.lastmod().as_deref(), Some("2024-05-06T07:08:09+02:00"));
}

#[test]
fn the_library_writes_the_bytes_that_the_command_line_writes() {
    let site = varied_site();
    site.settings("[sitemap]\nformats = [\"xml\", \"txt\"]\ngzip = \"also\"\n");
    let sitemap = sitemap_of(&site);
    let files: Vec<(String, Vec<u8>)> = sitemap
        .files()
        .map(|file| (file.name().to_owned(), file.to_bytes()))
        .collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "sitemap.xml.gz",
        "sitemap.xml",
        "sitemap.txt.gz",
        "sitemap.txt",
    ];
    assert_eq!(names, expected);
    assert!(
        !site.root().join("sitemap.xml").exists(),
        "nothing is written yet"
    );
    let written = sitemap.write().expect("the files can be written");
    let mut all = expected.to_vec();
    all.push("robots.txt");
    assert_eq!(written.written().collect::<Vec<_>>(), all);
    assert_eq!(written.removed().count(), 0);
    for (name, bytes) in &files {
        assert_eq!(site.bytes(name), *bytes, "{name}");
    }
    let robots = site.bytes("robots.txt");
    // The command line finds nothing to change.
    let outcome = site.waypost(&["-o", ".", "--json"]).succeeded();
    assert!(
        !outcome.stdout.contains("\"changed\": true"),
        "{}",
        outcome.stdout
    );
    assert_eq!(site.bytes("robots.txt"), robots);
    let again = sitemap.write().expect("the files can be written");
    assert_eq!(again.written().count(), 0);
}

#[test]
fn the_findings_are_those_of_the_command_line() {
    let site = SiteTest::of_pages(&["index.html"]);
    let canonical = "<link rel=\"canonical\" href=\"/gone.html\">";
    site.page("a.html", canonical);
    let sitemap = sitemap_of(&site);
    let found: Vec<_> = sitemap
        .findings()
        .filter(|finding| finding.level() >= FindingLevel::Warn)
        .collect();
    let outcome = site.build();
    let finding = found
        .iter()
        .find(|finding| finding.code() == "canonical-not-listed")
        .expect("the finding");
    assert!(
        outcome.stderr.contains(&finding.to_string()),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains(finding.code()));
    assert_eq!(finding.file(), Some(site.root().join("a.html")));
    let range = finding.byte_range().expect("the place of the tag");
    assert_eq!(&site.read("a.html")[range], canonical);
}

#[test]
fn a_sitemap_that_cannot_be_right_is_not_written() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("index.html", "<meta name=\"robots\" content=\"noindex\">");
    let sitemap = sitemap_of(&site);
    let refusal = sitemap.refusal().expect("a refusal");
    assert_eq!(refusal.code(), "nothing-listed");
    let error = sitemap.write().expect_err("the sitemap is refused");
    let text = error.to_string();
    assert!(
        text.contains("every page is excluded (1 noindex)"),
        "{text}"
    );
    assert!(
        error
            .hint()
            .is_some_and(|hint| hint.contains("waypost explain"))
    );
    assert_eq!(site.files(), ["index.html", "waypost.toml"]);
    let accepted = opened(&site).accept("nothing-listed").sitemap();
    assert!(accepted.expect("the site can be read").refusal().is_none());
}

#[test]
fn every_error_names_its_remedy() {
    let site = SiteTest::empty();
    let error = Site::open(site.root().join("none")).expect_err("no such directory");
    assert!(error.to_string().contains("no such directory"), "{error}");
    let error = opened(&site).sitemap().expect_err("there is no page");
    assert!(
        error
            .hint()
            .is_some_and(|hint| hint.starts_with("build the site first"))
    );
    site.page("index.html", "").settings("extension = []\n");
    let error = opened(&site).sitemap().expect_err("a wrong setting");
    assert!(error.to_string().contains("waypost.toml:2"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("extensions")));
}

#[test]
fn the_environment_counts_only_if_it_is_passed() {
    let site = SiteTest::of_pages(&["index.html"]);
    let urls = |open: Site| -> String {
        let sitemap = open.sitemap().expect("the site can be read");
        assert!(sitemap.base_url_origin().len() > 3);
        sitemap.base_url().to_owned()
    };
    let variable = (
        "WAYPOST_BASE_URL".to_owned(),
        "https://example.net/".to_owned(),
    );
    assert_eq!(urls(opened(&site)), "https://example.com/");
    assert_eq!(
        urls(opened(&site).environment([variable])),
        "https://example.net/"
    );
    let preview = [
        ("NETLIFY".to_owned(), "true".to_owned()),
        ("CONTEXT".to_owned(), "deploy-preview".to_owned()),
    ];
    let sitemap = opened(&site).environment(preview).sitemap();
    let sitemap = sitemap.expect("the site can be read");
    let written = sitemap.write().expect("nothing is to be written");
    assert_eq!(written.written().count(), 0);
    assert_eq!(site.files(), ["index.html", "waypost.toml"]);
}

#[test]
fn the_examples_print_what_they_promise() {
    let site = SiteTest::empty();
    let dir = site.root().join("made");
    let mut out = Vec::new();
    publish_site::publish_site(&dir, &mut out).expect("the example runs");
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(
        text.ends_with("wrote sitemap.xml\nwrote robots.txt\n"),
        "{text}"
    );
    assert_eq!(
        site.entries_of("made/sitemap.xml")
            .into_iter()
            .map(|entry| entry.loc)
            .collect::<Vec<_>>(),
        [
            "https://docs.example.com/",
            "https://docs.example.com/guide/"
        ]
    );
    let listed = Site::open(&dir)
        .expect("the directory exists")
        .base_url("https://docs.example.com/");
    let mut out = Vec::new();
    list_pages::list_pages(&listed, &mut out).expect("the example runs");
    let expected = "in   guide/index.html: no date, not in a Git repository\n\
                    in   index.html: no date, not in a Git repository\n\
                    out  thanks.html: noindex, robots: noindex\n";
    assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
}

//! Tests the library against the command line, which runs the same pipeline.

use waypost::{Site, Sitemap};

use crate::site_test::{SiteTest, text_at};

#[path = "../../examples/publish_site.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run`")]
mod publish_site;

/// The site of a test, as `SiteTest` runs the command line on it.
fn opened(site: &SiteTest) -> Site {
    Site::open(site.root())
        .output_dir(site.root())
        .environment([("SOURCE_DATE_EPOCH".to_owned(), "1768478400".to_owned())])
        .accept("base-url-placeholder")
}

fn sitemap_of(site: &SiteTest) -> Sitemap {
    opened(site).sitemap().expect("the site can be read")
}

fn has_remedy(error: &waypost::Error, remedy: &str) -> bool {
    error.hint().is_some_and(|hint| hint.contains(remedy))
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
    assert_eq!(sitemap.pages.len(), explained.len());
    for page in &sitemap.pages {
        let line = &explained[&page.file];
        let text = |key: &str| text_at(line, key);
        assert_eq!(Some(&page.url), text("url").as_ref());
        assert_eq!(page.lastmod, text("lastmod"), "{}", page.file);
        assert_eq!(page.excluded.map(str::to_owned), text("reason"));
    }
    let stderr = site.waypost(&["-o", "."]).succeeded().stderr;
    for finding in sitemap.findings {
        assert!(stderr.contains(&finding.message), "{}", finding.message);
    }
}

#[test]
fn the_library_writes_the_files_that_the_command_line_writes() {
    let site = varied_site();
    site.settings("[sitemap]\nformats = [\"xml\", \"txt\"]\ngzip = \"also\"\n");
    let expected = [
        "sitemap.xml.gz",
        "sitemap.xml",
        "sitemap.txt.gz",
        "sitemap.txt",
        "robots.txt",
    ];
    assert_eq!(sitemap_of(&site).changed_files, expected);
    assert!(!site.root().join("sitemap.xml").exists(), "not yet");
    let written = opened(&site).write().expect("the files can be written");
    assert_eq!(written.changed_files, expected);
    // The command line finds nothing to change.
    let stdout = site.waypost(&["-o", ".", "--json"]).succeeded().stdout;
    assert!(!stdout.contains("\"changed\": true"), "{stdout}");
    let again = opened(&site).write().expect("the files can be written");
    assert_eq!(again.changed_files, Vec::<String>::new());
}

#[test]
fn a_sitemap_that_cannot_be_right_is_not_written() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.page("index.html", "<meta name=\"robots\" content=\"noindex\">");
    let sitemap = sitemap_of(&site);
    assert!(sitemap.is_refused);
    let error = opened(&site).write().expect_err("the sitemap is refused");
    assert!(has_remedy(&error, "waypost explain"), "{error}");
    assert_eq!(site.files(), ["index.html", "waypost.toml"]);
    let accepted = opened(&site).accept("nothing-listed").sitemap();
    assert!(!accepted.expect("the site can be read").is_refused);
}

#[test]
fn every_error_names_its_remedy() {
    let site = SiteTest::empty();
    let missing = Site::open(site.root().join("none"));
    let error = missing.sitemap().expect_err("no such directory");
    assert!(error.to_string().contains("no such directory"), "{error}");
    let error = opened(&site).sitemap().expect_err("there is no page");
    assert!(has_remedy(&error, "build the site first"), "{error}");
    site.page("index.html", "").settings("extension = []\n");
    let error = opened(&site).sitemap().expect_err("a wrong setting");
    assert!(error.to_string().contains("waypost.toml:2"), "{error}");
    assert!(has_remedy(&error, "extensions"), "{error}");
}

#[test]
fn the_environment_counts_only_if_it_is_passed() {
    let site = SiteTest::of_pages(&["index.html"]);
    let first_url = |site: Site| -> String {
        let mut pages = site.sitemap().expect("the site can be read").pages;
        pages.remove(0).url
    };
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(first_url(opened(&site)), "https://example.com/");
    let other_base = variable("WAYPOST_BASE_URL", "https://example.net/");
    assert_eq!(
        first_url(opened(&site).environment([other_base])),
        "https://example.net/"
    );
    let preview = [
        variable("NETLIFY", "true"),
        variable("CONTEXT", "deploy-preview"),
    ];
    let previewed = opened(&site).environment(preview).write();
    previewed.expect("nothing is to be written");
    assert_eq!(site.files(), ["index.html", "waypost.toml"]);
}

#[test]
fn the_example_prints_what_it_promises() {
    let site = SiteTest::empty();
    let mut out = Vec::new();
    publish_site::publish_site(&site.root().join("made"), &mut out).expect("the example runs");
    let text = String::from_utf8(out).expect("UTF-8");
    let written = "wrote sitemap.xml\nwrote robots.txt\n";
    assert!(text.ends_with(written), "{text}");
    let entries = site.entries_of("made/sitemap.xml");
    let locs = entries.iter().map(|entry| entry.loc.as_str());
    let base = "https://docs.example.com/";
    assert_eq!(locs.collect::<Vec<_>>(), [base, &format!("{base}guide/")]);
}

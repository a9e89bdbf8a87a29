//! Commits that date many pages without a change that a reader sees.

use crate::site_test::SiteTest;

const SETTINGS: &str = "baseURL = \"https://example.com/\"\n";

/// Twelve posts of Hugo, each made of its front matter and text.
fn write_posts(site: &SiteTest, text: impl Fn(usize) -> String) {
    site.write("hugo.toml", SETTINGS);
    for post in 0..12 {
        site.write(format!("content/post-{post}.md"), text(post))
            .page(format!("public/post-{post}/index.html"), "");
    }
}

/// The posts in a first commit.
fn committed_posts() -> SiteTest {
    let site = SiteTest::empty();
    write_posts(&site, |post| {
        format!("---\ntitle: {post}\n---\nText {post}\n")
    });
    site.commit("2024-01-01T00:00:00Z");
    site
}

fn said(site: &SiteTest) -> String {
    site.waypost(&["."]).succeeded().stderr
}

#[test]
fn a_sweep_over_front_matter_is_named_with_the_line_that_ignores_it() {
    let site = committed_posts();
    write_posts(&site, |post| {
        format!("---\ntitle: {post}\nx: 1\n---\nText  {post}\n")
    });
    let sweep = site.commit("2024-02-02T00:00:00Z");
    let found = said(&site);
    let message = format!(
        "note[bulk-commit]: commit {} dates 12 of 12 pages and changed nothing in them that a reader sees",
        &sweep[..7]
    );
    assert!(found.contains(&message), "{found}");
    assert!(
        found.contains(&format!("set `revs = [\"{sweep}\"]`")),
        "{found}"
    );
    site.write(
        "waypost.toml",
        format!("[lastmod.ignore]\nrevs = [\"{sweep}\"]\n"),
    );
    assert!(!said(&site).contains("bulk-commit"));
    assert!(site.explain()["post-3/index.html"]["lastmod"] == "2024-01-01T00:00:00Z");
}

#[test]
fn a_commit_that_changes_the_text_of_one_page_or_adds_it_is_no_sweep() {
    let site = committed_posts();
    assert!(!said(&site).contains("bulk-commit"));
    write_posts(&site, |post| {
        let text = if post == 5 { "New" } else { "Text" };
        format!("---\ntitle: {post}\nx: 1\n---\n{text} {post}\n")
    });
    site.commit("2024-02-02T00:00:00Z");
    assert!(!said(&site).contains("bulk-commit"));
}

#[test]
fn a_clone_without_contents_names_the_commit_and_its_number_of_pages() {
    let site = committed_posts();
    write_posts(&site, |post| {
        format!("---\ntitle: {post}\nx: 1\n---\nText {post}\n")
    });
    site.commit("2024-02-02T00:00:00Z");
    site.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", site.root().display());
    site.git(&["clone", "-q", "--filter=blob:none", &url, "clone"]);
    site.git(&[
        "-C",
        "clone",
        "remote",
        "set-url",
        "origin",
        "file:///missing",
    ]);
    let found = site.waypost(&["clone"]).succeeded().stderr;
    assert!(
        found.contains("dates 12 of 12 pages; the clone lacks the contents"),
        "{found}"
    );
}

#[test]
fn a_single_commit_of_a_program_dates_nothing_and_one_written_by_hand_does() {
    let check = |search_index: bool, date: Option<&str>| {
        let site = SiteTest::empty();
        for page in 0..12 {
            site.page(format!("{page}.html"), "");
        }
        site.settings("");
        if search_index {
            site.write("search_index.en.js", "");
        }
        site.commit("2024-01-01T00:00:00Z");
        let found = said(&site);
        let message = "committed output of the program that wrote `search_index.en.js`";
        assert_eq!(found.contains(message), search_index, "{found}");
        assert_eq!(site.explain()["3.html"]["lastmod"].as_str(), date);
    };
    check(false, Some("2024-01-01T00:00:00Z"));
    check(true, None);
}

//! Commits that date many pages without a change that a reader sees.

use crate::site_test::SiteTest;

/// Twelve posts of Hugo, each made of its front matter and text.
fn write_posts(site: &SiteTest, text: impl Fn(usize) -> String) {
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n");
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

#[test]
fn a_sweep_over_front_matter_is_named_with_the_line_that_ignores_it() {
    let site = committed_posts();
    write_posts(&site, |post| {
        format!("---\ntitle: {post}\nx: 1\n---\nText  {post}\n")
    });
    let sweep = site.commit("2024-02-02T00:00:00Z");
    let line = format!("revs = [\"{sweep}\"]");
    let message = format!("commit {} dates 12 of 12 pages", &sweep[..7]);
    site.build().says(&message).says(&line);
    site.write("waypost.toml", format!("[lastmod.ignore]\n{line}\n"));
    site.build().says_nothing_of("bulk-commit");
    assert!(site.explain()["post-3/index.html"]["lastmod"] == "2024-01-01T00:00:00Z");
}

#[test]
fn a_commit_that_changes_the_text_of_more_than_a_tenth_of_the_pages_or_adds_them_is_no_sweep() {
    let site = committed_posts();
    site.build().says_nothing_of("bulk-commit");
    write_posts(&site, |post| {
        let text = if [5, 6].contains(&post) {
            "New"
        } else {
            "Text"
        };
        format!("---\ntitle: {post}\nx: 1\n---\n{text} {post}\n")
    });
    site.commit("2024-02-02T00:00:00Z");
    site.build().says_nothing_of("bulk-commit");
    write_posts(&site, |post| {
        let text = if post == 5 {
            "Newer"
        } else if post == 6 {
            "New"
        } else {
            "Text"
        };
        format!("---\ntitle: {post}\nx: 2\n---\n{text} {post}\n")
    });
    site.commit("2024-03-03T00:00:00Z");
    site.build()
        .says("bulk-commit")
        .says("changes = [\"front-matter\", \"whitespace\"]");
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
    site.git(&["-C", "clone", "config", "remote.origin.url", "file:///x"]);
    let outcome = site.waypost(&["clone"]).succeeded();
    outcome.says("dates 12 of 12 pages; the clone lacks the contents");
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
        let found = site.build().stderr;
        assert_eq!(found.contains("deploy-commits"), search_index, "{found}");
        assert_eq!(site.explain()["3.html"]["lastmod"].as_str(), date);
    };
    check(false, Some("2024-01-01T00:00:00Z"));
    check(true, None);
}

//! Dates of list pages by the content files that they show, which is the default.

use crate::site_test::{SiteTest, text_or_dash};

/// The date of each list page, where it comes from, and the directory or file that dates it.
fn lists(site: &SiteTest) -> Vec<String> {
    let explained = site.explain().into_iter();
    let lists = explained.filter(|(file, _)| !file.contains("/post"));
    let line = |(file, page): (String, serde_json::Value)| {
        let keys = ["lastmod", "lastmod_from", "dated_by"];
        let [date, from, by] = keys.map(|key| text_or_dash(&page, key));
        let dir = file.trim_end_matches("index.html");
        format!("/{dir} {date:.10} {from} {by}")
    };
    lists.map(line).collect()
}

/// A Hugo site with two sections, of which one has a list page of its own.
fn two_sections() -> SiteTest {
    let site = SiteTest::hugo("");
    site.write("content/_index.md", "")
        .write("content/blog/post-a.md", "---\ntags: [x]\n---\n")
        .write("content/notes/_index.md", "")
        .write("content/notes/post-n.md", "")
        .commit("2024-01-01T00:00:00Z");
    site
}

#[test]
fn a_list_changes_when_a_page_is_added_removed_or_renamed_not_when_its_text_changes() {
    let site = two_sections();
    site.index_pages("public", "/ blog/ blog/post-a/ notes/ notes/post-n/");
    let check = |expected: [&str; 3]| assert_eq!(lists(&site), expected);
    let first = [
        "/blog/ 2024-01-01 members content/blog",
        "/ 2024-01-01 git content/_index.md",
        "/notes/ 2024-01-01 git content/notes/_index.md",
    ];
    check(first);
    site.write("content/blog/post-a.md", "---\ntags: [x]\n---\nAn edit.\n")
        .write("content/blog/image.png", "png")
        .write("layouts/index.html", "template")
        .commit("2024-02-02T00:00:00Z");
    check(first);
    site.write("content/notes/_index.md", "An edit.\n")
        .commit("2024-03-03T00:00:00Z");
    check([
        first[0],
        first[1],
        "/notes/ 2024-03-03 git content/notes/_index.md",
    ]);
    site.write("content/blog/post-b.md", "")
        .commit("2024-04-04T00:00:00Z");
    check([
        "/blog/ 2024-04-04 members content/blog",
        "/ 2024-04-04 members content",
        "/notes/ 2024-03-03 git content/notes/_index.md",
    ]);
    site.git(&["mv", "content/notes/post-n.md", "content/notes/post-m.md"]);
    site.commit("2024-05-05T00:00:00Z");
    check([
        "/blog/ 2024-04-04 members content/blog",
        "/ 2024-05-05 members content",
        "/notes/ 2024-05-05 members content/notes",
    ]);
    site.waypost(&["explain", ".", "/blog/"])
        .shows("(last page added, removed or renamed below `content/blog`)");
}

#[test]
fn a_list_does_not_have_the_date_of_its_newest_page_that_it_states() {
    let site = two_sections();
    site.write("content/blog/post-a.md", "An edit.\n")
        .commit("2024-02-02T00:00:00Z");
    let stated = "<meta itemprop=dateModified content=2024-02-02T00:00:00Z>";
    let link = "</head><body><a href=post-a/>a</a>";
    site.page("public/blog/index.html", &format!("{stated}{link}"))
        .page("public/blog/post-a/index.html", stated);
    assert_eq!(lists(&site), ["/blog/ 2024-01-01 members content/blog"]);
}

#[test]
fn terms_have_no_date_and_a_list_with_an_uncommitted_page_neither() {
    let site = two_sections();
    let pages = "/ blog/ blog/post-a/ blog/post-b/ blog/page/2/ tags/ tags/x/";
    site.index_pages("public", pages)
        .write("content/blog/post-b.md", "---\ndate: 2024-01-05\n---\n");
    let expected = [
        "/blog/ - - -",
        "/blog/page/2/ - - -",
        "/ - - -",
        "/tags/ - - -",
        "/tags/x/ - - -",
    ];
    assert_eq!(lists(&site), expected);
    let explain = |page: &str| site.waypost(&["explain", ".", page]).succeeded();
    explain("/blog/").shows("a page of the list is not committed");
    explain("/tags/x/").shows("lists of tags");
}

#[test]
fn the_home_page_of_a_language_shows_the_content_of_that_language() {
    let site = SiteTest::hugo(
        "[languages.en]\ncontentDir = \"content/en\"\n\
         [languages.fr]\ncontentDir = \"content/fr\"\n",
    );
    site.write("content/en/blog/post-a.md", "")
        .write("content/fr/blog/post-a.md", "")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/fr/blog/post-b.md", "")
        .commit("2024-02-02T00:00:00Z");
    let pages = "/ blog/ blog/post-a/ fr/ fr/blog/ fr/blog/post-b/";
    site.index_pages("public", pages);
    let expected = [
        "/blog/ 2024-01-01 members content/en/blog",
        "/fr/blog/ 2024-02-02 members content/fr/blog",
        "/fr/ 2024-02-02 members content/fr",
        "/ 2024-01-01 members content/en",
    ];
    assert_eq!(lists(&site), expected);
}

#[test]
fn a_list_of_a_language_shows_the_files_whose_names_have_it() {
    let hugo = SiteTest::hugo("[languages.en]\n[languages.fr]\n");
    for (generator, site) in [("Hugo", hugo), ("Zola", SiteTest::zola("[languages.fr]\n"))] {
        site.write(".gitignore", "public\n");
        let all = "_index _index.fr blog/_index blog/_index.fr";
        for (day, files) in [(1, all), (2, "blog/post-a.fr"), (3, "blog/post-a")] {
            for file in files.split(' ') {
                site.write(format!("content/{file}.md"), "+++\ntitle = \"x\"\n+++\n");
            }
            site.commit(&format!("2024-01-0{day}T00:00:00Z"));
        }
        let pages = "/ blog/ blog/post-a/ fr/ fr/blog/ fr/blog/post-a/";
        site.index_pages("public", pages);
        let expected = [
            "/blog/ 2024-01-03 members content/blog",
            "/fr/blog/ 2024-01-02 members content/blog",
            "/fr/ 2024-01-02 members content",
            "/ 2024-01-03 members content",
        ];
        assert_eq!(lists(&site), expected, "{generator}");
    }
}

#[test]
fn a_blog_of_docusaurus_shows_the_directory_of_its_posts() {
    let site = SiteTest::empty();
    let post = |name: &str| {
        site.write(format!("blog/{name}.md"), "")
            .docusaurus_page(&format!("/blog/post-{name}"), &format!("blog/{name}.md"))
            .page(format!("build/blog/post-{name}/index.html"), "");
    };
    site.write(
        "docusaurus.config.js",
        "module.exports = {url: 'https://example.com', baseUrl: '/'};\n",
    )
    .write(".gitignore", "build\n.docusaurus\n");
    post("a");
    site.page(
        "build/blog/index.html",
        "</head><body><a href=post-a>a</a><a href=/blog/post-b/>b</a>",
    )
    .commit("2024-01-01T00:00:00Z");
    post("b");
    site.commit("2024-02-02T00:00:00Z");
    site.write("blog/a.md", "An edit.\n")
        .commit("2024-03-03T00:00:00Z");
    assert_eq!(lists(&site), ["/blog/ 2024-02-02 members blog"]);
}

//! Dates that pages state about themselves in structured data.

use std::time::{Duration, UNIX_EPOCH};

use crate::site_test::{SiteTest, pair};

const JSON_LD: &str = r#"<script type="application/ld+json">{"@context": "https://schema.org",
    "@type": "BlogPosting", "dateModified": "2024-05-06T07:08:09+02:00",
    "comment": [{"@type": "Comment", "dateModified": "2025-01-01T00:00:00Z"}]}</script>"#;

const TIME: &str = "<body itemscope itemtype='https://schema.org/WebPage'>\
    <time itemprop='dateModified' datetime='2023-02-03'>3 February</time>";

const META: &str = "<meta property='article:modified_time' content='2022-01-02'>";

/// Checks the date of a page with this head, which no commit dates.
#[track_caller]
fn check(head: &str, expected: Option<&'static str>) {
    let site = SiteTest::of_pages(&[]);
    site.page("index.html", head).build();
    assert_eq!(site.dates(), [pair("/", expected)], "{head}");
}

#[test]
fn meta_tags_take_precedence_over_json_ld_and_json_ld_over_time_elements() {
    let all = format!("{JSON_LD}{META}{TIME}");
    check(&all, Some("2022-01-02"));
    check(
        &format!("{JSON_LD}{TIME}"),
        Some("2024-05-06T07:08:09+02:00"),
    );
    check(TIME, Some("2023-02-03"));
    check("", None);
}

#[test]
fn dates_of_comments_and_of_other_pages_do_not_count() {
    check(&JSON_LD.replace("BlogPosting", "ItemList"), None);
    check(
        &JSON_LD.replace("BlogPosting\",", "BlogPosting\", \"url\": \"/other/\","),
        None,
    );
    check(&TIME.replace("WebPage", "Comment"), None);
    check(&TIME.replace("2023-02-03", "soon"), None);
}

#[test]
fn the_order_of_sources_decides_between_structured_data_and_git() {
    let site = SiteTest::of_pages(&[]);
    site.page("index.html", JSON_LD)
        .commit("2024-01-01T00:00:00Z");
    site.build();
    assert_eq!(site.dates(), [pair("/", "2024-01-01T00:00:00Z")]);
    site.settings("lastmod.from = [\"page\", \"git\"]\n")
        .build();
    assert_eq!(site.dates(), [pair("/", "2024-05-06T07:08:09+02:00")]);
    site.settings("lastmod.from = [\"git\"]\n")
        .commit("2024-02-02T00:00:00Z");
    site.page("index.html", &format!("{JSON_LD}<title>x</title>"))
        .build();
    assert_eq!(site.dates(), [pair("/", None)]);
}

#[test]
fn stated_modification_dates_that_git_overrules_are_counted_and_an_order_of_hugo_is_followed() {
    let site = SiteTest::hugo("");
    site.write("content/a.md", "---\nlastmod: 2020-01-01\n---\n")
        .write("content/b.md", "---\ndate: 2020-01-01\n---\n")
        .write("content/c.md", "---\nlastmod: 2023-12-31\n---\n");
    site.index_pages("public", "a/ b/ c/");
    site.commit("2024-01-01T00:00:00Z");
    site.build()
        .says("note[stated-dates-older]: the front matter of 1 page states");
    site.write(
        "hugo.toml",
        "baseURL = \"https://example.com/\"\n[frontmatter]\nlastmod = [\"lastmod\", \":git\"]\n",
    );
    site.build().says_nothing_of("stated-dates-older");
    let expected = [
        pair("a/index.html", "2020-01-01"),
        pair("b/index.html", "2024-01-01T00:00:00Z"),
        pair("c/index.html", "2023-12-31"),
    ];
    assert_eq!(site.explained("lastmod"), expected);
}

#[test]
fn the_time_of_a_file_that_hexo_states_is_not_used() {
    let site = SiteTest::empty();
    site.write(
        "_config.yml",
        "url: https://example.com\npublic_dir: public\npermalink: :id/\n",
    )
    .write("source/_posts/a.md", "---\ntitle: a\n---\n")
    .page("public/1/index.html", META);
    assert_eq!(site.explained("lastmod"), [pair("1/index.html", None)]);
}

#[test]
fn the_time_of_the_source_file_that_a_page_states_is_not_used() {
    let site = SiteTest::empty();
    site.write("hugo.toml", "baseURL = \"https://example.com/\"\n")
        .write("content/a.md", "---\ntitle: a\n---\n");
    let source = std::fs::File::open(site.root().join("content/a.md")).expect("it exists");
    let modified = UNIX_EPOCH + Duration::from_secs(1_704_067_200);
    source.set_modified(modified).expect("the time can be set");
    for (second, date) in [(0, None), (1, Some("2024-01-01T00:00:01Z"))] {
        let stated = META.replace("2022-01-02", &format!("2024-01-01T00:00:0{second}Z"));
        site.page("public/a/index.html", &stated);
        assert_eq!(site.explained("lastmod"), [pair("a/index.html", date)]);
    }
}

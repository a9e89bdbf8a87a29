//! Dates of list pages: the home page, sections, terms and pagination pages.

use crate::site_test::SiteTest;

/// The date of each page, and where it comes from.
fn days(site: &SiteTest) -> Vec<String> {
    let text = |page: &serde_json::Value, key: &str| page[key].as_str().unwrap_or("-").to_owned();
    let line = |(file, page): (String, serde_json::Value)| {
        let day: String = text(&page, "lastmod").chars().take(10).collect();
        format!(
            "{} {day} {}",
            file.trim_end_matches("index.html"),
            text(&page, "lastmod_from")
        )
    };
    site.explain().into_iter().map(line).collect()
}

/// A blog in which `a` has the tag "Old & New" and `b`, which is newer, the tag "b".
fn blog(settings: (&str, &str), front_matter: impl Fn(&str) -> String, term: &str) -> SiteTest {
    let site = SiteTest::empty();
    site.write(settings.0, settings.1);
    site.write("content/_index.md", front_matter(""))
        .write("content/blog/_index.md", front_matter(""));
    site.write("content/blog/a.md", front_matter("Old & New"));
    for page in [
        "",
        "blog/",
        "blog/a/",
        "blog/b/",
        "blog/page/2/",
        "tags/",
        &format!("tags/{term}/"),
        "tags/b/",
        "tags/c/",
    ] {
        site.page(format!("public/{page}index.html"), "");
    }
    site.write("static/copied/index.html", "")
        .page("public/copied/index.html", "");
    site.commit("2024-01-01T00:00:00Z");
    site.write("content/blog/b.md", front_matter("b"));
    site.write("static/copied/new.html", "")
        .page("public/copied/new.html", "");
    site.commit("2024-02-02T00:00:00Z");
    site
}

fn expected(term: &str) -> Vec<String> {
    let pages = [
        " 2024-02-02 pages_below",
        "blog/ 2024-02-02 pages_below",
        "blog/a/ 2024-01-01 git",
        "blog/b/ 2024-02-02 git",
        "blog/page/2/ - -",
        "copied/ 2024-01-01 git",
        "copied/new.html 2024-02-02 git",
        "tags/ 2024-02-02 pages_below",
        "tags/b/ 2024-02-02 pages_below",
        "tags/c/ - -",
    ];
    let mut pages: Vec<String> = pages.map(str::to_owned).to_vec();
    pages.push(format!("tags/{term}/ 2024-01-01 pages_below"));
    pages.sort();
    pages
}

#[track_caller]
fn check(site: &SiteTest, term: &str) {
    let mut shown = days(site);
    shown.sort();
    assert_eq!(shown, expected(term));
}

#[test]
fn zola_list_pages_have_the_date_of_the_newest_page_they_list() {
    let front_matter = |tag: &str| match tag {
        "" => "+++\n+++\n".to_owned(),
        tag => format!("+++\n[taxonomies]\ntags = [\"{tag}\"]\n+++\n"),
    };
    let settings = (
        "config.toml",
        "base_url = \"https://example.com\"\ntaxonomies = [{ name = \"tags\" }]\n",
    );
    let site = blog(settings, front_matter, "old-new");
    check(&site, "old-new");
    let explain = |page: &str| site.waypost(&["explain", ".", page]).succeeded().stdout;
    assert!(
        explain("/tags/").contains("(pages_below: blog/b/index.html)"),
        "{}",
        explain("/tags/")
    );
    let pager = explain("/blog/page/2/");
    assert!(pager.contains("none (pagination page)"), "{pager}");
}

#[test]
fn hugo_list_pages_have_the_date_of_the_newest_page_they_list() {
    let front_matter = |tag: &str| match tag {
        "" => "---\n---\n".to_owned(),
        "b" => "---\nTags: b\n---\n".to_owned(),
        tag => format!("---\ntags: [\"{tag}\"]\n---\n"),
    };
    check(
        &blog(
            ("hugo.toml", "baseURL = \"https://example.com/\"\n"),
            front_matter,
            "old--new",
        ),
        "old--new",
    );
    let settings = (
        "hugo.toml",
        "baseURL = \"https://example.com/\"\n[taxonomies]\ntag = \"tags\"\n",
    );
    check(&blog(settings, front_matter, "old--new"), "old--new");
}

#[test]
fn a_term_may_be_a_number_or_a_boolean() {
    for (written, term) in [("2024", "2024"), ("3.10", "3.1"), ("true", "true")] {
        let front_matter = |tag: &str| match tag {
            "" => "---\n---\n".to_owned(),
            "b" => "---\ntags: b\n---\n".to_owned(),
            _ => format!("---\ntags: [{written}]\n---\n"),
        };
        check(
            &blog(
                ("hugo.toml", "baseURL = \"https://example.com/\"\n"),
                front_matter,
                term,
            ),
            term,
        );
    }
}

#[test]
fn a_list_page_mounted_under_another_name_has_the_date_of_the_newest_page_it_lists() {
    let site = SiteTest::empty();
    let mounts = [
        ("content", "content"),
        ("README.md", "content/docs/_index.md"),
    ]
    .map(|(source, target)| {
        format!("[[module.mounts]]\nsource = \"{source}\"\ntarget = \"{target}\"\n")
    });
    site.write(
        "hugo.toml",
        format!("baseURL = \"https://example.com/\"\n{}", mounts.concat()),
    );
    site.write("README.md", "")
        .page("public/docs/index.html", "")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/docs/a.md", "")
        .page("public/docs/a/index.html", "")
        .commit("2024-02-02T00:00:00Z");
    assert_eq!(
        days(&site),
        ["docs/a/ 2024-02-02 git", "docs/ 2024-02-02 pages_below"]
    );
}

#[test]
fn list_pages_can_keep_their_own_date_or_have_none() {
    let front_matter = |_: &str| "+++\n+++\n".to_owned();
    let site = blog(
        ("config.toml", "base_url = \"https://example.com\"\n"),
        front_matter,
        "x",
    );
    let check = |setting: &str, home: &str, tags: &str| {
        site.write(
            "waypost.toml",
            format!("[lastmod]\nlists = \"{setting}\"\n"),
        );
        let days = days(&site);
        for line in [home, tags, "blog/a/ 2024-01-01 git", "blog/page/2/ - -"] {
            assert!(
                days.contains(&line.to_owned()),
                "{setting}: {line}: {days:?}"
            );
        }
    };
    check("own", " 2024-01-01 git", "tags/ - -");
    check("none", " - -", "tags/ - -");
    check("newest-below", " 2024-02-02 pages_below", "tags/ - -");
}

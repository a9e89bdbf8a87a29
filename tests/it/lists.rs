//! Dates of list pages: the home page, sections, terms and pagination pages, mostly with
//! `lastmod.lists = "newest-below"`.

use crate::hugo::mounted;
use crate::site_test::{SiteTest, text_or_dash};

/// Gives lists the date of the newest page that they show.
const NEWEST_BELOW: &str = "[lastmod]\nlists = \"newest-below\"\n";

/// The date of each page, and where it comes from.
fn days(site: &SiteTest) -> Vec<String> {
    let line = |(file, page): (String, serde_json::Value)| {
        let dir = file.trim_end_matches("index.html");
        let [date, from] = ["lastmod", "lastmod_from"].map(|key| text_or_dash(&page, key));
        format!("{dir} {date:.10} {from}")
    };
    site.explain().into_iter().map(line).collect()
}

/// Writes a page for each of these lines of [`days`], and compares all.
#[track_caller]
fn check_days(site: &SiteTest, output: &str, expected: &[&str]) {
    for line in expected {
        let dir = line.split(' ').next().unwrap_or_default();
        site.page(format!("{output}/{dir}index.html"), "");
    }
    assert_eq!(days(site), expected);
}

/// A blog in which `a` has the tag "Old & New" and `b`, which is newer, the tag "b".
fn blog(site: SiteTest, front_matter: impl Fn(&str) -> String, term: &str) -> SiteTest {
    site.write("waypost.toml", NEWEST_BELOW)
        .write("content/_index.md", front_matter(""))
        .write("content/blog/_index.md", front_matter(""));
    site.write("content/blog/a.md", front_matter("Old & New"));
    let pages = "/ blog/ blog/a/ blog/b/ blog/page/2/ tags/ tags/b/ tags/c/";
    site.index_pages("public", &format!("{pages} tags/{term}/"));
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
        "blog/page/2/ 2024-02-02 pages_below",
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
    let zola = SiteTest::zola("taxonomies = [{ name = \"tags\" }]\n");
    let site = blog(zola, front_matter, "old-new");
    check(&site, "old-new");
    for list in ["/tags/", "/blog/page/2/"] {
        let explained = site.waypost(&["explain", ".", list]);
        explained.shows("(pages_below: blog/b/index.html)");
    }
}

#[test]
fn hugo_list_pages_have_the_date_of_the_newest_page_they_list() {
    let front_matter = |tag: &str| match tag {
        "" => "---\n---\n".to_owned(),
        "b" => "---\nTags: b\n---\n".to_owned(),
        tag => format!("---\ntags: [\"{tag}\"]\n---\n"),
    };
    let site = blog(SiteTest::hugo(""), front_matter, "old--new");
    check(&site, "old--new");
}

#[test]
fn a_term_may_be_a_number_or_a_boolean() {
    for (written, term) in [("2024", "2024"), ("3.10", "3.1"), ("true", "true")] {
        let front_matter = |tag: &str| match tag {
            "" => "---\n---\n".to_owned(),
            "b" => "---\ntags: b\n---\n".to_owned(),
            _ => format!("---\ntags: [{written}]\n---\n"),
        };
        check(&blog(SiteTest::hugo(""), front_matter, term), term);
    }
}

#[test]
fn a_list_page_mounted_under_another_name_shows_the_directory_of_its_path() {
    let site = mounted(&[("content", ""), ("README.md", "/docs/_index.md")]);
    site.write("README.md", "")
        .page("public/docs/index.html", "</head><body><a href=a/>a</a>")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/docs/a.md", "")
        .page("public/docs/a/index.html", "")
        .commit("2024-02-02T00:00:00Z");
    let expected = ["docs/a/ 2024-02-02 git", "docs/ 2024-02-02 members"];
    assert_eq!(days(&site), expected);
}

#[test]
fn list_pages_can_keep_their_own_date_or_have_none() {
    let front_matter = |_: &str| "+++\n+++\n".to_owned();
    let site = blog(SiteTest::zola(""), front_matter, "x");
    let check = |setting: &str, home: &str, pager: &str| {
        let settings = format!("[lastmod]\nlists = \"{setting}\"\n");
        site.write("waypost.toml", settings);
        let days = days(&site);
        let [home, pager] = [format!(" {home}"), format!("blog/page/2/ {pager}")];
        for line in [&home, &pager, "blog/a/ 2024-01-01 git", "tags/ - -"] {
            let is_shown = days.iter().any(|day| day == line);
            assert!(is_shown, "{setting}: {line}: {days:?}");
        }
    };
    check("own", "2024-01-01 git", "- -");
    check("none", "- -", "- -");
    let below = "2024-02-02 pages_below";
    check("newest-below", below, below);
}

/// A site with these sources and, one month later, with those.
fn site_in_two_commits(first: &[(&str, &str)], second: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::with(&[("waypost.toml", NEWEST_BELOW)]);
    for (files, time) in [
        (first, "2024-01-01T00:00:00Z"),
        (second, "2024-02-02T00:00:00Z"),
    ] {
        site.write_all(files).commit(time);
    }
    site
}

#[test]
fn further_pages_of_a_list_have_its_date_also_where_the_settings_rename_them() {
    let site = site_in_two_commits(
        &[
            (
                "config.toml",
                "base_url = \"https://example.com\"\n\
                 taxonomies = [{ name = \"tags\", paginate_by = 1, paginate_path = \"more\" }]\n",
            ),
            (
                "content/blog/_index.md",
                "+++\npaginate_by = 1\npaginate_path = \"seite\"\n+++\n",
            ),
            ("content/blog/a.md", "+++\ntaxonomies.tags = [\"x\"]\n+++\n"),
            ("content/other/_index.md", ""),
            ("content/other/c.md", ""),
        ],
        &[("content/blog/b.md", "+++\n+++\n")],
    );
    let expected = [
        "blog/a/ 2024-01-01 git",
        "blog/b/ 2024-02-02 git",
        "blog/ 2024-02-02 pages_below",
        "blog/seite/2/ 2024-02-02 pages_below",
        "blog/seite/x/ - -",
        "other/c/ 2024-01-01 git",
        "other/page/2/ 2024-01-01 pages_below",
        "tags/x/ 2024-01-01 pages_below",
        "tags/x/more/2/ 2024-01-01 pages_below",
    ];
    check_days(&site, "public", &expected);
}

#[test]
fn hugo_renames_further_pages_in_its_settings() {
    for settings in [
        "[pagination]\npath = \"seite\"\n",
        "paginatePath = \"seite\"\n",
    ] {
        let site = SiteTest::hugo(settings);
        site.write("waypost.toml", NEWEST_BELOW)
            .write("content/blog/a.md", "")
            .commit("2024-01-01T00:00:00Z");
        let expected = [
            "blog/a/ 2024-01-01 git",
            "blog/seite/2/ 2024-01-01 pages_below",
            "seite/2/ 2024-01-01 pages_below",
        ];
        check_days(&site, "public", &expected);
    }
}

#[test]
fn hexo_lists_have_the_date_of_the_newest_post_they_show() {
    let post = |day: u8, tag: &str| format!("---\ndate: 2024-01-0{day}\ntags: [{tag}]\n---\n");
    let site = site_in_two_commits(
        &[
            (
                "_config.yml",
                "url: https://example.com\npublic_dir: public\npagination_dir: p\n",
            ),
            ("source/_posts/a.md", &post(1, "Old Things")),
        ],
        &[("source/_posts/b.md", &post(2, "b"))],
    );
    let expected = [
        "2024/01/01/a/ 2024-01-01 git",
        "2024/01/02/b/ 2024-02-02 git",
        "archives/ - -",
        " 2024-02-02 pages_below",
        "p/2/ 2024-02-02 pages_below",
        "tags/Old-Things/ 2024-01-01 pages_below",
        "tags/b/ 2024-02-02 pages_below",
        "tags/b/p/2/ 2024-02-02 pages_below",
    ];
    check_days(&site, "public", &expected);
}

#[test]
fn eleventy_tag_pages_of_one_template_have_the_date_of_their_pages_and_others_have_none() {
    let template = "---\npagination:\n  data: collections\n  size: 1\n  alias: tag\n\
                    permalink: /tags/{{ tag | slugify }}/\n---\n";
    let post = |tag: &str| format!("---\ntags: [posts, {tag}]\n---\n");
    let site = site_in_two_commits(
        &[
            ("eleventy.config.js", "export default {};\n"),
            ("tags.njk", template),
            ("blog/a.md", &post("Old Things")),
        ],
        &[("blog/b.md", &post("b"))],
    );
    site.settings(NEWEST_BELOW);
    let expected = [
        "blog/a/ 2024-01-01 git",
        "blog/b/ 2024-02-02 git",
        "blog/ - -",
        "tags/b/ 2024-02-02 pages_below",
        "tags/none/ - -",
        "tags/old-things/ 2024-01-01 pages_below",
    ];
    check_days(&site, "_site", &expected);
}

#[test]
fn the_further_pages_of_a_jekyll_site_are_recognized_by_its_pattern() {
    let check = |settings: &str, page: &str, reason: &str| {
        let settings = format!("url: https://example.com\n{settings}");
        let site = site_in_two_commits(&[("_config.yml", &settings)], &[]);
        site.page(format!("_site/{page}index.html"), "");
        let explained = site.waypost(&["explain", ".", &format!("/{page}")]);
        explained.succeeded().shows(reason);
    };
    let pager = "none (pagination page)";
    check("", "page2/", pager);
    check("", "blog/page/2/", pager);
    let pattern = "paginate_path: /blog/p-:num/\n";
    check(pattern, "blog/p-2/", pager);
    check(pattern, "page2/", "none (no source found)");
}

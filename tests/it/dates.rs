//! Dates in sitemaps: the `git log` date of the page's source, or none.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::site_test::{SiteTest, pair};

/// Asserts that every page has the date that Git gives for it; each page is its own source here.
#[track_caller]
pub(crate) fn every_page_has_gits_date(site: &SiteTest) {
    site.build();
    let dates = site.explained("lastmod");
    assert!(!dates.is_empty());
    for (file, date) in dates {
        assert_eq!(date.unwrap_or_default(), site.date_by_git(&file), "{file}");
    }
}

#[test]
fn the_utc_offset_of_the_commit_is_kept() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T23:30:00-05:00");
    site.page("b.html", "").commit("2024-02-02T05:30:00+05:30");
    site.page("c.html", "").commit("2024-03-03T00:00:00Z");
    every_page_has_gits_date(&site);
    let expected = [
        "2024-01-01T23:30:00-05:00",
        "2024-02-02T05:30:00+05:30",
        "2024-03-03T00:00:00Z",
    ];
    assert_eq!(
        site.dates()
            .into_iter()
            .filter_map(|(_, date)| date)
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_page_has_the_committer_date_or_on_request_the_author_date() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit_of_author("2020-06-01T23:30:00-05:00", "2020-06-03T01:00:00+09:00");
    every_page_has_gits_date(&site);
    site.settings("[lastmod]\ndate = \"author\"\n").build();
    assert_eq!(site.dates(), [pair("/", "2020-06-01T23:30:00-05:00")]);
}

#[test]
fn the_date_format_writes_days_without_times() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[lastmod]\nformat = \"date\"\n")
        .commit("2024-05-06T07:08:09+02:00");
    site.build();
    assert_eq!(site.dates(), [pair("/", "2024-05-06")]);
}

#[test]
fn merges_are_simplified_as_git_does() {
    let site = SiteTest::of_pages(&["trunk.html", "branch.html", "both.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "side"]);
    site.page("branch.html", "<meta name=a>")
        .page("both.html", "<meta name=side>")
        .commit("2024-02-02T00:00:00Z");
    site.git(&["checkout", "--quiet", "main"]);
    site.page("trunk.html", "<meta name=b>")
        .page("both.html", "<meta name=trunk>")
        .commit("2024-03-03T00:00:00Z");
    // The merge itself changes `both.html`; four of six other tools miss such a change.
    site.git(&[
        "merge",
        "--quiet",
        "--no-commit",
        "--no-ff",
        "--strategy",
        "ours",
        "side",
    ]);
    site.git(&["checkout", "side", "--", "branch.html"]);
    site.page("both.html", "<meta name=merged>")
        .commit("2024-04-04T00:00:00Z");
    every_page_has_gits_date(&site);
    let dates = site.dates();
    let expected = [
        "2024-04-04T00:00:00Z",
        "2024-02-02T00:00:00Z",
        "2024-03-03T00:00:00Z",
    ];
    assert_eq!(
        dates
            .iter()
            .filter_map(|(_, date)| date.as_deref())
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn changes_of_every_kind_are_dated_as_git_dates_them() {
    let site = SiteTest::of_pages(&[
        "mode.html",
        "moved.html",
        "reverted.html",
        "deleted.html",
        "skewed.html",
    ]);
    site.page("\u{fc} b.html", "")
        .page("odd[1].html", "")
        .commit("2020-01-01T00:00:00Z");
    site.git(&["mv", "moved.html", "new.html"]);
    site.commit("2020-02-02T00:00:00Z");
    site.git(&["update-index", "--chmod", "+x", "mode.html"]);
    site.git(&["commit", "--quiet", "--message", "mode"]);
    site.git(&["checkout", "--quiet", "--", "mode.html"]);
    site.page("reverted.html", "<meta name=x>")
        .page("skewed.html", "<meta name=x>")
        .commit("2022-06-01T00:00:00Z");
    site.page("reverted.html", "")
        .page("skewed.html", "<meta name=y>")
        .commit("2020-03-01T00:00:00Z");
    fs::remove_file(site.root().join("deleted.html")).expect("it exists");
    site.commit("2020-04-04T00:00:00Z");
    site.page("deleted.html", "").commit("2020-05-05T00:00:00Z");
    every_page_has_gits_date(&site);
}

#[test]
fn commits_in_the_ignore_revs_file_are_ignored() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    site.settings("[lastmod.ignore]\nrevs_file = \".git-blame-ignore-revs\"\n")
        .commit("2024-01-01T00:00:00Z");
    let reformat = site
        .page("a.html", "<meta name=x>")
        .page("c.html", "")
        .commit("2024-02-02T00:00:00Z");
    site.write(
        ".git-blame-ignore-revs",
        format!("# all pages at once\n\n{reformat}  # prettier\n"),
    );
    site.build();
    // A page that such a commit adds has no earlier change and keeps its date, as in `git blame`.
    let [old, new] = ["2024-01-01T00:00:00Z", "2024-02-02T00:00:00Z"];
    assert_eq!(
        site.dates(),
        [
            pair("/a.html", old),
            pair("/b.html", old),
            pair("/c.html", new)
        ]
    );
}

#[test]
fn pages_can_be_dated_by_the_merge_that_landed_them() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "side"]);
    site.page("a.html", "<meta name=x>")
        .commit("2024-02-02T00:00:00Z");
    site.git(&["checkout", "--quiet", "-"]);
    site.page("c.html", "").commit("2024-03-03T00:00:00Z");
    site.git(&["merge", "--quiet", "--no-ff", "--no-commit", "side"]);
    site.commit("2024-04-04T00:00:00Z");
    let dates = |a: &'static str| {
        [
            pair("/a.html", a),
            pair("/b.html", "2024-01-01T00:00:00Z"),
            pair("/c.html", "2024-03-03T00:00:00Z"),
        ]
    };
    site.build();
    assert_eq!(site.dates(), dates("2024-02-02T00:00:00Z"));
    site.settings("[lastmod]\ndate = \"landed\"\n").build();
    assert_eq!(site.dates(), dates("2024-04-04T00:00:00Z"));
}

#[test]
fn changes_that_the_settings_ignore_are_not_dates() {
    let site = SiteTest::empty();
    site.page("a.html", "<meta name=x>")
        .commit("2024-01-01T00:00:00Z");
    site.page("a.html", "<meta\n  name=x>")
        .commit("2024-02-02T00:00:00Z");
    site.settings("[lastmod.ignore]\nchanges = [\"whitespace\"]\n")
        .build();
    assert_eq!(site.dates(), [pair("/a.html", "2024-01-01T00:00:00Z")]);
}

#[test]
fn a_page_that_differs_from_the_committed_one_has_no_date() {
    let site = SiteTest::of_pages(&["kept.html", "edited.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.page("edited.html", "<meta name=x>")
        .page("new.html", "")
        .build();
    let dates = [
        pair("/edited.html", None),
        pair("/kept.html", "2024-01-01T00:00:00Z"),
        pair("/new.html", None),
    ];
    assert_eq!(site.dates(), dates);
}

#[test]
fn the_next_date_source_is_used_if_the_history_has_no_date() {
    let modified = "<meta property='article:modified_time' content='2023-03-03T03:03:03Z'>";
    let site = SiteTest::of_pages(&["kept.html"]);
    site.page("kept.html", modified)
        .commit("2024-01-01T00:00:00Z");
    site.page("new.html", modified).build();
    assert_eq!(
        site.dates(),
        [
            pair("/kept.html", "2024-01-01T00:00:00Z"),
            pair("/new.html", "2023-03-03T03:03:03Z")
        ]
    );
    assert_eq!(
        site.explained("lastmod_from"),
        [pair("kept.html", "git"), pair("new.html", "page")]
    );
    site.settings("[lastmod]\nfrom = [\"page\", \"git\"]\n")
        .build();
    assert_eq!(
        site.explained("lastmod_from"),
        [pair("kept.html", "page"), pair("new.html", "page")]
    );
    site.settings("[lastmod]\nfrom = []\n").build();
    assert_eq!(
        site.dates(),
        [pair("/kept.html", None), pair("/new.html", None)]
    );
}

#[test]
fn the_modification_time_of_a_file_counts_only_on_request() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.build();
    assert_eq!(site.dates(), [pair("/a.html", None)]);
    let page = fs::File::options()
        .append(true)
        .open(site.root().join("a.html"))
        .expect("it exists");
    page.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_979_289))
        .expect("the file is ours");
    site.settings("[lastmod]\nfrom = [\"git\", \"mtime\"]\n")
        .build();
    assert_eq!(site.dates(), [pair("/a.html", "2024-05-06T07:08:09Z")]);
}

#[test]
fn a_future_date_is_omitted_and_reported() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.commit("2096-02-01T00:00:00Z");
    site.build()
        .says("warning[lastmod-omitted]")
        .says("2096-02-01");
    assert_eq!(site.dates(), [pair("/a.html", None)]);
}

#[test]
fn a_publication_date_is_ignored_once_the_page_has_changed() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .write(".gitignore", "public\n");
    for name in ["a", "b"] {
        site.page(format!("public/{name}/index.html"), "");
    }
    site.write("content/a.md", "+++\ndate = 2020-01-01\n+++\n");
    site.write(
        "content/b.md",
        "+++\ndate = 2020-01-01\nupdated = 2023-03-03\n+++\n",
    );
    site.build();
    let dated =
        |a: Option<&'static str>| [pair("a/index.html", a), pair("b/index.html", "2023-03-03")];
    assert_eq!(site.explained("lastmod"), dated(Some("2020-01-01")));
    site.commit("2024-01-01T00:00:00Z");
    for name in ["a", "b"] {
        let text = site.read(&format!("content/{name}.md"));
        site.write(format!("content/{name}.md"), text + "more\n");
    }
    site.build().says("warning[source-uncommitted]");
    assert_eq!(site.explained("lastmod"), dated(None));
}

#[test]
fn pages_are_their_own_sources_however_the_output_directory_is_given() {
    let site = SiteTest::empty();
    site.page("docs/index.html", "")
        .commit("2024-05-06T07:08:09Z");
    let absolute = site.root().join("docs").display().to_string();
    for arguments in [
        ["docs", "-q"].as_slice(),
        &["-o", "docs"],
        &["-o", &absolute],
        &["-o", "./docs/", "."],
    ] {
        let base = ["--base-url", "https://example.com/"];
        site.waypost(&[arguments, &base].concat()).succeeded();
        let written = site.read("docs/sitemap.xml");
        assert!(
            written.contains("<lastmod>2024-05-06T07:08:09Z</lastmod>"),
            "{arguments:?}: {written}"
        );
        std::fs::remove_file(site.root().join("docs/sitemap.xml")).expect("it was written");
    }
}

#[test]
fn front_matter_listed_before_history_gives_the_date_even_for_edited_sources() {
    let site = SiteTest::empty();
    site.write(
        "config.toml",
        "base_url = \"https://example.com\"\n\
         [extra.waypost.lastmod]\nfrom = [\"front_matter\", \"git\"]\n",
    );
    site.write(".gitignore", "public\n")
        .write("content/a.md", "+++\ndate = 2020-01-01\n+++\n");
    site.page("public/a/index.html", "")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/a.md", "+++\ndate = 2020-01-01\n+++\nmore\n");
    site.build();
    assert_eq!(
        site.explained("lastmod"),
        [pair("a/index.html", "2020-01-01")]
    );
}

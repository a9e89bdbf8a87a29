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
fn a_page_has_the_date_of_its_commit_or_on_request_of_its_author_or_its_merge() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "side"]);
    site.page("a.html", "<meta name=x>")
        .commit_of_author("2024-02-01T23:30:00-05:00", "2024-02-02T00:00:00Z");
    site.git(&["checkout", "--quiet", "-"]);
    site.page("c.html", "").commit("2024-03-03T00:00:00Z");
    site.git(&["merge", "--quiet", "--no-ff", "--no-commit", "side"]);
    site.commit("2024-04-04T00:00:00Z");
    every_page_has_gits_date(&site);
    for (date, of_a) in [
        ("committer", "2024-02-02T00:00:00Z"),
        ("author", "2024-02-01T23:30:00-05:00"),
        ("landed", "2024-04-04T00:00:00Z"),
    ] {
        site.settings(&format!("[lastmod]\ndate = \"{date}\"\n"))
            .build();
        let expected = [
            pair("/a.html", of_a),
            pair("/b.html", "2024-01-01T00:00:00Z"),
            pair("/c.html", "2024-03-03T00:00:00Z"),
        ];
        assert_eq!(site.dates(), expected, "{date}");
    }
}

#[test]
fn changes_of_every_kind_are_dated_as_git_dates_them() {
    let site = SiteTest::of_pages(&["mode.html", "moved.html", "reverted.html", "skewed.html"]);
    site.page("\u{fc} b.html", "")
        .page("odd[1].html", "")
        .commit("2020-01-01T00:00:00Z");
    site.git(&["mv", "moved.html", "new.html"]);
    site.commit("2020-02-02T00:00:00-05:30");
    site.git(&["update-index", "--chmod", "+x", "mode.html"]);
    site.git(&["commit", "--quiet", "--message", "mode"]);
    site.git(&["checkout", "--quiet", "--", "mode.html"]);
    for (head, date) in [("x", "2022-06-01T00:00:00Z"), ("", "2020-03-01T00:00:00Z")] {
        site.page("reverted.html", head)
            .page("skewed.html", &format!("<meta name={date}>"))
            .commit(date);
    }
    every_page_has_gits_date(&site);
}

#[test]
fn commits_in_the_ignore_revs_file_and_ignored_changes_are_ignored() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    let ignore = "[lastmod.ignore]\nrevs_file = \".revs\"\nchanges = [\"whitespace\"]\n";
    site.settings(ignore).commit("2024-01-01T00:00:00Z");
    let reformat = site
        .page("a.html", "<meta name=x>")
        .page("c.html", "")
        .commit("2024-02-02T00:00:00Z");
    site.write(
        ".revs",
        format!("# all at once\n\n{reformat}  # prettier\n"),
    )
    .write("b.html", site.read("b.html").replace(" html", "\n html"))
    .commit("2024-03-03T00:00:00Z");
    site.build();
    // A page that such a commit adds has no earlier change and keeps its date, as in `git blame`.
    let [old, new] = ["2024-01-01T00:00:00Z", "2024-02-02T00:00:00Z"];
    let expected = [("/a.html", old), ("/b.html", old), ("/c.html", new)];
    assert_eq!(site.dates(), expected.map(|(page, date)| pair(page, date)));
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
        let date = site.entries_of("docs/sitemap.xml").remove(0).lastmod;
        assert_eq!(date.as_deref(), Some("2024-05-06T07:08:09Z"));
        site.remove("docs/sitemap.xml");
    }
}

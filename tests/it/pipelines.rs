//! The output of `explain --settings` about the repository that a pipeline has.

use crate::dates_repositories::clone_of;
use crate::platform::change_owner;
use crate::site_test::{SiteTest, pair};

/// The value of `what` in the output of `explain --settings`.
fn seen(site: &SiteTest, what: &str) -> String {
    let settings = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    let what = format!("# {what}");
    let line = settings.lines().find_map(|line| line.strip_prefix(&what));
    let line = line.expect("the value is shown").trim();
    line.replace(&site.root().display().to_string(), "SITE")
}

#[test]
fn missing_history_and_objects_of_the_repository_are_shown() {
    let origin = SiteTest::of_pages(&["a.html"]);
    for day in 1..=12 {
        origin
            .page("b.html", &format!("<meta name=d{day}>"))
            .commit(&format!("2024-01-{day:02}T00:00:00Z"));
    }
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let check = |arguments: &[&str], expected: &str, dates: [Option<&'static str>; 2]| {
        let site = clone_of(&origin, arguments);
        assert_eq!(seen(&site, "repository"), expected, "{arguments:?}");
        let shallow = site.build().stderr.matches("warning[history-").count();
        assert_eq!(shallow, usize::from(dates.contains(&None)), "{arguments:?}");
        let expected = [pair("/a.html", dates[0]), pair("/b.html", dates[1])];
        assert_eq!(site.dates(), expected, "{arguments:?}");
    };
    let (first, last) = (Some("2024-01-01T00:00:00Z"), Some("2024-01-12T00:00:00Z"));
    check(&[], "SITE: complete history", [first, last]);
    check(&["--depth", "1"], "SITE: shallow clone", [None, None]);
    check(&["--depth", "10"], "SITE: shallow clone", [None, last]);
    let partial = "SITE: complete history, some objects not fetched";
    check(&["--filter", "blob:none"], partial, [first, last]);
    check(&["--filter", "tree:0"], partial, [None, None]);
    let without = seen(&SiteTest::of_pages(&["a.html"]), "repository");
    assert_eq!(without, "none, so no page gets a Git date");
}

#[test]
fn a_repository_of_another_owner_is_read_without_safe_directory() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.commit("2024-01-01T00:00:00Z");
    // Only root can change the owner of a file; other users cannot run this test.
    if change_owner(&site.root().join(".git"), 12_345).is_ok() {
        assert_eq!(seen(&site, "repository"), "SITE: complete history");
        site.build();
        assert_eq!(site.dates(), [pair("/a.html", "2024-01-01T00:00:00Z")]);
    }
}

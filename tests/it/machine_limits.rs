//! Limits of the machine end the run with an error and leave the old set as it was.

use crate::platform::{make_pipe, symlink};
use crate::site_test::{Outcome, SiteTest};

/// Runs waypost in a shell that first runs `limit`.
fn limited(site: &SiteTest, limit: &str, arguments: &[&str]) -> Outcome {
    let mut shell = site.shell_command(&format!("{limit}; exec \"$@\""), arguments);
    let done = shell.output().expect("the shell can be run");
    Outcome::of(done)
}

#[test]
fn too_few_descriptors_end_the_run_and_change_nothing() {
    let mut failed = 0;
    for descriptors in 3..12 {
        let site = SiteTest::of_pages(&["index.html", "a/b/c/d/page.html", "robots.html"]);
        site.settings("").write("robots.txt", "User-agent: *\n");
        site.commit("2024-01-02T03:04:05Z");
        site.build();
        let complete = (site.bytes("sitemap.xml"), site.bytes("robots.txt"));
        site.write(
            "sitemap.xml",
            String::from_utf8_lossy(&complete.0).replace("robots", "old"),
        );
        let old = (site.bytes("sitemap.xml"), site.bytes("robots.txt"));
        let outcome = limited(
            &site,
            &format!("ulimit -n {descriptors}"),
            &["--threads", "1"],
        );
        let set = (site.bytes("sitemap.xml"), site.bytes("robots.txt"));
        let said = &outcome.stderr;
        if outcome.code == 0 {
            assert!(set == complete, "{descriptors}: {said}");
        } else {
            assert!(set == old, "{descriptors}: {said}");
            failed += usize::from(said.contains("Too many open files"));
            // With three descriptors, the program itself cannot be loaded.
            assert!(
                outcome.code != 2 || said.contains("hint: "),
                "{descriptors}: {said}"
            );
        }
        assert!(!said.contains("panicked"), "{descriptors}: {said}");
        assert!(site.files().iter().all(|file| !file.contains("staging")));
    }
    assert!(failed > 0, "no number of descriptors is too small");
}

#[test]
fn a_report_to_a_pipe_or_the_system_s_name_of_stdout_is_written_in_place() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("");
    let printed = site.waypost(&["report", "--to", "-"]).succeeded().stdout;
    assert!(printed.starts_with("<!DOCTYPE html>"), "{printed:.80}");
    let in_place = site.waypost(&["report", "--to", "/dev/stdout"]).succeeded();
    assert_eq!(in_place.stdout, printed);
    make_pipe(&site.root().join("pipe"));
    let through = limited(
        &site,
        "timeout 60 cat pipe & exec 3>&1",
        &["report", "--to", "pipe"],
    );
    assert_eq!(through.code, 0, "{}", through.stderr);
    let is_pipe = !site.root().join("pipe").is_file();
    assert!(is_pipe, "the pipe was replaced by a file");
}

#[test]
fn a_report_replaces_a_link_that_the_repository_may_have_placed() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("").write("victim", "old");
    symlink("victim", &site.root().join("report.html")).expect("a link");
    site.waypost(&["report", "--to", "report.html"]).succeeded();
    assert_eq!(site.read("victim"), "old");
    assert!(site.read("report.html").starts_with("<!DOCTYPE html>"));
}

//! A signal ends a run at once, the next run removes what is left, and a run that waits for another
//! one reports it.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::site_test::SiteTest;

/// Number of pages, and of files to stage: enough that a run does not end before it gets the signal on
/// a busy machine.
const PAGES: usize = 6_000;

fn is_staged(name: &str) -> bool {
    name.starts_with(".waypost-staging")
}

/// Whether the top of the site has staged files.
fn has_staged_files(site: &SiteTest) -> bool {
    let items = fs::read_dir(site.root()).expect("the site exists");
    items
        .flatten()
        .any(|item| item.file_name().to_str().is_some_and(is_staged))
}

/// Runs waypost, and sends it a signal as soon as it stages files. Returns the signal that ended it.
fn stop_while_staging(site: &SiteTest, signal: &str) -> Option<i32> {
    // A shell without job control ignores SIGINT in background jobs, and so do all their children.
    let script = if cfg!(target_os = "linux") {
        "exec env --default-signal \"$@\""
    } else {
        "exec \"$@\""
    };
    let mut run = site
        .shell_command(script, &["--quiet"])
        .spawn()
        .expect("the shell can be run");
    while !has_staged_files(site) {
        let ended = run.try_wait().expect("it is our child");
        assert!(ended.is_none(), "the run ended before it staged files");
    }
    let sent = Command::new("kill")
        .args(["-s", signal, &run.id().to_string()])
        .status();
    assert!(sent.expect("kill can be run").success());
    run.wait().expect("it is our child").signal()
}

/// A site in which each page has its own sitemap, so that staging takes a while. The pages are below
/// the directory of the sitemaps, which is listed until it has staged files.
fn site_of_many_files() -> SiteTest {
    let names: Vec<_> = (0..PAGES).map(|page| format!("p/{page}.html")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let site = SiteTest::of_pages(&names);
    site.settings("[sitemap]\nmax_urls = 1\n");
    site
}

#[test]
fn a_signal_that_ends_a_run_before_the_first_file_is_replaced_leaves_the_old_set() {
    let site = site_of_many_files();
    let published = || -> Vec<String> {
        let names = site.files().into_iter();
        names.filter(|name| !name.starts_with('.')).collect()
    };
    let before = published();
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let ended_by = stop_while_staging(&site, signal);
        assert_eq!(ended_by, Some(number), "{signal}");
        assert_eq!(published(), before, "{signal} changes the set");
    }
    site.waypost(&["--quiet"]).ended_with(0);
    assert!(!has_staged_files(&site), "staged files stay");
    assert_eq!(site.urls().len(), PAGES);
}

#[test]
fn a_run_waits_for_another_one() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("");
    let lock = File::open(site.root()).expect("the output directory");
    lock.lock().expect("a directory can be locked");
    let mut run = site.waypost_command(&[]).spawn().expect("it can be run");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(run.try_wait().expect("it is our child").is_none());
    lock.unlock().expect("it is locked");
    assert!(run.wait().expect("it is our child").success());
    assert_eq!(site.urls().len(), 1);
}

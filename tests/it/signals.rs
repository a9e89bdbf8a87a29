//! A signal ends a run at once, the next run removes what is left, and runs on the same directory wait
//! for each other.
//!
//! A test knows where a run is because the run waits there: for the other end of a pipe, which a file
//! of the repository or the memory is, or for the lock of the output directory.

use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::platform::make_pipe;
use crate::site_test::SiteTest;

/// The branch, which a run reads after the settings, the memory and robots.txt, and before it locks
/// the output directory.
const BRANCH: &str = ".git/refs/heads/main";

/// A run that waits where it reads the branch.
struct HeldRun {
    process: Child,
    branch: File,
    commit: String,
}

impl HeldRun {
    /// Starts a run and returns when it reads the branch.
    fn start(site: &SiteTest, command: &mut Command) -> Self {
        let commit = site.read(BRANCH);
        site.remove(BRANCH);
        site.fifo(BRANCH);
        let mut process = command.spawn().expect("the run can be started");
        let branch = other_end(&site.root().join(BRANCH), &mut process);
        site.remove(BRANCH);
        site.write(BRANCH, &commit);
        Self {
            process,
            branch,
            commit,
        }
    }

    /// Lets the run read the branch and go on.
    fn go_on(mut self) -> Child {
        let written = self.branch.write_all(self.commit.as_bytes());
        written.expect("the run reads the pipe");
        self.process
    }
}

/// Opens a pipe for writing, which lasts until the run opens it for reading.
fn other_end(pipe: &Path, run: &mut Child) -> File {
    let (sender, receiver) = mpsc::channel();
    let path = pipe.to_owned();
    thread::spawn(move || sender.send(File::options().write(true).open(path)));
    loop {
        // The time only limits how long a failure goes unnoticed.
        if let Ok(opened) = receiver.recv_timeout(Duration::from_millis(100)) {
            return opened.expect("the pipe can be opened");
        }
        let ended = run.try_wait().expect("it is our child");
        assert!(
            ended.is_none(),
            "the run ended before it read {}",
            pipe.display()
        );
    }
}

/// A site in which each page has its own sitemap.
fn committed_site() -> SiteTest {
    let site = SiteTest::of_pages(&["index.html", "a.html"]);
    site.settings("sitemap.max_urls = 1\nlastmod.memory = \".memory\"\n")
        .commit("2024-01-02T03:04:05Z");
    site
}

/// The files of a site that are served, with their bytes.
fn published(site: &SiteTest) -> Vec<(String, Vec<u8>)> {
    let names = site.files().into_iter();
    names
        .filter(|name| !name.starts_with('.'))
        .map(|name| (name.clone(), site.bytes(&name)))
        .collect()
}

fn has_staged_files(site: &SiteTest) -> bool {
    let mut names = site.files().into_iter();
    names.any(|name| name.starts_with(".waypost-staging"))
}

/// Runs waypost, and sends it a signal when all files are staged and none is replaced: it compares the
/// memory last. Returns the signal that ended it.
fn stop_after_staging(site: &SiteTest, signal: &str) -> Option<i32> {
    // A shell without job control ignores SIGINT in background jobs, and so do all their children.
    let script = if cfg!(target_os = "linux") {
        "exec env --default-signal \"$@\""
    } else {
        "exec \"$@\""
    };
    let run = HeldRun::start(site, &mut site.shell_command(script, &["--quiet"]));
    let memory = site.root().join(".memory");
    make_pipe(&memory);
    let mut run = run.go_on();
    let open = other_end(&memory, &mut run);
    let sent = Command::new("kill")
        .args(["-s", signal, &run.id().to_string()])
        .status();
    assert!(sent.expect("kill can be run").success());
    // A run that the signal has not ended goes on.
    drop(open);
    let ended = run.wait().expect("it is our child");
    site.remove(".memory");
    ended.signal()
}

#[test]
fn a_signal_that_ends_a_run_before_the_first_file_is_replaced_leaves_the_old_set() {
    let site = committed_site();
    site.build();
    site.remove(".memory");
    site.remove("a.html");
    site.page("b.html", "");
    let old = published(&site);
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let ended_by = stop_after_staging(&site, signal);
        assert_eq!(ended_by, Some(number), "{signal}");
        assert!(published(&site) == old, "{signal} changes the set");
        assert!(has_staged_files(&site), "{signal} comes before staging");
    }
    site.waypost(&["--quiet"]).ended_with(0);
    assert!(!has_staged_files(&site), "staged files stay");
    assert_eq!(
        site.urls(),
        ["https://example.com/", "https://example.com/b.html"]
    );
}

#[test]
fn a_run_waits_for_another_one_and_keeps_its_line_in_robots_txt() {
    let site = committed_site();
    let lock = File::open(site.root()).expect("the output directory");
    lock.lock().expect("a directory can be locked");
    let run = HeldRun::start(&site, &mut site.waypost_command(&["--quiet"]));
    let mut run = run.go_on();
    // A whole dry run takes longer than the rest of a run that does not wait.
    site.waypost(&["--dry-run"]).succeeded();
    assert!(run.try_wait().expect("it is our child").is_none());
    site.write("robots.txt", "Sitemap: https://example.com/other.xml\n");
    lock.unlock().expect("it is locked");
    assert!(run.wait().expect("it is our child").success());
    assert_eq!(
        site.read("robots.txt"),
        "Sitemap: https://example.com/other.xml\nSitemap: https://example.com/sitemap.xml\n"
    );
    assert_eq!(site.urls().len(), 2);
}

#[test]
fn concurrent_runs_with_different_sitemaps_are_all_named_in_robots_txt() {
    let site = committed_site();
    for _ in 0..5 {
        site.write("robots.txt", "User-agent: *\nDisallow: /search/\n");
        // Each has read robots.txt before the first one writes it.
        let held = ["one", "two", "three"].map(|name| {
            let file = format!("{name}.toml");
            let settings =
                format!("base_url = \"https://example.com/\"\nsitemap.file = \"{name}.xml\"\n");
            site.write(&file, settings);
            let mut run = site.waypost_command(&["-q", "--config", &file]);
            HeldRun::start(&site, &mut run)
        });
        for mut run in held.map(HeldRun::go_on) {
            assert!(run.wait().expect("the run ends").success());
        }
        let robots_txt = site.read("robots.txt");
        let mut lines: Vec<&str> = robots_txt.lines().collect();
        lines[2..].sort_unstable();
        let sitemaps =
            ["one", "three", "two"].map(|name| format!("Sitemap: https://example.com/{name}.xml"));
        assert_eq!(lines[..2], ["User-agent: *", "Disallow: /search/"]);
        assert_eq!(lines[2..], sitemaps);
    }
}

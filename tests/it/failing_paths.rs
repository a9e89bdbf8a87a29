//! A file or directory that the machine cannot read is not one that does not exist: the run fails, and
//! the old files stay. strace lets every call on one path fail with EIO; without it, nothing is tested.
//! It also counts how often a run opens what it asks several questions of.

use std::io::{self, Write};
use std::process::Command;

use crate::site_test::{Outcome, SiteTest};

/// Runs waypost while every call on `path` fails with an error.
fn run_with_failing(site: &SiteTest, path: &str, error: &str) -> Outcome {
    let absolute = site.root().join(path);
    let script = format!(
        "exec strace -f -qq -o /dev/null -P '{path}' -P './{path}' -P '{}' \
         -e inject=%file,%desc:error={error} \"$@\"",
        absolute.display()
    );
    let mut waypost = site.shell_command(&script, &["--base-url", "https://example.com/"]);
    Outcome::of(waypost.output().expect("the shell can be run"))
}

fn has_strace() -> bool {
    let has_it = Command::new("strace").arg("--version").output().is_ok();
    if !has_it {
        let message = "note: strace is not on PATH; no path that cannot be read was tested";
        writeln!(io::stderr(), "{message}").expect("stderr is writable");
    }
    has_it
}

/// Asserts that a run fails while `path` cannot be read, names it in its error, and changes no file;
/// and that it succeeds as soon as the path can be read again.
#[track_caller]
fn failure_stops_the_run(site: &SiteTest, path: &str, named: &str) {
    if !has_strace() {
        return;
    }
    let before = site.files();
    let outcome = run_with_failing(site, path, "EIO").ended_with(2);
    let outcome = outcome.says("hint: ");
    // strace prints how it resolves the paths.
    let mut printed = outcome.stderr.lines();
    let first = printed.find(|line| !line.starts_with("strace: "));
    assert!(
        first.is_some_and(|line| line.starts_with("error: ") && line.contains(named)),
        "{named}: {}",
        outcome.stderr
    );
    assert!(site.files() == before, "{path}: a file has changed");
    site.waypost(&["--dry-run", "--base-url", "https://example.com/"])
        .succeeded();
}

fn committed_site() -> SiteTest {
    let site = SiteTest::empty();
    site.page("public/index.html", "").page("public/a.html", "");
    site.commit("2024-01-02T03:04:05Z");
    site
}

#[test]
fn settings_that_cannot_be_examined_are_not_missing_settings() {
    let site = committed_site();
    site.settings("exclude = [\"a.html\"]\n");
    failure_stops_the_run(&site, "waypost.toml", "waypost.toml");
}

#[test]
fn a_generator_is_not_overlooked_because_its_file_cannot_be_examined() {
    let site = committed_site();
    site.write("hugo.toml", "baseURL = 'https://example.com/'\n");
    site.write("content/a.md", "---\ndate: 2024-01-01\n---\n");
    failure_stops_the_run(&site, "hugo.toml", "hugo.toml");
    failure_stops_the_run(&site, "content", "content");
}

#[test]
fn a_file_of_the_host_that_cannot_be_examined_may_redirect_pages() {
    let site = committed_site();
    site.write(
        "netlify.toml",
        "[[redirects]]\nfrom = \"/a\"\nto = \"/b\"\n",
    );
    failure_stops_the_run(&site, "netlify.toml", "netlify.toml");
    // It does not exist, but it could.
    failure_stops_the_run(&site, "vercel.json", "vercel.json");
}

#[test]
fn a_site_is_not_searched_elsewhere_because_its_directory_cannot_be_examined() {
    let site = committed_site();
    failure_stops_the_run(&site, "public", "public");
    failure_stops_the_run(&site, "public/index.html", "index.html");
}

#[test]
fn an_output_directory_or_home_page_without_permission_is_never_silent() {
    if !has_strace() {
        return;
    }
    let site = committed_site();
    let listed = run_with_failing(&site, "public", "EACCES").ended_with(2);
    listed.says("cannot open the output directory `./public`");
    let read = run_with_failing(&site, "public/index.html", "EACCES").ended_with(1);
    read.says("error[unreadable]: cannot read `index.html`");
}

#[test]
fn a_list_of_chapters_without_permission_does_not_cost_the_home_page_its_date() {
    if !has_strace() {
        return;
    }
    let site = SiteTest::empty();
    site.write("book.toml", "[book]\ntitle = \"A\"\n")
        .write("src/SUMMARY.md", "[A](a.md)\n")
        .write("src/a.md", "# A\n")
        .page("book/index.html", "")
        .page("book/a.html", "");
    site.commit("2024-01-02T03:04:05Z");
    for path in ["src/SUMMARY.md", "src/a.md", "src"] {
        let outcome = run_with_failing(&site, path, "EACCES").ended_with(2);
        outcome.says(&format!("error: cannot read `{path}`"));
    }
}

#[test]
fn an_object_that_cannot_be_read_stops_the_run() {
    let site = committed_site();
    for revision in ["HEAD^{tree}", "HEAD"] {
        let object = site.loose_object(revision);
        let below = object.strip_prefix(site.root()).unwrap_or(&object);
        failure_stops_the_run(&site, &below.to_string_lossy(), "is missing");
    }
    failure_stops_the_run(&site, ".git/refs", "refs");
    failure_stops_the_run(&site, ".git/objects", "objects");
}

/// How often a run opens a file of the output directory.
fn opens(site: &SiteTest, arguments: &[&str], name: &str) -> usize {
    let script = "exec strace -f -qq -e trace=openat,openat2 -o trace.txt \"$@\"";
    let mut waypost = site.shell_command(script, arguments);
    Outcome::of(waypost.output().expect("the shell can be run"));
    let trace = site.read("trace.txt");
    site.remove("trace.txt");
    let ending = format!("/public/{name}\"");
    let opened = trace.lines().filter(|line| !line.contains(" = -1 "));
    opened.filter(|line| line.contains(&ending)).count()
}

#[test]
fn what_is_there_already_is_read_once_for_all_questions() {
    if !has_strace() {
        return;
    }
    let site = SiteTest::zola("");
    site.index_pages("public", "/ a/ b/ c/");
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let entries = ["", "a/", "b/", "c/"]
        .map(|path| format!("<url><loc>https://example.com/{path}</loc></url>"))
        .concat();
    let text = format!("<urlset xmlns=\"{namespace}\">{entries}</urlset>\n");
    site.write(
        "public/robots.txt",
        "Sitemap: https://example.com/sitemap.xml\n",
    );
    // Of the sitemap the survey, its mark again under the lock, and the comparison with the new bytes; of the
    // home page the sample and its statements.
    for (name, most) in [("sitemap.xml", 3), ("robots.txt", 1), ("index.html", 2)] {
        site.write("public/sitemap.xml", &text);
        for arguments in [&[][..], &[], &["check"]] {
            let count = opens(&site, arguments, name);
            assert!((1..=most).contains(&count), "{arguments:?} {name}: {count}");
        }
    }
}

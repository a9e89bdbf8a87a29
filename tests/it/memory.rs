//! The memory of contents: dates without the whole history and without sources, beside tests/cases/memory.txtar.

use crate::site_test::{Outcome, SiteTest, text_or_dash};

/// 2024-05-06T07:08:09Z, 2025-05-06T07:08:09Z and 2026-05-06T07:08:09Z.
const BUILDS: [&str; 3] = ["1714979289", "1746515289", "1778051289"];

/// Builds a site with a memory at a time, and returns the day of each page with its origin.
fn build(site: &mut SiteTest, at: &str, dir: &str) -> Vec<String> {
    site.variable("SOURCE_DATE_EPOCH", at);
    run(site, &["build", dir]).succeeded();
    let explained = run(site, &["explain", "--json", "--quiet", dir]);
    let explained = explained.succeeded().stdout;
    let row = |line: &str| {
        let page: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let keys = ["file", "lastmod", "lastmod_from"];
        let [file, date, from] = keys.map(|key| text_or_dash(&page, key));
        format!("{file} {date:.10} {from}")
    };
    explained.lines().map(row).collect()
}

/// Runs a command with the memory.
fn run(site: &SiteTest, arguments: &[&str]) -> Outcome {
    let base = ["--base-url", "https://example.com/"];
    let memory = ["--memory", "memory.jsonl"];
    site.waypost(&[arguments, &base, &memory].concat())
}

fn page(text: &str) -> String {
    format!("<!DOCTYPE html><title>A</title><main>{text}</main>\n")
}

/// A Hugo site of two posts, of which the second is newer.
fn hugo() -> SiteTest {
    let site = SiteTest::hugo("");
    site.write("content/a.md", "A")
        .page("public/a/index.html", "")
        .page("public/b/index.html", "")
        .write(".gitignore", "public\nmemory.jsonl\nclone\n")
        .commit("2023-01-01T00:00:00Z");
    site.write("content/b.md", "B")
        .commit("2023-02-02T00:00:00Z");
    site
}

#[test]
fn a_shallow_clone_keeps_the_dates_of_a_full_one_and_dates_changes_by_the_commit_that_is_built() {
    let mut site = hugo();
    let full = ["a/index.html 2023-01-01 git", "b/index.html 2023-02-02 git"];
    assert_eq!(build(&mut site, BUILDS[0], "."), full);
    site.write("content/a.md", "Changed")
        .commit("2023-03-03T00:00:00Z");
    site.write("other", "").commit("2023-04-04T00:00:00Z");
    let url = format!("file://{}", site.root().display());
    site.git(&["clone", "-q", "--depth=1", &url, "clone"]);
    for made in ["a", "b"] {
        site.page(format!("clone/public/{made}/index.html"), "");
    }
    let shallow = [
        "a/index.html 2023-04-04 memory",
        "b/index.html 2023-02-02 memory",
    ];
    assert_eq!(build(&mut site, BUILDS[1], "clone"), shallow);
    // Again, at the same commit and later.
    assert_eq!(build(&mut site, BUILDS[2], "clone"), shallow);
    // Git dates what it can.
    let full = ["a/index.html 2023-03-03 git", "b/index.html 2023-02-02 git"];
    assert_eq!(build(&mut site, BUILDS[2], "."), full);
}

#[test]
fn texts_that_change_with_each_build_have_no_date() {
    let mut site = SiteTest::empty();
    let write = |site: &SiteTest, stamp: &str| {
        for number in 0..12 {
            site.write(
                format!("public/{number:02}.html"),
                page(&format!("{number} {stamp}")),
            );
        }
    };
    write(&site, "1");
    build(&mut site, BUILDS[0], "public");
    write(&site, "2");
    let restless = build(&mut site, BUILDS[1], "public");
    let undated = restless.iter().filter(|line| line.ends_with(" - -"));
    assert_eq!(undated.count(), 12);
    write(&site, "3");
    run(&site, &["build", "public"])
        .succeeded()
        .says("warning[memory-restless]: the texts of 12 pages");
    site.write("public/03.html", page("New"));
    let alone = build(&mut site, BUILDS[2], "public");
    assert_eq!(alone[3], "03.html 2026-05-06 memory");
    let dated = alone.iter().filter(|line| line.ends_with("memory"));
    assert_eq!(dated.count(), 1);
}

#[test]
fn content_that_the_commit_does_not_have_is_dated_by_the_build_also_in_a_shallow_clone() {
    let mut site = hugo();
    build(&mut site, BUILDS[0], ".");
    site.write("content/a.md", "Changed")
        .commit("2023-03-03T00:00:00Z");
    let url = format!("file://{}", site.root().display());
    site.git(&["clone", "-q", "--depth=1", &url, "clone"]);
    for made in ["a", "b"] {
        site.page(format!("clone/public/{made}/index.html"), "");
    }
    site.write("clone/content/b.md", "A step of the job writes this");
    let dated = [
        "a/index.html 2023-03-03 memory",
        "b/index.html 2025-05-06 memory",
    ];
    assert_eq!(build(&mut site, BUILDS[1], "clone"), dated);
}

#[test]
fn a_memory_that_does_not_know_most_pages_only_remembers() {
    let mut site = SiteTest::empty();
    let write = |site: &SiteTest, pages: std::ops::Range<usize>| {
        for number in pages {
            site.write(
                format!("public/{number:02}.html"),
                page(&number.to_string()),
            );
        }
    };
    write(&site, 0..8);
    build(&mut site, BUILDS[0], "public");
    write(&site, 8..20);
    run(&site, &["build", "public"])
        .succeeded()
        .says("warning[memory-restless]: the memory of contents does not know 12 of the pages");
    write(&site, 20..21);
    let dated = build(&mut site, BUILDS[1], "public");
    let by_memory = dated.iter().filter(|line| line.ends_with("memory"));
    assert_eq!(by_memory.collect::<Vec<_>>(), ["20.html 2025-05-06 memory"]);
    let whole = site.read("memory.jsonl");
    let cut: String = whole.split_inclusive('\n').take(5).collect();
    site.write("memory.jsonl", cut);
    run(&site, &["build", "public"])
        .ended_with(2)
        .says("the file is cut off");
}

#[test]
fn what_a_killed_run_staged_beside_the_memory_is_removed_but_not_what_a_run_stages_now() {
    let mut site = SiteTest::empty();
    site.page("public/a.html", "");
    build(&mut site, BUILDS[0], "public");
    // The name of such a file begins with a hash of the name of the memory.
    let left = ".waypost-staging-PREFIX-1-1";
    let prefix = format!("{:016x}", twox_hash::XxHash3_64::oneshot(b"memory.jsonl"));
    let [left, held] =
        [left, ".waypost-staging-PREFIX-2-2"].map(|name| name.replace("PREFIX", &prefix));
    site.write(&left, "").write(&held, "");
    let other_run = std::fs::File::open(site.root().join(&held)).expect("it exists");
    other_run.try_lock().expect("no other run has it");
    build(&mut site, BUILDS[0], "public");
    assert!(!site.root().join(&left).exists());
    assert!(site.root().join(&held).exists());
}

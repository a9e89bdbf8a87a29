//! Compares the dates of source files with those that the `git` binary gives.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]
#![cfg(unix)] // names of any bytes, symbolic links

mod damaged;
mod edited;
mod elsewhere;
mod fixture;
mod generated;
mod incomplete;
mod links;
mod members;
mod model;
mod reftable;
mod repositories;
mod revisions;
mod skipped;
mod unusual;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fixture::{Fixture, git, output};
use git_last_modified::CommitTime;
use git_last_modified::{FileHistory, History, HistoryError, HistoryQuery, Source, date_sources};

fn date_files(sources: &[PathBuf], query: &HistoryQuery<'_>) -> Result<History, HistoryError> {
    date_sources(sources.iter().cloned().map(Source::File), query)
}

fn ask(sources: &[PathBuf], time: CommitTime) -> History {
    let query = HistoryQuery {
        time,
        ..HistoryQuery::default()
    };
    date_files(sources, &query).expect("the query is valid")
}

/// Asks a repository of which a part may exist and be unreadable: then no date is known.
fn ask_damaged(sources: &[PathBuf]) -> Result<History, String> {
    let history = date_files(sources, &HistoryQuery::default());
    history.map_err(|error| match error {
        HistoryError::UnreadableRepository { failure, .. } => failure.to_string(),
        other => panic!("{other}"),
    })
}

/// Returns the commit and date that Git gives for a path, as `hash seconds`.
fn date_by_git(root: &Path, path: &Path, time: CommitTime) -> String {
    let options: &[&str] = match time {
        CommitTime::Committer => &["--format=%H %ct"],
        CommitTime::Author => &["--format=%H %at"],
        CommitTime::Landed => &["--format=%H %ct", "--first-parent"],
    };
    let mut log = git(root);
    log.args(["log", "-1"]).args(options).args(["HEAD", "--"]);
    output(log.arg(path))
}

fn date_by_waypost(answer: &FileHistory) -> String {
    match answer {
        FileHistory::Changed(change) => format!("{} {}", change.commit, change.seconds),
        other => format!("{other:?}"),
    }
}

/// Returns every file in HEAD.
fn tracked(root: &Path) -> Vec<PathBuf> {
    let listed = git(root)
        .args(["ls-tree", "-r", "-z", "--name-only", "HEAD"])
        .output()
        .expect("git runs");
    assert!(listed.status.success());
    let names = listed
        .stdout
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    names
        .map(|name| root.join(OsStr::from_bytes(name)))
        .collect()
}

fn every_file_has_gits_date(root: &Path, story: &str) {
    let sources = tracked(root);
    for time in [
        CommitTime::Committer,
        CommitTime::Author,
        CommitTime::Landed,
    ] {
        let history = ask(&sources, time);
        for (source, answer) in sources.iter().zip(&history.files) {
            let path = source
                .strip_prefix(root)
                .expect("the source is in the repository");
            assert_eq!(
                date_by_waypost(answer),
                date_by_git(root, path, time),
                "{story}: {} {time:?}",
                source.display()
            );
        }
    }
}

fn generated_histories_are_dated_as_git_dates_them(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let fixture = Fixture::imported(&generated::stream(&generated::history(seed)));
        every_file_has_gits_date(fixture.root(), &format!("seed {seed}"));
    }
}

#[test]
fn every_file_of_fifty_generated_histories_has_gits_date() {
    generated_histories_are_dated_as_git_dates_them(0..50);
}

#[test]
#[ignore = "takes minutes: 1,000 histories, two runs of git per file; part of the slow suite"]
fn every_file_of_a_thousand_generated_histories_has_gits_date() {
    generated_histories_are_dated_as_git_dates_them(50..1050);
}

#[test]
fn every_file_of_a_long_history_has_gits_date() {
    for seed in 0..6 {
        let fixture = Fixture::imported(&generated::stream(&generated::long_history(seed, 3000)));
        every_file_has_gits_date(fixture.root(), &format!("long history {seed}"));
        let history = ask(&tracked(fixture.root()), CommitTime::Committer);
        let visited = history.repositories[0].commits_visited;
        assert!(visited > 1000, "{visited}");
    }
}

#[test]
fn the_utc_offset_of_the_commit_is_kept() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "a");
    let commit = fixture.commit("1700000000 +0530");
    let check = |time, expected: &str| {
        let FileHistory::Changed(change) = &ask(std::slice::from_ref(&source), time).files[0]
        else {
            panic!("no date")
        };
        assert_eq!(change.commit.to_string(), commit);
        assert_eq!(
            format!("{} {}", change.seconds, change.offset_minutes),
            expected
        );
    };
    check(CommitTime::Committer, "1700000000 330");
    check(CommitTime::Author, "1699913600 330");
}

#[test]
fn a_query_may_contain_a_file_twice() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "a");
    fixture.commit("1700000000 +0000");
    let history = ask(&[source.clone(), source], CommitTime::Committer);
    assert_eq!(history.files[0], history.files[1]);
    assert_eq!(
        fixture.git("log --format=%H"),
        date_by_waypost(&history.files[0]).replace(" 1700000000", "")
    );
}

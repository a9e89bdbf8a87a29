//! Directories dated by their members, compared with a history that has only these, all empty.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::date_by_waypost;
use super::fixture::{Fixture, git, output, run};
use super::generated::{Commit, history, stream};
use git_last_modified::{
    CommitTime, FileHistory, HistoryQuery, IgnoredRevisions, Source, date_sources,
};

fn is_member(name: &[u8]) -> bool {
    !name.ends_with(b"x") && !name.ends_with(b"0")
}

fn ask(dirs: &[PathBuf], time: CommitTime, ignored: &[String]) -> Vec<FileHistory> {
    let query = HistoryQuery {
        is_member: &is_member,
        time,
        ignored: IgnoredRevisions {
            revisions: ignored,
            ..IgnoredRevisions::default()
        },
        ..HistoryQuery::default()
    };
    let dirs = dirs.iter().cloned().map(Source::Members);
    date_sources(dirs, &query)
        .expect("the query is valid")
        .files
}

/// The history in which only the members exist, and all are equal.
fn members_of(commits: Vec<Commit>) -> Vec<Commit> {
    let members = commits.into_iter().map(|commit| {
        let names = commit.tree.into_keys().filter(|path| is_member(path));
        Commit {
            tree: names.map(|name| (name, ("100644", 0))).collect(),
            ..commit
        }
    });
    members.collect()
}

/// The directories above the files of a commit, without those whose names git would quote.
fn dirs_of(commit: &Commit) -> BTreeSet<String> {
    let files = commit.tree.keys();
    let files = files.filter_map(|path| str::from_utf8(path).ok());
    let above = files.flat_map(|path| Path::new(path).ancestors().skip(1));
    above
        .map(|dir| dir.to_str().expect("a part of a text").to_owned())
        .collect()
}

#[test]
fn a_directory_has_the_date_of_the_last_member_that_was_added_removed_or_renamed() {
    let mut compared = 0;
    for seed in 0..40 {
        let whole = Fixture::imported(&stream(&history(seed)));
        let members = members_of(history(seed));
        let dirs = dirs_of(members.last().expect("a history has commits"));
        let members = Fixture::imported(&stream(&members));
        let log = run(whole.root(), &["log", "--all", "--format=%H %s"]);
        let subjects: HashMap<&str, &str> = log
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect();
        let asked: Vec<PathBuf> = dirs.iter().map(|dir| whole.path(dir)).collect();
        for (time, options) in [
            (CommitTime::Committer, &["--format=%s"][..]),
            (CommitTime::Landed, &["--format=%s", "--first-parent"]),
        ] {
            for (dir, answer) in dirs.iter().zip(ask(&asked, time, &[])) {
                let path = if dir.is_empty() { "." } else { dir };
                let mut log = git(members.root());
                log.args(["log", "-1"]).args(options);
                let expected = output(log.args(["HEAD", "--", path]));
                let found = date_by_waypost(&answer);
                let commit = found.split(' ').next().unwrap_or_default();
                let found = subjects.get(commit).copied().unwrap_or(&found);
                assert_eq!(found, expected, "seed {seed}, {dir:?}, {time:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn hidden_directories_and_ignored_commits_do_not_count_and_a_boundary_gives_no_date() {
    let fixture = Fixture::new();
    let first = fixture.change("content/a.md", "a", "1704067200 +0000");
    fixture.write("content/.hidden/b.md", "b");
    fixture.write("content/node_modules/b.md", "b");
    fixture.change("content/a.md", "changed", "1706745600 +0000");
    let added = fixture.change("content/deep/er/c.md", "c", "1709251200 +0000");
    fixture.change("content/image.x", "image", "1711929600 +0000");
    let dirs = [fixture.path("content"), fixture.root().to_path_buf()];
    let check = |ignored: &[String], expected: &str| {
        for answer in ask(&dirs, CommitTime::Committer, ignored) {
            assert!(date_by_waypost(&answer).starts_with(expected), "{answer:?}");
        }
    };
    check(&[], &added);
    check(std::slice::from_ref(&added), &first);
    let clone = Fixture::new();
    let url = format!("file://{}", fixture.root().display());
    run(clone.root(), &["fetch", "-q", "--depth=1", &url, "main"]);
    clone.git("reset -q --hard FETCH_HEAD");
    let shallow = [clone.path("content")];
    assert_eq!(
        ask(&shallow, CommitTime::Committer, &[]),
        [FileHistory::BeyondBoundary]
    );
}

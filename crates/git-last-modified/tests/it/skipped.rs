//! Commits that are not a change: by author, by subject, or because little changed.

use std::path::PathBuf;

use super::fixture::{Fixture, git, output, run};
use super::{date_by_waypost, date_files};
use git_last_modified::{
    CommitTime, FileHistory, History, HistoryQuery, IgnoredRevisions, MinorChange, RepositoryError,
};

const BOT: &str = "renovate[bot] <bot@example.com>";
const ANNA: &str = "Anna <anna@example.com>";

/// Commits everything, later than all commits before.
fn commit(fixture: &Fixture, author: &str, message: &str) -> String {
    let root = fixture.root();
    run(root, &["add", "-A"]);
    let count = run(root, &["rev-list", "--count", "--all"]);
    let seconds = 1_700_000_000 + 100_000 * count.parse::<u64>().expect("a number");
    let mut commit = git(root);
    commit.args(["commit", "-q", "--allow-empty", "--cleanup=verbatim"]);
    commit.args(["--author", author, "-m", message]);
    commit.env("GIT_COMMITTER_DATE", format!("{seconds} +0000"));
    output(&mut commit);
    run(root, &["rev-parse", "HEAD"])
}

fn ask(sources: &[PathBuf], query: HistoryQuery<'_>) -> History {
    date_files(sources, &query).expect("the query is valid")
}

fn ignoring(ignored: IgnoredRevisions<'_>) -> HistoryQuery<'_> {
    HistoryQuery {
        ignored,
        ..HistoryQuery::default()
    }
}

fn ignoring_authors(authors: &[String]) -> HistoryQuery<'_> {
    ignoring(IgnoredRevisions {
        authors,
        ..IgnoredRevisions::default()
    })
}

fn ignoring_changes(changes: &[MinorChange]) -> HistoryQuery<'_> {
    ignoring(IgnoredRevisions {
        changes,
        ..IgnoredRevisions::default()
    })
}

/// Returns the commit that dates the first source.
fn first(history: &History) -> String {
    let answer = date_by_waypost(&history.files[0]);
    answer.split(' ').next().expect("a word").to_owned()
}

fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(ToString::to_string).collect()
}

#[test]
fn commits_of_an_author_are_skipped() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    commit(&fixture, ANNA, "add");
    fixture.write("a.md", "2");
    let written = commit(&fixture, ANNA, "change");
    for update in ["3", "4"] {
        fixture.write("a.md", update);
        commit(&fixture, BOT, "update");
    }
    let check = |authors: &[&str], expected: bool| {
        let authors = texts(authors);
        let history = ask(&source, ignoring_authors(&authors));
        assert_eq!(first(&history) == written, expected, "{authors:?}");
    };
    check(&["renovate[bot] *"], true);
    check(&["*<BOT@example.com>"], true);
    check(&["renovate"], false);
    check(&["*other*"], false);
    check(&[], false);
}

#[test]
fn subjects_are_matched_as_git_shows_them() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    let added = commit(&fixture, ANNA, "add");
    for (at, message) in ["style: run\nprettier\n\nbody", "\n\nfix *all* [docs]\n"]
        .iter()
        .enumerate()
    {
        fixture.write("a.md", &format!("changed {at}"));
        commit(&fixture, ANNA, message);
        let subject = fixture.git("log -1 --format=%s");
        let messages = [subject.clone(), "style: *".to_owned()];
        let ignored = IgnoredRevisions {
            messages: &messages,
            ..IgnoredRevisions::default()
        };
        let history = ask(&source, ignoring(ignored));
        assert_eq!(first(&history), added, "{subject}");
    }
}

#[test]
fn a_merge_of_only_skipped_commits_is_no_landing() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1\n2\n3\n")];
    let added = commit(&fixture, ANNA, "add");
    let merge_branch = |author: &str, content: &str| {
        fixture.git("checkout -q -b side");
        fixture.write("a.md", content);
        commit(&fixture, author, "change");
        fixture.git("checkout -q main");
        commit(&fixture, ANNA, "other");
        fixture.git("merge -q --no-ff -m merge side");
        fixture.git("branch -q -D side");
        fixture.git("rev-parse HEAD")
    };
    let authors = texts(&["renovate*"]);
    let landed = || {
        let query = HistoryQuery {
            time: CommitTime::Landed,
            ..ignoring_authors(&authors)
        };
        first(&ask(&source, query))
    };
    merge_branch(BOT, "1\n2\n3\nby bot\n");
    assert_eq!(landed(), added);
    let merged = merge_branch(ANNA, "1\n2\n3\nby Anna\n");
    assert_eq!(landed(), merged);
    merge_branch(BOT, "by bot\n");
    assert_eq!(landed(), merged);
}

#[test]
fn whitespace_and_front_matter_alone_are_no_change_if_so_set() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "---\nx: 1\n---\nSome text.\n")];
    let added = commit(&fixture, ANNA, "add");
    fixture.write("a.md", "---\nx: 2\n---\nSome text.\n");
    let retitled = commit(&fixture, ANNA, "front matter");
    fixture.write("a.md", "---\nx: 2\n---\n\nSome\ntext. \n");
    let spaced = commit(&fixture, ANNA, "whitespace");
    let check = |changes: &[MinorChange], expected: &str| {
        let history = ask(&source, ignoring_changes(changes));
        assert_eq!(first(&history), expected, "{changes:?}");
    };
    check(&[], &spaced);
    check(&[MinorChange::FrontMatter], &spaced);
    check(&[MinorChange::Whitespace], &retitled);
    check(&[MinorChange::Whitespace, MinorChange::FrontMatter], &added);
    fixture.git("update-index --chmod=+x a.md");
    fixture.git("commit -q -m mode");
    let mode = fixture.git("rev-parse HEAD");
    check(&[MinorChange::Whitespace], &mode);
}

#[test]
fn a_file_has_no_date_if_the_contents_to_compare_are_missing() {
    let fixture = Fixture::new();
    fixture.write("a.md", "text\n");
    commit(&fixture, ANNA, "add");
    fixture.write("a.md", " text\n");
    commit(&fixture, ANNA, "whitespace");
    let clone = fixture.clone_to("clone", &["--filter=blob:none"]);
    let query = ignoring_changes(&[MinorChange::Whitespace]);
    let history = ask(&[clone.join("a.md")], query);
    assert_eq!(history.files, [FileHistory::Incomplete]);
    let error = history.repositories[0].error.as_ref();
    let is_named = matches!(error, Some(RepositoryError::ContentNotFetched(_)));
    assert!(is_named, "{error:?}");
}

//! Commits that are not a change: by hash, or because little changed.

use std::path::PathBuf;

use super::fixture::{Fixture, git, output, run};
use super::{date_by_waypost, date_files};
use git_last_modified::{
    CommitTime, FileHistory, History, HistoryQuery, IgnoredRevisions, MinorChange, RepositoryError,
};

/// Commits everything, later than all commits before.
fn commit(fixture: &Fixture, message: &str) -> String {
    let root = fixture.root();
    run(root, &["add", "-A"]);
    let count = run(root, &["rev-list", "--count", "--all"]);
    let seconds = 1_700_000_000 + 100_000 * count.parse::<u64>().expect("a number");
    let mut commit = git(root);
    commit.args(["commit", "-q", "--allow-empty"]);
    commit.args(["-m", message]);
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

#[test]
fn a_merge_of_only_skipped_commits_is_no_landing() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1\n2\n3\n")];
    let added = commit(&fixture, "add");
    let merge_branch = |content: &str| {
        fixture.git("checkout -q -b side");
        fixture.write("a.md", content);
        let on_branch = commit(&fixture, "change");
        fixture.git("checkout -q main");
        commit(&fixture, "other");
        fixture.git("merge -q --no-ff -m merge side");
        fixture.git("branch -q -D side");
        (on_branch, fixture.git("rev-parse HEAD"))
    };
    let landed = |revisions: &[String]| {
        let query = HistoryQuery {
            time: CommitTime::Landed,
            ..ignoring(IgnoredRevisions {
                revisions,
                ..IgnoredRevisions::default()
            })
        };
        first(&ask(&source, query))
    };
    let (reformatted, _) = merge_branch("1\n2\n3\nby a tool\n");
    assert_eq!(landed(std::slice::from_ref(&reformatted)), added);
    let (_, merged) = merge_branch("1\n2\n3\nby Anna\n");
    assert_eq!(landed(std::slice::from_ref(&reformatted)), merged);
    let (again, _) = merge_branch("by a tool\n");
    assert_eq!(landed(&[reformatted, again]), merged);
}

#[test]
fn whitespace_and_front_matter_alone_are_no_change_if_so_set() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "---\nx: 1\n---\nSome text.\n")];
    let added = commit(&fixture, "add");
    fixture.write("a.md", "---\nx: 2\n---\nSome text.\n");
    let retitled = commit(&fixture, "front matter");
    fixture.write("a.md", "---\nx: 2\n---\n\nSome\ntext. \n");
    let spaced = commit(&fixture, "whitespace");
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
    commit(&fixture, "add");
    fixture.write("a.md", " text\n");
    commit(&fixture, "whitespace");
    let clone = fixture.clone_to("clone", &["--filter=blob:none"]);
    let query = ignoring_changes(&[MinorChange::Whitespace]);
    let history = ask(&[clone.join("a.md")], query);
    assert_eq!(history.files, [FileHistory::Incomplete]);
    let error = history.repositories[0].error.as_ref();
    let is_named = matches!(error, Some(RepositoryError::ContentNotFetched(_)));
    assert!(is_named, "{error:?}");
}

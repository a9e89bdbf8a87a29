//! Repositories that are missing, empty, shallow, nested or reached through links.

use std::path::PathBuf;

use super::fixture::{Fixture, run};
use super::{ask, date_by_waypost, date_files, every_file_has_gits_date, tracked};
use git_last_modified::{CommitTime, FileHistory, History, HistoryQuery, WalkedTree};

fn committed(sources: &[PathBuf]) -> History {
    ask(sources, CommitTime::Committer)
}

#[test]
fn uncommitted_files_have_no_date() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "a");
    assert_eq!(
        committed(std::slice::from_ref(&source)).files,
        [FileHistory::Untracked],
        "no commit yet"
    );
    fixture.commit("1700000000 +0000");
    let new = fixture.write("b/new.md", "b");
    let added = fixture.write("b/added.md", "b");
    run(fixture.root(), &["add", "b/added.md"]);
    let answers = committed(&[new, added, fixture.root().join("gone/gone.md"), source]).files;
    assert_eq!(answers[..3], [const { FileHistory::Untracked }; 3]);
    assert!(matches!(answers[3], FileHistory::Changed(_)));
}

#[test]
fn files_outside_repositories_have_no_date() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = dir.path().join("a.md");
    std::fs::write(&source, "a").expect("the file is writable");
    let history = committed(&[source]);
    assert_eq!(history.files, [FileHistory::NoRepository]);
    assert_eq!(history.repositories, []);
}

#[test]
fn a_query_without_files_is_valid() {
    assert_eq!(committed(&[]), History::default());
}

#[test]
fn a_shallow_clone_dates_only_changes_above_its_boundary() {
    let fixture = Fixture::new();
    fixture.write("old.md", "1");
    fixture.write("new.md", "1");
    fixture.commit("1700000000 +0000");
    fixture.write("middle.md", "1");
    fixture.commit("1700000100 +0000");
    fixture.write("new.md", "2");
    fixture.commit("1700000200 +0000");
    let clone_at_depth = |depth: &str, expected: [bool; 3]| {
        let dir = fixture.root().with_file_name(format!("clone{depth}"));
        let from = format!("file://{}", fixture.root().display());
        run(
            fixture.root(),
            &[
                "clone",
                "-q",
                "--depth",
                depth,
                &from,
                dir.to_str().expect("UTF-8"),
            ],
        );
        let sources = ["old.md", "middle.md", "new.md"].map(|name| dir.join(name));
        let history = committed(&sources);
        for ((source, answer), dated) in sources.iter().zip(&history.files).zip(expected) {
            let place = format!("{} at depth {depth}", source.display());
            assert_eq!(
                matches!(answer, FileHistory::Changed(_)),
                dated,
                "{place}: {answer:?}"
            );
            assert_eq!(
                *answer == FileHistory::BeyondBoundary,
                !dated,
                "{place}: {answer:?}"
            );
        }
    };
    clone_at_depth("1", [false, false, false]);
    clone_at_depth("2", [false, false, true]);
    clone_at_depth("3", [true, true, true]);
    clone_at_depth("9", [true, true, true]);
}

#[test]
fn a_nested_repository_dates_its_own_files() {
    let fixture = Fixture::new();
    let outer = fixture.write("a.md", "a");
    let inner = fixture.write("theme/content/b.md", "b");
    let theme = fixture.root().join("theme");
    run(&theme, &["init", "-q", "-b", "main"]);
    run(&theme, &["add", "-A"]);
    run(&theme, &["commit", "-q", "-m", "theme"]);
    fixture.commit("1700000000 +0000"); // adds the theme as a submodule's commit
    let history = committed(&[outer, inner, theme]);
    let roots: Vec<_> = history
        .repositories
        .iter()
        .map(|report| report.root.clone())
        .collect();
    assert_eq!(
        roots,
        [fixture.root().to_path_buf(), fixture.root().join("theme")]
    );
    let head = |dir: &str| run(&fixture.root().join(dir), &["log", "-1", "--format=%H %ct"]);
    assert_eq!(date_by_waypost(&history.files[0]), head(""));
    assert_eq!(date_by_waypost(&history.files[1]), head("theme"));
    assert_eq!(
        date_by_waypost(&history.files[2]),
        head(""),
        "the submodule's own entry belongs to the outer repository"
    );
}

#[test]
fn submodules_and_linked_worktrees_are_repositories() {
    let theme = Fixture::new();
    theme.write("b.md", "b");
    theme.commit("1600000000 +0000");
    let fixture = Fixture::new();
    fixture.write("a.md", "a");
    let from = theme.root().to_str().expect("UTF-8");
    run(
        fixture.root(),
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            from,
            "theme",
        ],
    );
    fixture.commit("1700000000 +0000");
    every_file_has_gits_date(&fixture.root().join("theme"), "submodule");
    every_file_has_gits_date(fixture.root(), "with a submodule");
    run(
        fixture.root(),
        &["worktree", "add", "-q", "-b", "other", "../linked"],
    );
    let linked = fixture.root().with_file_name("linked");
    std::fs::write(linked.join("c.md"), "c").expect("the file is writable");
    run(&linked, &["add", "-A"]);
    run(&linked, &["commit", "-q", "-m", "other"]);
    every_file_has_gits_date(&linked, "linked worktree");
    assert_eq!(tracked(&linked).len(), tracked(fixture.root()).len() + 1);
}

#[test]
fn a_directory_behind_a_symlink_is_dated_at_its_real_path() {
    let fixture = Fixture::new();
    fixture.write("real/a.md", "a");
    std::os::unix::fs::symlink("real", fixture.root().join("linked"))
        .expect("symlinks are supported");
    std::os::unix::fs::symlink("real/a.md", fixture.root().join("link.md"))
        .expect("symlinks are supported");
    fixture.commit("1700000000 +0000");
    fixture.write("real/a.md", "b");
    let new = fixture.commit("1700000100 +0000");
    let sources = ["linked/a.md", "real/a.md", "link.md"].map(|name| fixture.root().join(name));
    let answers: Vec<_> = committed(&sources)
        .files
        .iter()
        .map(date_by_waypost)
        .collect();
    assert_eq!(
        answers,
        [
            format!("{new} 1700000100"),
            format!("{new} 1700000100"),
            format!("{new} 1700000100")
        ]
    );
}

#[test]
fn the_checked_out_commit_is_found_however_it_is_named() {
    let fixture = Fixture::new();
    fixture.write("a.md", "1");
    fixture.commit("1700000000 +0000");
    fixture.write("a.md", "2");
    fixture.commit("1700000100 +0000");
    let check = |arguments: &[&str]| {
        run(fixture.root(), arguments);
        every_file_has_gits_date(fixture.root(), &format!("{arguments:?}"));
    };
    check(&["pack-refs", "--all"]);
    check(&["checkout", "-q", "HEAD~1"]);
    run(
        fixture.root(),
        &["checkout", "-q", "--orphan", "new/branch"],
    );
    check(&["commit", "-q", "-m", "a second root"]);
    check(&["checkout", "-q", "main"]);
    check(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    check(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    check(&["config", "core.bare", "true"]);
}

#[test]
fn a_file_and_a_directory_that_swap_names_are_distinguished() {
    let fixture = Fixture::new();
    fixture.write("file", "1");
    fixture.write("folder/a.md", "1");
    fixture.commit("1700000000 +0000");
    std::fs::remove_file(fixture.root().join("file")).expect("it was written");
    std::fs::remove_dir_all(fixture.root().join("folder")).expect("it was written");
    let sources = [
        fixture.write("file/a.md", "1"),
        fixture.write("folder", "1"),
    ];
    assert_eq!(
        committed(&sources).files,
        [const { FileHistory::Untracked }; 2],
        "only on disk"
    );
    fixture.commit("1700000100 +0000");
    every_file_has_gits_date(fixture.root(), "committed");
    assert_eq!(
        committed(&[fixture.root().join("file")]).files,
        [FileHistory::Untracked],
        "now a directory"
    );
}

#[test]
fn nonexistent_paths_are_not_an_error() {
    let fixture = Fixture::new();
    fixture.write("a.md", "1");
    fixture.commit("1700000000 +0000");
    std::os::unix::fs::symlink("loop", fixture.root().join("loop"))
        .expect("symlinks are supported");
    let long = fixture.root().join("x/".repeat(5000)).join("a.md");
    let sources = [
        fixture.root().join("loop/a.md"),
        fixture.root().join("loop"),
        long,
    ];
    assert_eq!(
        committed(&sources).files,
        [const { FileHistory::Untracked }; 3]
    );
    assert_eq!(
        committed(&[PathBuf::from("/"), PathBuf::new()]).files,
        [const { FileHistory::NoRepository }; 2]
    );
}

#[test]
fn the_configuration_can_set_another_work_tree() {
    let fixture = Fixture::new();
    let elsewhere = fixture.root().with_file_name("elsewhere");
    std::fs::create_dir(&elsewhere).expect("the directory is new");
    run(
        fixture.root(),
        &[
            "config",
            "core.worktree",
            elsewhere.to_str().expect("UTF-8"),
        ],
    );
    std::fs::write(elsewhere.join("a.md"), "1").expect("the file is writable");
    fixture.commit("1700000000 +0000");
    let inside = fixture.write("a.md", "1");
    assert_eq!(
        committed(&[inside, elsewhere.join("a.md")]).files,
        [FileHistory::Untracked, FileHistory::NoRepository]
    );
}

#[test]
fn files_of_a_walked_tree_are_untracked_until_a_commit_contains_its_directory() {
    let fixture = Fixture::new();
    let paths = ["site/public/a.html", "site/public2/b.html", "site/c.md"];
    let sources = paths.map(|path| fixture.write(path, path));
    let walked = WalkedTree::new(fixture.root().join("site/public"), []);
    let query = HistoryQuery {
        walked: Some(&walked),
        ..HistoryQuery::default()
    };
    let check = |expected: [bool; 3]| {
        let history = date_files(&sources, &query).expect("the query is valid");
        assert_eq!(history.repositories.len(), 1);
        for (file, is_dated) in history.files.iter().zip(expected) {
            match file {
                FileHistory::Changed(_) => assert!(is_dated),
                other => assert_eq!((other, is_dated), (&FileHistory::Untracked, false)),
            }
        }
    };
    check([false; 3]);
    fixture.write(".gitignore", "/site/public/\n");
    fixture.commit("1700000000 +0000");
    check([false, true, true]);
    fixture.write(".gitignore", "");
    fixture.commit("1700000100 +0000");
    check([true; 3]);
}

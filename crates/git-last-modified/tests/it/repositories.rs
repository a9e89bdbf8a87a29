//! Repositories that are missing, empty, shallow, nested or reached through links.

use std::path::PathBuf;

use super::fixture::{Fixture, git, output, run};
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
    fixture.git("add b/added.md");
    let answers = committed(&[new, added, fixture.path("gone/gone.md"), source]).files;
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
    fixture.change("new.md", "1", "1700000000 +0000");
    fixture.change("middle.md", "1", "1700000100 +0000");
    fixture.change("new.md", "2", "1700000200 +0000");
    let clone_at_depth = |depth: &str, expected: [bool; 3]| {
        let dir = fixture.clone_to(&format!("clone{depth}"), &["--depth", depth]);
        let sources = ["old.md", "middle.md", "new.md"].map(|name| dir.join(name));
        let history = committed(&sources);
        for ((source, answer), dated) in sources.iter().zip(&history.files).zip(expected) {
            let place = format!("{} at depth {depth}", source.display());
            let is_dated = matches!(answer, FileHistory::Changed(_));
            assert_eq!(is_dated, dated, "{place}: {answer:?}");
            let is_beyond = *answer == FileHistory::BeyondBoundary;
            assert_eq!(is_beyond, !dated, "{place}: {answer:?}");
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
    let theme = fixture.path("theme");
    run(&theme, &["init", "-q", "-b", "main"]);
    run(&theme, &["add", "-A"]);
    run(&theme, &["commit", "-q", "-m", "theme"]);
    fixture.commit("1700000000 +0000"); // adds the theme as a submodule's commit
    let history = committed(&[outer, inner, theme.clone()]);
    let roots = history.repositories.iter().map(|report| &report.root);
    let expected = [fixture.root(), &*theme];
    assert_eq!(roots.collect::<Vec<_>>(), expected);
    let head = |dir: &str| run(&fixture.path(dir), &["log", "-1", "--format=%H %ct"]);
    assert_eq!(date_by_waypost(&history.files[0]), head(""));
    assert_eq!(date_by_waypost(&history.files[1]), head("theme"));
    // The submodule's own entry belongs to the outer repository.
    assert_eq!(date_by_waypost(&history.files[2]), head(""));
}

#[test]
fn submodules_and_linked_worktrees_are_repositories() {
    let theme = Fixture::new();
    theme.change("b.md", "b", "1600000000 +0000");
    let fixture = Fixture::new();
    fixture.write("a.md", "a");
    let add = "-c protocol.file.allow=always submodule --quiet add";
    let mut add_theme = git(fixture.root());
    output(
        add_theme
            .args(add.split(' '))
            .arg(theme.root())
            .arg("theme"),
    );
    fixture.commit("1700000000 +0000");
    every_file_has_gits_date(&fixture.path("theme"), "submodule");
    every_file_has_gits_date(fixture.root(), "with a submodule");
    fixture.git("worktree add -q -b other ../linked");
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
    fixture.link("linked", "real");
    fixture.link("link.md", "real/a.md");
    fixture.commit("1700000000 +0000");
    let new = fixture.change("real/a.md", "b", "1700000100 +0000");
    let sources = ["linked/a.md", "real/a.md", "link.md"].map(|name| fixture.path(name));
    let answers = committed(&sources).files;
    let dates: Vec<String> = answers.iter().map(date_by_waypost).collect();
    assert_eq!(dates, vec![format!("{new} 1700000100"); 3]);
}

#[test]
fn the_checked_out_commit_is_found_however_it_is_named() {
    let fixture = Fixture::new();
    fixture.change("a.md", "1", "1700000000 +0000");
    fixture.change("a.md", "2", "1700000100 +0000");
    let check = |arguments: &[&str]| {
        run(fixture.root(), arguments);
        every_file_has_gits_date(fixture.root(), &format!("{arguments:?}"));
    };
    check(&["pack-refs", "--all"]);
    check(&["checkout", "-q", "HEAD~1"]);
    fixture.git("checkout -q --orphan new/branch");
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
    fixture.change("folder/a.md", "1", "1700000000 +0000");
    std::fs::remove_file(fixture.path("file")).expect("it was written");
    std::fs::remove_dir_all(fixture.path("folder")).expect("it was written");
    let sources = ["file/a.md", "folder"].map(|path| fixture.write(path, "1"));
    let files = committed(&sources).files;
    assert_eq!(files, [const { FileHistory::Untracked }; 2], "only on disk");
    fixture.commit("1700000100 +0000");
    every_file_has_gits_date(fixture.root(), "committed");
    let files = committed(&[fixture.path("file")]).files;
    assert_eq!(files, [FileHistory::Untracked], "now a directory");
}

#[test]
fn nonexistent_paths_are_not_an_error() {
    let fixture = Fixture::new();
    fixture.change("a.md", "1", "1700000000 +0000");
    fixture.link("loop", "loop");
    let long = fixture.path("x/".repeat(5000)).join("a.md");
    let sources = [fixture.path("loop/a.md"), fixture.path("loop"), long];
    let files = committed(&sources).files;
    assert_eq!(files, [const { FileHistory::Untracked }; 3]);
    let files = committed(&[PathBuf::from("/"), PathBuf::new()]).files;
    assert_eq!(files, [const { FileHistory::NoRepository }; 2]);
}

#[test]
fn the_configuration_can_set_another_work_tree() {
    let fixture = Fixture::new();
    let elsewhere = fixture.root().with_file_name("elsewhere");
    std::fs::create_dir(&elsewhere).expect("the directory is new");
    let path = elsewhere.to_str().expect("UTF-8");
    run(fixture.root(), &["config", "core.worktree", path]);
    std::fs::write(elsewhere.join("a.md"), "1").expect("the file is writable");
    fixture.commit("1700000000 +0000");
    let inside = fixture.write("a.md", "1");
    let files = committed(&[inside, elsewhere.join("a.md")]).files;
    let expected = [FileHistory::Untracked, FileHistory::NoRepository];
    assert_eq!(files, expected);
}

#[test]
fn files_of_a_walked_tree_are_untracked_until_a_commit_contains_its_directory() {
    let fixture = Fixture::new();
    let paths = ["site/public/a.html", "site/public2/b.html", "site/c.md"];
    let sources = paths.map(|path| fixture.write(path, path));
    let walked = WalkedTree::new(&fixture.path("site/public"), []);
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
    fixture.change(".gitignore", "/site/public/\n", "1700000000 +0000");
    check([false, true, true]);
    fixture.change(".gitignore", "", "1700000100 +0000");
    check([true; 3]);
}

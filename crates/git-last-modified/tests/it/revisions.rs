//! Ignored commits.

use std::path::{Path, PathBuf};

use super::fixture::{Fixture, run};
use super::{date_by_waypost, date_files};
use git_last_modified::{History, HistoryError, HistoryQuery, IgnoredRevisions};

fn passing_over(source: &PathBuf, ignored: IgnoredRevisions<'_>) -> Result<History, HistoryError> {
    let query = HistoryQuery {
        ignored,
        ..HistoryQuery::default()
    };
    date_files(std::slice::from_ref(source), &query)
}

fn of_hashes(revisions: &[String]) -> IgnoredRevisions<'_> {
    IgnoredRevisions {
        revisions,
        ..IgnoredRevisions::default()
    }
}

fn of_file(file: &Path) -> IgnoredRevisions<'_> {
    IgnoredRevisions {
        file: Some(file),
        ..IgnoredRevisions::default()
    }
}

/// Returns the hash of the commit that dates the only source.
fn commit(history: &History) -> String {
    date_by_waypost(&history.files[0])
        .split(' ')
        .next()
        .expect("a word")
        .to_owned()
}

#[test]
fn a_listed_commit_is_ignored_unless_it_added_the_file() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "1");
    let added = fixture.commit("1700000000 +0000");
    let changed = fixture.change("a.md", "2", "1700000100 +0000");
    let reformatted = fixture.change("a.md", "3", "1700000200 +0000");
    let check = |revisions: &[&String], expected: &String| {
        let revisions: Vec<String> = revisions.iter().map(|hash| (*hash).clone()).collect();
        let history = passing_over(&source, of_hashes(&revisions)).expect("valid hashes");
        assert_eq!(&commit(&history), expected);
        assert_eq!(history.unknown_revisions, []);
    };
    check(&[], &reformatted);
    check(&[&reformatted], &changed);
    check(&[&reformatted.to_uppercase()], &changed);
    check(&[&changed], &reformatted);
    check(&[&reformatted, &changed], &added);
    check(&[&reformatted, &changed, &added], &added);
}

#[test]
fn a_listed_merge_passes_a_file_to_the_first_parent_that_has_it() {
    let fixture = Fixture::new();
    let root = fixture.root();
    fixture.change("other.md", "1", "1700000000 +0000");
    run(root, &["checkout", "-q", "-b", "side"]);
    let source = fixture.write("a.md", "1");
    let added = fixture.commit("1700000100 +0000");
    run(root, &["checkout", "-q", "main"]);
    fixture.change("other.md", "2", "1700000200 +0000");
    run(root, &["merge", "-q", "--no-commit", "--no-ff", "side"]);
    let merge = fixture.change("a.md", "changed in the merge", "1700000300 +0000");
    let history = passing_over(&source, of_hashes(&[merge])).expect("a valid hash");
    assert_eq!(commit(&history), added);
}

#[test]
fn the_list_is_parsed_as_git_parses_it() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "1");
    let added = fixture.commit("1700000000 +0000");
    let second = fixture.change("a.md", "2", "1700000100 +0000");
    let third = fixture.change("a.md", "3", "1700000200 +0000");
    let unknown = "1".repeat(40);
    let text = format!("# reformatted\r\n\r\n{second}\r\n  {third} # again\n{unknown}\n");
    let file = fixture.write(".git-blame-ignore-revs", &text);
    let history = passing_over(&source, of_file(&file)).expect("valid hashes");
    assert_eq!(commit(&history), added);
    let found = history.unknown_revisions.iter().map(ToString::to_string);
    let expected = format!("`{unknown}` on line 5 of `{}`", file.display());
    assert_eq!(found.collect::<Vec<_>>(), [expected]);
}

#[test]
fn mistakes_in_the_list_are_reported_with_their_place_and_remedy() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "1");
    fixture.commit("1700000000 +0000");
    let file = fixture.write("list", "# fine\nmain\n");
    let nowhere = fixture.path("nowhere");
    let check = |ignored: IgnoredRevisions<'_>, expected: &str, remedy: &str| {
        let error = passing_over(&source, ignored).expect_err("a mistake");
        let dir = format!("{}/", fixture.root().display());
        assert_eq!(error.to_string().replace(&dir, ""), expected);
        assert_eq!(error.hint(), remedy);
    };
    let remedy = "write the full hash; `#` starts a comment";
    check(
        of_file(&file),
        "`main` on line 2 of `list` is not a commit hash",
        remedy,
    );
    let short = ["abc".to_owned()];
    check(
        of_hashes(&short),
        "`abc` in the setting `lastmod.ignore.revs` is not a commit hash",
        remedy,
    );
    check(
        of_file(&nowhere),
        "cannot read `nowhere`, the list of commits to ignore: \
         No such file or directory (os error 2)",
        "create the file, or remove `lastmod.ignore.revs_file` from the settings",
    );
}

//! Repositories with an unknown format, and given ones.

use std::path::PathBuf;

use super::fixture::{Fixture, run};
use super::{ask, date_by_waypost};
use git_last_modified::{
    CommitTime, FileHistory, GivenRepository, HistoryQuery, RepositoryError, date_sources,
};

#[test]
fn a_repository_with_an_unknown_extension_is_not_read() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "1");
    let commit = fixture.commit("1700000000 +0000");
    let ask = || ask(std::slice::from_ref(&source), CommitTime::Committer);
    run(fixture.root(), &["config", "extensions.unheardOf", "true"]);
    // Git, too, ignores extensions before version 1.
    assert_eq!(
        date_by_waypost(&ask().files[0]),
        format!("{commit} 1700000000")
    );
    run(
        fixture.root(),
        &["config", "core.repositoryFormatVersion", "1"],
    );
    let history = ask();
    assert_eq!(history.files, [FileHistory::Incomplete]);
    let error = history.repositories[0].error.as_ref();
    let Some(RepositoryError::Unsupported(reason)) = error else {
        panic!("{error:?}");
    };
    let expected = "its format has the unknown extension `unheardof`";
    assert_eq!(reason.to_lowercase(), expected);
}

#[test]
fn a_given_git_dir_without_a_work_tree_has_the_current_directory() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    let commit = fixture.commit("1700000000 +0000");
    let git_dir = fixture.root().with_file_name("elsewhere").join("x.git");
    let parent = git_dir.parent().map(PathBuf::from).expect("a parent");
    std::fs::create_dir(&parent).expect("the directory is new");
    std::fs::rename(fixture.root().join(".git"), &git_dir).expect("it is movable");
    let given = GivenRepository {
        git_dir,
        work_tree: None,
        current_dir: fixture.root().to_owned(),
    };
    let query = HistoryQuery {
        sources: &source,
        given: Some(&given),
        ..HistoryQuery::default()
    };
    let history = date_sources(&query).expect("the query is valid");
    assert_eq!(
        date_by_waypost(&history.files[0]),
        format!("{commit} 1700000000")
    );
}

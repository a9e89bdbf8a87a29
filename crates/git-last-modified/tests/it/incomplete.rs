//! Repositories with an unknown format.

use super::fixture::Fixture;
use super::{ask, date_by_waypost};
use git_last_modified::{CommitTime, FileHistory, RepositoryError};

#[test]
fn a_repository_with_an_unknown_extension_is_not_read() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "1");
    let commit = fixture.commit("1700000000 +0000");
    let ask = || ask(std::slice::from_ref(&source), CommitTime::Committer);
    fixture.git("config extensions.unheardOf true");
    // Git, too, ignores extensions before version 1.
    assert_eq!(
        date_by_waypost(&ask().files[0]),
        format!("{commit} 1700000000")
    );
    fixture.git("config core.repositoryFormatVersion 1");
    let history = ask();
    assert_eq!(history.files, [FileHistory::Incomplete]);
    let error = history.repositories[0].error.as_ref();
    let Some(RepositoryError::Unsupported(reason)) = error else {
        panic!("{error:?}");
    };
    let expected = "its format has the unknown extension `unheardof`";
    assert_eq!(reason.to_lowercase(), expected);
}

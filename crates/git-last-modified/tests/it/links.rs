//! Sources that are symbolic links.

use std::path::PathBuf;

use super::fixture::Fixture;
use super::{ask, date_by_waypost};
use git_last_modified::{CommitTime, FileHistory};

/// Returns the hash of the commit that dates a source, or the reason that none does.
fn dated(source: PathBuf) -> String {
    let answer = &ask(&[source], CommitTime::Committer).files[0];
    date_by_waypost(answer)
        .split(' ')
        .next()
        .expect("a word")
        .to_owned()
}

#[test]
fn a_link_has_the_newest_date_of_itself_and_its_targets() {
    let fixture = Fixture::new();
    let root = fixture.root();
    fixture.write("CHANGELOG.md", "1");
    fixture.write("docs/index.md", "1");
    fixture.link("docs/changelog.md", "middle.md");
    fixture.link("docs/middle.md", "../CHANGELOG.md");
    let first = fixture.commit("1700000000 +0000");
    let link = || dated(root.join("docs/changelog.md"));
    assert_eq!(link(), first);
    let changed = fixture.change("CHANGELOG.md", "2", "1700000100 +0000");
    assert_eq!(link(), changed);
    std::fs::remove_file(root.join("docs/middle.md")).expect("it exists");
    fixture.link("docs/middle.md", "./../docs/../CHANGELOG.md");
    let retargeted = fixture.commit("1700000200 +0000");
    assert_eq!(link(), retargeted);
    assert_eq!(dated(root.join("docs/index.md")), first);
    fixture.write("CHANGELOG.md", "not committed");
    assert!(link().starts_with("Edited"), "{}", link());
}

#[test]
fn a_link_to_a_file_that_is_not_committed_has_no_date() {
    let fixture = Fixture::new();
    let root = fixture.root();
    fixture.write(".gitignore", "made.md\n");
    fixture.write("made.md", "1");
    fixture.link("link.md", "made.md");
    fixture.commit("1700000000 +0000");
    let answer = ask(&[root.join("link.md")], CommitTime::Committer).files;
    assert_eq!(answer, [FileHistory::Untracked]);
}

#[test]
fn a_link_that_is_not_committed_has_the_newest_date_of_its_targets() {
    let fixture = Fixture::new();
    let root = fixture.root();
    fixture.write("text/a.md", "1");
    fixture.link("text/b.md", "a.md");
    fixture.commit("1700000000 +0000");
    let changed = fixture.change("text/a.md", "2", "1700000100 +0000");
    fixture.write("book/new.md", "1");
    fixture.link("book/a.md", "../text/a.md");
    fixture.link("book/b.md", "../text/b.md");
    fixture.link("book/c.md", "new.md");
    assert_eq!(dated(root.join("book/a.md")), changed);
    assert_eq!(dated(root.join("book/b.md")), changed);
    let answer = ask(&[root.join("book/c.md")], CommitTime::Committer).files;
    assert_eq!(answer, [FileHistory::Untracked]);
}

#[test]
fn links_in_a_circle_or_to_nothing_keep_their_own_date_and_links_out_of_all_repositories_have_none()
{
    let fixture = Fixture::new();
    let root = fixture.root();
    let outside = root.with_file_name("outside.md");
    std::fs::write(&outside, "1").expect("the directory is writable");
    fixture.link("a.md", "b.md");
    fixture.link("b.md", "a.md");
    fixture.link("relative.md", "../outside.md");
    fixture.link("absolute.md", outside.to_str().expect("UTF-8"));
    fixture.link("dangling.md", "nothing.md");
    fixture.link("dir.md", ".");
    let commit = fixture.commit("1700000000 +0000");
    for name in ["a", "b", "dangling", "dir"] {
        assert_eq!(dated(root.join(format!("{name}.md"))), commit, "{name}");
    }
    let links = ["relative.md", "absolute.md"].map(|name| root.join(name));
    let answers = ask(&links, CommitTime::Committer).files;
    assert_eq!(
        answers,
        [FileHistory::NoRepository, FileHistory::NoRepository]
    );
}

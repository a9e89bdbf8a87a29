//! Sources that are symbolic links.

use std::os::unix::fs::symlink;
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
    symlink("middle.md", root.join("docs/changelog.md")).expect("links are supported");
    symlink("../CHANGELOG.md", root.join("docs/middle.md")).expect("links are supported");
    let first = fixture.commit("1700000000 +0000");
    let link = || dated(root.join("docs/changelog.md"));
    assert_eq!(link(), first);
    fixture.write("CHANGELOG.md", "2");
    let changed = fixture.commit("1700000100 +0000");
    assert_eq!(link(), changed);
    std::fs::remove_file(root.join("docs/middle.md")).expect("it exists");
    symlink("./../docs/../CHANGELOG.md", root.join("docs/middle.md")).expect("links are supported");
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
    symlink("made.md", root.join("link.md")).expect("links are supported");
    fixture.commit("1700000000 +0000");
    let answer = ask(&[root.join("link.md")], CommitTime::Committer).files;
    assert_eq!(answer, [FileHistory::Untracked]);
}

#[test]
fn a_link_that_is_not_committed_has_the_newest_date_of_its_targets() {
    let fixture = Fixture::new();
    let root = fixture.root();
    fixture.write("text/a.md", "1");
    symlink("a.md", root.join("text/b.md")).expect("links are supported");
    fixture.commit("1700000000 +0000");
    fixture.write("text/a.md", "2");
    let changed = fixture.commit("1700000100 +0000");
    fixture.write("book/new.md", "1");
    for (name, target) in [
        ("a.md", "../text/a.md"),
        ("b.md", "../text/b.md"),
        ("c.md", "new.md"),
    ] {
        symlink(target, root.join("book").join(name)).expect("links are supported");
    }
    assert_eq!(dated(root.join("book/a.md")), changed);
    assert_eq!(dated(root.join("book/b.md")), changed);
    let answer = ask(&[root.join("book/c.md")], CommitTime::Committer).files;
    assert_eq!(answer, [FileHistory::Untracked]);
}

#[test]
fn links_in_a_circle_to_nothing_or_out_of_the_repository_keep_their_own_date() {
    let fixture = Fixture::new();
    let root = fixture.root();
    let outside = root.with_file_name("outside.md");
    std::fs::write(&outside, "1").expect("the directory is writable");
    symlink("b.md", root.join("a.md")).expect("links are supported");
    symlink("a.md", root.join("b.md")).expect("links are supported");
    symlink("../outside.md", root.join("relative.md")).expect("links are supported");
    symlink(&outside, root.join("absolute.md")).expect("links are supported");
    symlink("nothing.md", root.join("dangling.md")).expect("links are supported");
    symlink(".", root.join("dir.md")).expect("links are supported");
    let commit = fixture.commit("1700000000 +0000");
    for name in [
        "a.md",
        "b.md",
        "relative.md",
        "absolute.md",
        "dangling.md",
        "dir.md",
    ] {
        assert_eq!(dated(root.join(name)), commit, "{name}");
    }
}

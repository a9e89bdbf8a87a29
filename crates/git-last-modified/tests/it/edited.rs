//! Files on disk that differ from the committed ones.

use std::path::PathBuf;
use std::process::Command;

use super::ask;
use super::fixture::{Fixture, output};
use git_last_modified::CommitTime;
use git_last_modified::FileHistory;

fn is_edited(source: PathBuf) -> bool {
    match &ask(&[source], CommitTime::Committer).files[0] {
        FileHistory::Edited(_) => true,
        FileHistory::Changed(_) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_with_other_bytes_is_edited_and_one_with_a_new_time_is_not() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "one\ntwo\n");
    fixture.commit("1700000000 +0000");
    let check = |content: &str, expected: bool| {
        fixture.write("a.md", content);
        assert_eq!(is_edited(source.clone()), expected, "{content:?}");
    };
    check("one\ntwo\n", false);
    check("one\ntwo", true);
    check("one\r\ntwo\r\n", false);
    check("one\ntoo\n", true);
    fixture.git("add -A");
    assert!(is_edited(source.clone()), "staged is not committed");
    std::fs::remove_file(&source).expect("it exists");
    assert!(!is_edited(source), "a missing file");
}

#[test]
fn a_path_that_is_no_longer_a_file_is_edited() {
    let fixture = Fixture::new();
    let source = fixture.write("a.md", "b.md");
    fixture.commit("1700000000 +0000");
    let replaced = |make: &dyn Fn()| {
        std::fs::remove_file(&source).expect("it exists");
        make();
        is_edited(source.clone())
    };
    assert!(replaced(&|| drop(fixture.link("a.md", "b.md"))));
    assert!(
        replaced(&|| output(Command::new("mkfifo").arg(&source)).clear()),
        "the FIFO is not opened"
    );
    assert!(replaced(
        &|| std::fs::create_dir(&source).expect("the directory is writable")
    ));
}

#[test]
fn a_symlink_with_another_target_is_edited() {
    let fixture = Fixture::new();
    let link = fixture.link("link.md", "b.md");
    fixture.commit("1700000000 +0000");
    assert!(!is_edited(link.clone()));
    std::fs::remove_file(&link).expect("it exists");
    std::fs::write(&link, "b.md").expect("the file is writable");
    assert!(!is_edited(link.clone()), "without symlink support");
    std::fs::remove_file(&link).expect("it exists");
    assert!(is_edited(fixture.link("link.md", "c.md")));
}

#[test]
fn a_fresh_clone_has_no_edited_files() {
    let fixture = Fixture::new();
    let attributes = "*.txt eol=crlf\n*.bin filter=upper\n*.md ident\n";
    fixture.write(".gitattributes", attributes);
    fixture.write("a.txt", "one\ntwo\n");
    fixture.write("b.bin", "bytes");
    fixture.write("c.md", "$Id$\n");
    fixture.link("link", "a.txt");
    fixture.commit("1700000000 +0000");
    let clone = fixture.clone_to("clone", &["-c", "filter.upper.smudge=tr a-z A-Z"]);
    let filtered = std::fs::read(clone.join("b.bin")).expect("it is checked out");
    assert_eq!(filtered, b"BYTES");
    for name in ["a.txt", "b.bin", "c.md", "link"] {
        assert!(!is_edited(clone.join(name)), "{name} as cloned");
    }
    // Where a filter changes the bytes, only the index tells that the file is as it was cloned.
    std::fs::remove_file(clone.join(".git/index")).expect("it exists");
    for name in ["a.txt", "link"] {
        assert!(!is_edited(clone.join(name)), "{name} without an index");
    }
}

#[test]
fn every_format_of_the_index_is_read() {
    let check = |arguments: &str| {
        let fixture = Fixture::new();
        let source = fixture.write("a/b.md", "one");
        let other = fixture.write("a/c.md", "one");
        fixture.commit("1700000000 +0000");
        fixture.git(arguments);
        fixture.write("a/c.md", "two");
        let edited = [source, other].map(is_edited);
        assert_eq!(edited, [false, true], "{arguments}");
    };
    check("update-index --index-version 4");
    check("update-index --split-index");
    check("update-index --untracked-cache");
    check("sparse-checkout set --sparse-index a");
}

//! Files on disk that differ from the committed ones.

use std::path::PathBuf;
use std::process::Command;

use super::ask;
use super::fixture::{Fixture, output, run};
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
    run(fixture.root(), &["add", "-A"]);
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
    assert!(replaced(
        &|| std::os::unix::fs::symlink("b.md", &source).expect("symlinks are supported")
    ));
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
    let link = fixture.root().join("link.md");
    std::os::unix::fs::symlink("b.md", &link).expect("symlinks are supported");
    fixture.commit("1700000000 +0000");
    assert!(!is_edited(link.clone()));
    std::fs::remove_file(&link).expect("it exists");
    std::fs::write(&link, "b.md").expect("the file is writable");
    assert!(
        !is_edited(link.clone()),
        "checked out without symlink support"
    );
    std::fs::remove_file(&link).expect("it exists");
    std::os::unix::fs::symlink("c.md", &link).expect("symlinks are supported");
    assert!(is_edited(link));
}

#[test]
fn a_fresh_clone_has_no_edited_files() {
    let fixture = Fixture::new();
    fixture.write(
        ".gitattributes",
        "*.txt eol=crlf\n*.bin filter=upper\n*.md ident\n",
    );
    fixture.write("a.txt", "one\ntwo\n");
    fixture.write("b.bin", "bytes");
    fixture.write("c.md", "$Id$\n");
    std::os::unix::fs::symlink("a.txt", fixture.root().join("link"))
        .expect("symlinks are supported");
    fixture.commit("1700000000 +0000");
    let clone = fixture.root().with_file_name("clone");
    let filter = "filter.upper.smudge=tr a-z A-Z";
    let to = clone.to_str().expect("UTF-8");
    run(
        fixture.root(),
        &[
            "-c",
            filter,
            "clone",
            "-q",
            "-c",
            "filter.upper.smudge=tr a-z A-Z",
            ".",
            to,
        ],
    );
    assert_eq!(
        std::fs::read(clone.join("b.bin")).expect("it is checked out"),
        b"BYTES"
    );
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
    let check = |arguments: &[&str]| {
        let fixture = Fixture::new();
        let source = fixture.write("a/b.md", "one");
        let other = fixture.write("a/c.md", "one");
        fixture.commit("1700000000 +0000");
        run(fixture.root(), arguments);
        fixture.write("a/c.md", "two");
        assert_eq!(
            (is_edited(source), is_edited(other)),
            (false, true),
            "{arguments:?}"
        );
    };
    check(&["update-index", "--index-version", "4"]);
    check(&["update-index", "--split-index"]);
    check(&["update-index", "--untracked-cache"]);
    check(&["sparse-checkout", "set", "--sparse-index", "a"]);
}

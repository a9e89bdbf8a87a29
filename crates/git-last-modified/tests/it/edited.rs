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
    std::fs::remove_file(clone.join(".git/index")).expect("it exists");
    for name in ["a.txt", "b.bin", "c.md", "link"] {
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

/// Whether Git considers an attribute set for a file.
fn is_set(fixture: &Fixture, attribute: &str, file: &str) -> bool {
    let printed = run(fixture.root(), &["check-attr", attribute, "--", file]);
    !printed.ends_with(": unspecified")
}

#[test]
fn attributes_exempt_only_the_files_that_they_are_set_for() {
    let files = [
        "a.md",
        "A.MD",
        "a.png",
        ".png",
        "x/a.md",
        "x/b.md",
        "x/y/a.png",
        "filter",
        "#",
        "[attr]x",
    ];
    let check = |attributes: &str, ignore_case: &str, is_exact: bool| {
        let fixture = Fixture::new();
        fixture.write("x/.gitattributes", attributes);
        fixture.write(".gitattributes", attributes);
        let sources = files.map(|file| fixture.write(file, "one"));
        fixture.commit("1700000000 +0000");
        run(fixture.root(), &["config", "core.ignoreCase", ignore_case]);
        for (file, source) in files.iter().zip(sources) {
            fixture.write(file, "three");
            let is_excused = !is_edited(source);
            let is_set = is_set(&fixture, "filter", file) || is_set(&fixture, "ident", file);
            assert!(
                is_excused == is_set || is_excused && !is_exact,
                "{attributes:?}: {file}"
            );
        }
    };
    for attributes in [
        "*.png filter=lfs diff=lfs merge=lfs -text\n",
        "# *.md filter=lfs\n\n \t# filter=x\n",
        "\t*.md\tident\r\n",
        "\u{feff}*.md filter=lfs\n",
        "a.md filter=lfs\n*md text\n",
        "* filter=lfs\n",
        "*d ident\n",
        "filter text\n# ident\n",
        "filter filter=lfs",
        "!a.md text\n",
    ] {
        check(attributes, "false", true);
        check(attributes, "true", true);
    }
    for attributes in [
        "x/*.md filter=lfs\n",
        "/a.md ident\n",
        "x/ filter=lfs\n",
        "**/*.png filter=lfs\n",
        "a.?d ident\n",
        "[a-z].md ident\n",
        "\\a.md ident\n",
        "\"a.md\" filter=lfs\n",
        "\"a.md\"filter=lfs\n",
        "!a.md filter=lfs\n",
        "* filter=lfs\n*.md -filter\n",
        "[attr]lfs filter=lfs\n*.md lfs\n",
    ] {
        check(attributes, "false", false);
    }
}

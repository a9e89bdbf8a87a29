//! Repositories from which something was taken: trouble that names it, and never a false date.

use std::path::PathBuf;

use super::fixture::{Fixture, git, output, run};
use super::{ask, generated, tracked};
use waypost::config::CommitTime;
use waypost::history::{FileHistory, RepositoryError};

fn built() -> Fixture {
    Fixture::imported(&generated::stream(&generated::history(7)))
}

/// Every date that is given is the one that the whole repository gives.
#[track_caller]
fn no_date_is_false(sources: &[PathBuf], whole: &[FileHistory], what: &str) {
    let answers = ask(sources, CommitTime::Committer).answers;
    for ((answer, truth), source) in answers.iter().zip(whole).zip(sources) {
        let is_true =
            answer == truth || !matches!(answer, FileHistory::Changed(_) | FileHistory::Edited(_));
        assert!(
            is_true,
            "{what}, {}: {answer:?}, not {truth:?}",
            source.display()
        );
    }
}

#[test]
fn a_pack_or_an_index_that_is_cut_off_makes_no_false_date() {
    let fixture = built();
    let root = fixture.root();
    run(root, &["repack", "-q", "-a", "-d", "-f"]);
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).answers;
    let packs = std::fs::read_dir(root.join(".git/objects/pack")).expect("it is there");
    for file in packs.map(|entry| entry.expect("it can be read").path()) {
        let bytes = std::fs::read(&file).expect("it can be read");
        std::fs::remove_file(&file).expect("packs are write-protected, their folder is not");
        no_date_is_false(&sources, &whole, &format!("without {}", file.display()));
        for end in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            std::fs::write(&file, &bytes[..end]).expect("it can be written");
            no_date_is_false(
                &sources,
                &whole,
                &format!("{} cut at {end}", file.display()),
            );
        }
        std::fs::write(&file, bytes).expect("it can be written");
    }
}

#[test]
fn loose_objects_that_are_missing_or_empty_make_no_false_date() {
    let fixture = built();
    let root = fixture.root();
    let pack = std::fs::read_dir(root.join(".git/objects/pack")).expect("it is there");
    let packs: Vec<_> = pack
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    for pack in packs
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "pack"))
    {
        let moved = root.with_file_name("moved.pack");
        std::fs::rename(pack, &moved).expect("it can be moved");
        let mut unpack = git(root);
        output(
            unpack
                .args(["unpack-objects", "-q"])
                .stdin(std::fs::File::open(&moved).expect("it is there")),
        );
    }
    packs
        .iter()
        .filter(|file| file.exists())
        .for_each(|file| std::fs::remove_file(file).expect("it can be removed"));
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).answers;
    assert!(
        whole
            .iter()
            .any(|answer| matches!(answer, FileHistory::Changed(_)))
    );
    let loose = walkdir::WalkDir::new(root.join(".git/objects"))
        .sort_by_file_name()
        .into_iter();
    let loose: Vec<_> = loose
        .map(|entry| entry.expect("it can be read"))
        .filter(|it| it.file_type().is_file())
        .collect();
    for entry in loose.iter().step_by(loose.len() / 60 + 1) {
        let bytes = std::fs::read(entry.path()).expect("it can be read");
        std::fs::remove_file(entry.path()).expect("it can be removed");
        no_date_is_false(
            &sources,
            &whole,
            &format!("without {}", entry.path().display()),
        );
        std::fs::write(entry.path(), "").expect("it can be written");
        no_date_is_false(
            &sources,
            &whole,
            &format!("{} is empty", entry.path().display()),
        );
        std::fs::write(entry.path(), bytes).expect("it can be written");
    }
}

#[test]
fn a_commit_graph_that_lies_is_believed_by_nobody() {
    let fixture = built();
    let root = fixture.root();
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).answers;
    run(
        root,
        &["commit-graph", "write", "--reachable", "--changed-paths"],
    );
    let graph = root.join(".git/objects/info/commit-graph");
    let bytes = std::fs::read(&graph).expect("it was written");
    std::fs::remove_file(&graph).expect("it can be removed");
    for at in (8..bytes.len()).step_by(bytes.len() / 60 + 1) {
        let mut lie = bytes.clone();
        lie[at] ^= 0xff;
        std::fs::write(&graph, lie).expect("it can be written");
        assert_eq!(
            ask(&sources, CommitTime::Committer).answers,
            whole,
            "byte {at}"
        );
    }
}

#[test]
fn what_head_names_and_where_objects_are_borrowed_may_be_gone() {
    let check = |file: &str, content: &str, expected: Option<&str>| {
        let fixture = built();
        let source = tracked(fixture.root()).remove(0);
        fixture.write(file, content);
        let history = ask(&[source], CommitTime::Committer);
        assert!(
            !matches!(history.answers[..], [FileHistory::Changed(_)]),
            "{file}: {history:?}"
        );
        let said = history
            .repositories
            .iter()
            .find_map(|report| report.trouble.as_ref())
            .map(RepositoryError::to_string);
        assert_eq!(said.is_some(), expected.is_some(), "{file}: {said:?}");
        assert!(
            said.unwrap_or_default()
                .contains(expected.unwrap_or_default()),
            "{file}"
        );
    };
    // A branch without a commit is nothing wrong.
    check(".git/HEAD", "ref: refs/heads/none\n", None);
    check(".git/HEAD", &format!("{}\n", "1".repeat(40)), Some(""));
    check(".git/HEAD", "", Some(""));
    let fixture = built();
    let lender = fixture.root().with_file_name("lender");
    let mut clone = git(fixture.root());
    output(clone.args(["clone", "-q", "--shared", "."]).arg(&lender));
    let source = tracked(&lender).remove(0);
    std::fs::rename(
        fixture.root().join(".git/objects"),
        fixture.root().join("gone"),
    )
    .expect("it can be moved");
    let history = ask(&[source], CommitTime::Committer);
    assert_eq!(history.answers, [FileHistory::Incomplete]);
    assert!(history.repositories[0].trouble.is_some());
}

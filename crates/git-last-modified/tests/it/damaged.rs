//! Repositories with missing or damaged parts: they get an error, and never a wrong date.

use std::path::PathBuf;

use super::fixture::{Fixture, run};
use super::{ask, ask_damaged, generated, tracked};
use git_last_modified::CommitTime;
use git_last_modified::{FileHistory, History};

fn built() -> Fixture {
    Fixture::imported(&generated::stream(&generated::history(7)))
}

/// Asserts that every date equals the one from the undamaged repository.
#[track_caller]
fn no_date_is_false(sources: &[PathBuf], whole: &[FileHistory], what: &str) {
    let Ok(History { files, .. }) = ask_damaged(sources) else {
        return;
    };
    for ((answer, truth), source) in files.iter().zip(whole).zip(sources) {
        let is_true =
            answer == truth || !matches!(answer, FileHistory::Changed(_) | FileHistory::Edited(_));
        assert!(
            is_true,
            "{what}, {}: {answer:?} instead of {truth:?}",
            source.display()
        );
    }
}

#[test]
fn a_truncated_pack_or_index_gives_no_wrong_date() {
    let fixture = built();
    let root = fixture.root();
    run(root, &["repack", "-q", "-a", "-d", "-f"]);
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).files;
    let packs = std::fs::read_dir(root.join(".git/objects/pack")).expect("it exists");
    for file in packs.map(|entry| entry.expect("it is readable").path()) {
        let bytes = std::fs::read(&file).expect("it is readable");
        std::fs::remove_file(&file).expect("packs are read-only, but their directory is not");
        no_date_is_false(&sources, &whole, &format!("without {}", file.display()));
        for end in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            std::fs::write(&file, &bytes[..end]).expect("it is writable");
            let damage = format!("{} truncated to {end}", file.display());
            no_date_is_false(&sources, &whole, &damage);
        }
        std::fs::write(&file, bytes).expect("it is writable");
    }
}

#[test]
fn missing_or_empty_loose_objects_give_no_wrong_date() {
    let fixture = built();
    let root = fixture.root();
    fixture.git("repack -q -a -d");
    fixture.unpack();
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).files;
    let is_dated = |answer: &FileHistory| matches!(answer, FileHistory::Changed(_));
    assert!(whole.iter().any(is_dated));
    let loose = walkdir::WalkDir::new(root.join(".git/objects"))
        .sort_by_file_name()
        .into_iter();
    let loose: Vec<_> = loose
        .map(|entry| entry.expect("it is readable"))
        .filter(|it| it.file_type().is_file())
        .collect();
    for entry in loose.iter().step_by(loose.len() / 60 + 1) {
        let (file, name) = (entry.path(), entry.path().display());
        let bytes = std::fs::read(file).expect("it is readable");
        std::fs::remove_file(file).expect("it is removable");
        no_date_is_false(&sources, &whole, &format!("without {name}"));
        std::fs::write(file, "").expect("it is writable");
        no_date_is_false(&sources, &whole, &format!("{name} is empty"));
        std::fs::write(file, bytes).expect("it is writable");
    }
}

#[test]
fn a_missing_head_commit_or_alternate_gives_no_wrong_date() {
    let check = |content: &str, expected: &str| {
        let fixture = built();
        let source = tracked(fixture.root()).remove(0);
        fixture.write(".git/HEAD", content);
        let said = match ask_damaged(&[source]) {
            Err(said) => said,
            Ok(history) => {
                let dated = matches!(history.files[..], [FileHistory::Changed(_)]);
                assert!(!dated, "{content}: {history:?}");
                let error = history.repositories[0].error.as_ref();
                error.map(ToString::to_string).unwrap_or_default()
            }
        };
        assert!(said.contains(expected), "{content}: {said}");
        assert_eq!(said.is_empty(), expected.is_empty(), "{content}: {said}");
    };
    // A branch without a commit is not an error.
    check("ref: refs/heads/none\n", "");
    check(&format!("{}\n", "1".repeat(40)), "is missing");
    check("", "cannot read the repository: `HEAD`");
    let fixture = built();
    fixture.git("clone -q --shared . ../borrower");
    let source = tracked(&fixture.root().with_file_name("borrower")).remove(0);
    std::fs::rename(fixture.path(".git/objects"), fixture.path("gone")).expect("it is movable");
    let said = ask_damaged(&[source]).expect_err("the objects are gone");
    assert!(said.contains("`objects/info/alternates` names"), "{said}");
}

//! Repositories that are partial, rewired, damaged or stored unusually: the right date or none.

use std::path::PathBuf;

use super::fixture::{Fixture, git, output, run};
use super::{ask, ask_damaged, date_by_waypost, every_file_has_gits_date, generated, tracked};
use git_last_modified::{CommitTime, FileHistory, RepositoryError};

/// Creates three commits: the first and the third change `a.md`, the second changes `b/c.md`.
fn three_commits() -> Fixture {
    commit_three(Fixture::new())
}

fn commit_three(fixture: Fixture) -> Fixture {
    fixture.write("a.md", "1");
    fixture.commit("1700000000 +0000");
    fixture.write("b/c.md", "1");
    fixture.commit("1700000100 +0000");
    fixture.write("a.md", "2");
    fixture.commit("1700000200 +0000");
    fixture
}

fn clone(fixture: &Fixture, options: &[&str]) -> PathBuf {
    run(
        fixture.root(),
        &["config", "uploadpack.allowFilter", "true"],
    );
    let to = fixture.root().with_file_name("clone");
    let from = format!("file://{}", fixture.root().display());
    let mut clone = git(fixture.root());
    output(clone.args(["clone", "-q"]).args(options).arg(from).arg(&to));
    to
}

#[test]
fn a_clone_without_blobs_is_dated_without_fetching_any() {
    let fixture = three_commits();
    let clone = clone(&fixture, &["--filter=blob:none", "--no-checkout"]);
    let packs = || {
        std::fs::read_dir(clone.join(".git/objects/pack"))
            .expect("it exists")
            .count()
    };
    let before = packs();
    let history = ask(&tracked(&clone), CommitTime::Committer);
    assert!(
        history
            .files
            .iter()
            .all(|answer| matches!(answer, FileHistory::Changed(_))),
        "{history:?}"
    );
    assert_eq!((packs(), &history.repositories[0].error), (before, &None));
    every_file_has_gits_date(&clone, "blobless");
}

#[test]
fn a_treeless_clone_is_distinguished_from_a_damaged_one() {
    let fixture = three_commits();
    let clone = clone(&fixture, &["--filter=tree:0"]);
    let history = ask(
        &[clone.join("a.md"), clone.join("b/c.md")],
        CommitTime::Committer,
    );
    assert_eq!(history.files, [const { FileHistory::Incomplete }; 2]);
    let error = history.repositories[0]
        .error
        .as_ref()
        .expect("trees are missing");
    assert!(matches!(error, RepositoryError::NotFetched(_)), "{error:?}");
    assert_eq!(
        error.hint(),
        "fetch the trees: `git fetch --refetch --filter=blob:none`"
    );
}

#[test]
fn replacements_and_grafts_change_no_date() {
    let fixture = three_commits();
    let root = fixture.root();
    let sources = tracked(root);
    let dates = || ask(&sources, CommitTime::Committer).files;
    let before = dates();
    let [head, oldest] = ["HEAD", "HEAD~2"].map(|name| run(root, &["rev-parse", name]));
    run(root, &["replace", "--graft", &head, &oldest]);
    assert_eq!(dates(), before, "a parent replaced");
    run(root, &["replace", "-d", &head]);
    run(root, &["replace", &oldest, &head]);
    assert_eq!(dates(), before, "the first commit replaced by the last");
    fixture.write(".git/info/grafts", &format!("{head} {oldest}\n"));
    assert_eq!(dates(), before, "a parent grafted");
}

#[test]
fn a_graft_at_the_boundary_of_a_shallow_clone_gives_no_date() {
    let fixture = three_commits();
    let clone = clone(&fixture, &["--depth=2"]);
    let [head, boundary] = ["HEAD", "HEAD~1"].map(|name| run(&clone, &["rev-parse", name]));
    let grafts = format!("{boundary}\n");
    std::fs::create_dir_all(clone.join(".git/info")).expect("it is writable");
    std::fs::write(clone.join(".git/info/grafts"), grafts).expect("it is writable");
    let files = ask(&tracked(&clone), CommitTime::Committer).files;
    assert_eq!(date_by_waypost(&files[0]), format!("{head} 1700000200"));
    assert_eq!(files[1], FileHistory::BeyondBoundary);
}

#[test]
fn both_hash_formats_and_all_storage_formats_are_read() {
    let sha256 = commit_three(Fixture::with(&["--object-format=sha256"]));
    every_file_has_gits_date(sha256.root(), "SHA-256");
    let fixture = Fixture::imported(&generated::stream(&generated::history(7)));
    every_file_has_gits_date(fixture.root(), "as imported");
    run(
        fixture.root(),
        &[
            "repack",
            "-q",
            "-a",
            "-d",
            "-f",
            "--depth=50",
            "--write-bitmap-index",
        ],
    );
    every_file_has_gits_date(fixture.root(), "one pack with deltas");
    run(
        fixture.root(),
        &[
            "-c",
            "pack.indexVersion=1",
            "repack",
            "-q",
            "-a",
            "-d",
            "-f",
        ],
    );
    every_file_has_gits_date(fixture.root(), "an index of version 1");
    let pack = std::fs::read_dir(fixture.root().join(".git/objects/pack"))
        .expect("it exists")
        .map(|entry| entry.expect("it is readable").path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "pack")
        })
        .expect("a pack was written");
    std::fs::rename(&pack, fixture.root().join("moved.pack")).expect("it is movable");
    let packed = std::fs::File::open(fixture.root().join("moved.pack")).expect("it was moved");
    output(
        git(fixture.root())
            .args(["unpack-objects", "-q"])
            .stdin(packed),
    );
    std::fs::remove_dir_all(fixture.root().join(".git/objects/pack")).expect("it is removable");
    every_file_has_gits_date(fixture.root(), "loose objects");
}

#[test]
fn objects_of_an_alternate_repository_are_found() {
    let fixture = three_commits();
    every_file_has_gits_date(&clone(&fixture, &["--shared"]), "alternates");
}

#[test]
fn a_separate_git_dir_is_found_by_its_git_file() {
    let fixture = commit_three(Fixture::with(&["--separate-git-dir", "../elsewhere.git"]));
    assert!(fixture.root().join(".git").is_file());
    every_file_has_gits_date(fixture.root(), "separate");
}

#[test]
fn a_missing_object_is_an_error_only_if_a_date_needs_it() {
    let fixture = three_commits();
    let tree = run(fixture.root(), &["rev-parse", "HEAD~1:b"]);
    let (start, end) = tree.split_at(2);
    let loose = format!(".git/objects/{start}/{end}");
    std::fs::remove_file(fixture.root().join(loose)).expect("the object is loose");
    let file = |path: &str| [fixture.root().join(path)];
    let known = ask(&file("a.md"), CommitTime::Committer).files;
    assert!(matches!(known[..], [FileHistory::Changed(_)]), "{known:?}");
    let said = ask_damaged(&file("b/c.md")).expect_err("its tree is missing");
    assert_eq!(
        said,
        format!("object `{tree}` is missing, or its pack cannot be read")
    );
}

#[test]
fn damaged_bytes_never_give_a_wrong_date() {
    let fixture = Fixture::imported(&generated::stream(&generated::history(5)));
    let root = fixture.root();
    let sources = tracked(root);
    let whole = ask(&sources, CommitTime::Committer).files;
    run(root, &["repack", "-q", "-a", "-d", "-f"]);
    let packs = std::fs::read_dir(root.join(".git/objects/pack")).expect("it exists");
    for file in packs.map(|entry| entry.expect("it is readable").path()) {
        let bytes = std::fs::read(&file).expect("it is readable");
        std::fs::remove_file(&file).expect("packs are read-only, but their directory is not");
        for at in (0..bytes.len()).step_by(bytes.len() / 150 + 1) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&file, damaged).expect("it is writable");
            let Ok(history) = ask_damaged(&sources) else {
                continue;
            };
            for (source, (answer, truth)) in sources.iter().zip(history.files.iter().zip(&whole)) {
                assert!(
                    answer == truth || !matches!(answer, FileHistory::Changed(_)),
                    "byte {at} of {}: {}",
                    file.display(),
                    source.display()
                );
            }
        }
        std::fs::write(&file, bytes).expect("it is writable");
    }
}

#[test]
fn a_head_that_names_no_commit_is_reported() {
    let fixture = three_commits();
    let text =
        std::fs::File::open(fixture.write(".git/text", "obj nothing\n")).expect("it was written");
    let hash_object = ["hash-object", "-t", "tag", "--literally", "-w", "--stdin"];
    let tag = output(git(fixture.root()).args(hash_object).stdin(text));
    for file in [".git/HEAD", ".git/refs/heads/main"] {
        fixture.write(".git/HEAD", "ref: refs/heads/main\n");
        fixture.write(file, &format!("{tag}\n"));
        let said =
            ask_damaged(&[fixture.root().join("a.md")]).expect_err("the object is not a commit");
        assert!(
            said.ends_with("it has the wrong object type"),
            "{file}: {said}"
        );
    }
}

#[test]
fn a_broken_repository_gives_an_error_and_never_a_panic() {
    let check = |path: &str, content: &str| {
        let fixture = three_commits();
        let source = fixture.root().join("a.md");
        fixture.write(path, content);
        let said = ask_damaged(&[source]).expect_err("a file cannot be read");
        assert!(
            said.contains("cannot read the repository: "),
            "{path}: {said}"
        );
    };
    check(".git/HEAD", "nonsense");
    check(".git/HEAD", "");
    check(".git/refs/heads/main", "nonsense");
    check(".git/shallow", "nonsense\n");
    check(".git/config", "[core\n");
}

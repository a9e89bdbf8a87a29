//! Repositories that are partial, rewired, damaged or stored unusually: the right date or none.

use super::fixture::{Fixture, git, output, run};
use super::{ask, ask_damaged, date_by_waypost, every_file_has_gits_date, generated, tracked};
use git_last_modified::{CommitTime, FileHistory, RepositoryError};

/// Creates three commits: the first and the third change `a.md`, the second changes `b/c.md`.
fn three_commits() -> Fixture {
    commit_three(Fixture::new())
}

fn commit_three(fixture: Fixture) -> Fixture {
    fixture.change("a.md", "1", "1700000000 +0000");
    fixture.change("b/c.md", "1", "1700000100 +0000");
    fixture.change("a.md", "2", "1700000200 +0000");
    fixture
}

#[test]
fn a_clone_without_blobs_is_dated_without_fetching_any() {
    let fixture = three_commits();
    let clone = fixture.clone_to("clone", &["--filter=blob:none", "--no-checkout"]);
    let packs = || std::fs::read_dir(clone.join(".git/objects/pack")).map(Iterator::count);
    let before = packs().expect("it exists");
    let history = ask(&tracked(&clone), CommitTime::Committer);
    let is_dated = |answer: &FileHistory| matches!(answer, FileHistory::Changed(_));
    assert!(history.files.iter().all(is_dated), "{history:?}");
    let after = packs().expect("it exists");
    assert_eq!((after, &history.repositories[0].error), (before, &None));
    every_file_has_gits_date(&clone, "blobless");
}

#[test]
fn a_treeless_clone_is_distinguished_from_a_damaged_one() {
    let fixture = three_commits();
    let clone = fixture.clone_to("clone", &["--filter=tree:0"]);
    let files = ["a.md", "b/c.md"].map(|file| clone.join(file));
    let history = ask(&files, CommitTime::Committer);
    assert_eq!(history.files, [const { FileHistory::Incomplete }; 2]);
    let error = history.repositories[0].error.as_ref();
    let error = error.expect("trees are missing");
    assert!(matches!(error, RepositoryError::NotFetched(_)), "{error:?}");
    let hint = "fetch the trees: `git fetch --refetch --filter=blob:none`";
    assert_eq!(error.hint(), hint);
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
    let clone = fixture.clone_to("clone", &["--depth=2"]);
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
    fixture.git("repack -q -a -d -f --depth=50 --write-bitmap-index");
    every_file_has_gits_date(fixture.root(), "one pack with deltas");
    fixture.git("-c pack.indexVersion=1 repack -q -a -d -f");
    every_file_has_gits_date(fixture.root(), "an index of version 1");
    fixture.unpack();
    every_file_has_gits_date(fixture.root(), "loose objects");
}

#[test]
fn objects_of_an_alternate_repository_are_found() {
    let fixture = three_commits();
    fixture.git("clone -q --shared . ../clone");
    let clone = fixture.root().with_file_name("clone");
    assert!(clone.join(".git/objects/info/alternates").is_file());
    every_file_has_gits_date(&clone, "alternates");
}

#[test]
fn a_separate_git_dir_is_found_by_its_git_file() {
    let fixture = commit_three(Fixture::with(&["--separate-git-dir", "../elsewhere.git"]));
    assert!(fixture.path(".git").is_file());
    every_file_has_gits_date(fixture.root(), "separate");
}

#[test]
fn a_missing_object_is_an_error_only_if_a_date_needs_it() {
    let fixture = three_commits();
    let tree = fixture.git("rev-parse HEAD~1:b");
    let (start, end) = tree.split_at(2);
    let loose = format!(".git/objects/{start}/{end}");
    std::fs::remove_file(fixture.path(loose)).expect("the object is loose");
    let file = |path: &str| [fixture.path(path)];
    let known = ask(&file("a.md"), CommitTime::Committer).files;
    assert!(matches!(known[..], [FileHistory::Changed(_)]), "{known:?}");
    let said = ask_damaged(&file("b/c.md")).expect_err("its tree is missing");
    let expected = format!("object `{tree}` is missing, or its pack cannot be read");
    assert_eq!(said, expected);
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
        let said = ask_damaged(&[fixture.path("a.md")]).expect_err("the object is not a commit");
        let is_named = said.ends_with("it has the wrong object type");
        assert!(is_named, "{file}: {said}");
    }
}

#[test]
fn a_broken_repository_gives_an_error_and_never_a_panic() {
    let check = |path: &str, content: &str| {
        let fixture = three_commits();
        let source = fixture.path("a.md");
        fixture.write(path, content);
        let said = ask_damaged(&[source]).expect_err("a file cannot be read");
        let is_named = said.contains("cannot read the repository: ");
        assert!(is_named, "{path}: {said}");
    };
    check(".git/HEAD", "nonsense");
    check(".git/HEAD", "");
    check(".git/refs/heads/main", "nonsense");
    check(".git/shallow", "nonsense\n");
    check(".git/config", "[core\n");
}

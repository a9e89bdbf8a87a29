//! Repositories made to mislead: packs whose index gives objects the ids of others.

use std::path::{Path, PathBuf};

use super::ask;
use super::fixture::{Fixture, git, output, run};
use git_last_modified::{CommitTime, FileHistory, RepositoryError};

/// An id that no object has.
const FORGED: &str = "1234567890123456789012345678901234567890";

/// The bytes before the ids in an index: signature, version and fan-out table.
const FAN_OUT_END: usize = 8 + 256 * 4;

fn file_in_pack_dir(root: &Path, extension: &str) -> PathBuf {
    let files = std::fs::read_dir(root.join(".git/objects/pack")).expect("it exists");
    files
        .map(|file| file.expect("it is readable").path())
        .find(|file| file.extension().is_some_and(|found| found == extension))
        .expect("the repository has one pack")
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair| {
        let pair = std::str::from_utf8(pair).expect("ASCII");
        u8::from_str_radix(pair, 16).expect("hexadecimal")
    };
    digits.map(byte).collect()
}

/// Gives an object of a pack another id (gitformat-pack(5), "version 2 pack-*.idx files").
fn rename_object(index: &[u8], from: &str, to: &str) -> Vec<u8> {
    let last_count = index[FAN_OUT_END - 4..FAN_OUT_END].try_into().expect("4");
    let count = u32::from_be_bytes(last_count) as usize;
    let column = |start: usize, width: usize, nth: usize| {
        let at = FAN_OUT_END + count * start + nth * width;
        index[at..at + width].to_vec()
    };
    // Id, checksum and offset of each object.
    let mut objects: Vec<[Vec<u8>; 3]> = (0..count)
        .map(|nth| [column(0, 20, nth), column(20, 4, nth), column(24, 4, nth)])
        .collect();
    let renamed = objects
        .iter_mut()
        .find(|object| object[0] == bytes_of(from));
    renamed.expect("the pack contains it")[0] = bytes_of(to);
    objects.sort();
    let mut forged = index[..8].to_vec();
    for first in 0..=255_u8 {
        let below = objects.iter().filter(|object| object[0][0] <= first);
        let below = u32::try_from(below.count()).expect("a few objects");
        forged.extend(below.to_be_bytes());
    }
    for part in 0..3 {
        forged.extend(objects.iter().flat_map(|object| &object[part]));
    }
    forged.extend(&index[FAN_OUT_END + count * 28..]);
    forged
}

#[test]
fn a_cycle_in_a_manipulated_pack_terminates() {
    let fixture = Fixture::new();
    let root = fixture.root();
    let source = fixture.write("a.md", "1");
    fixture.commit("1700000000 +0000");
    let tree = run(root, &["rev-parse", "HEAD^{tree}"]);
    let older = format!(
        "tree {tree}\nparent {FORGED}\nauthor A <a@example.com> 1 +0000\n\
         committer C <c@example.com> 1 +0000\n\nolder\n"
    );
    let raw = fixture.write("../older", &older);
    let mut hash_object = git(root);
    hash_object.args(["hash-object", "-w", "-t", "commit"]);
    let older = output(hash_object.arg(raw));
    // Git itself refuses to pack a history with a missing commit, so only these objects.
    let newer = run(root, &["commit-tree", "-m", "newer", "-p", &older, &tree]);
    let blob = run(root, &["rev-parse", "HEAD:a.md"]);
    let list = fixture.write("../list", &format!("{older}\n{newer}\n{tree}\n{blob}\n"));
    let mut pack = git(root);
    pack.args(["pack-objects", "-q", ".git/objects/pack/pack"]);
    output(pack.stdin(std::fs::File::open(list).expect("it was written")));
    let index = file_in_pack_dir(root, "idx");
    let bytes = std::fs::read(&index).expect("it is readable");
    std::fs::remove_file(&index).expect("the directory is writable");
    std::fs::write(&index, rename_object(&bytes, &newer, FORGED)).expect("it is writable");
    fixture.write(".git/refs/heads/main", &format!("{FORGED}\n"));
    let history = ask(&[source], CommitTime::Committer);
    assert_eq!(history.files, [FileHistory::Incomplete]);
    assert!(matches!(
        history.repositories[0].error,
        Some(RepositoryError::Cycle(_))
    ));
}

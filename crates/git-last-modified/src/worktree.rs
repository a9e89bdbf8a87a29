//! Detects checked-out files that differ from the committed ones, whose commit date is outdated.
//!
//! Like `git status`, it assumes that a file is unchanged if its size and time match the index, and
//! hashes its content otherwise. Windows line endings count as unchanged, and a file that Git stores in
//! another form by its size.

use std::fs::Metadata;
use std::ops::Range;
use std::path::Path;

use super::filters::Filters;
use super::limits;
use super::lookup::PresentEntry;
use super::repository::{GitIndex, Repository, on_disk};
use super::tree::EntryKind;
use super::trie::PathTrie;

/// Size limit for hashing a file.
const MAX_HASHED_BYTES: u64 = 256 << 20;

/// Returns the paths of a tree whose files differ from the entries, by their numbers. Without an
/// index, every file is hashed.
pub(super) fn edited(
    repository: &Repository,
    index: Option<&GitIndex>,
    trie: &PathTrie,
    entries: &[PresentEntry],
) -> Vec<Range<u32>> {
    let mut filters = None;
    let edited = entries.iter().filter(|entry| {
        let path = trie.path(entry.paths.start);
        let file = on_disk(&repository.work_tree, path);
        // A missing file is not edited.
        file.symlink_metadata().is_ok_and(|metadata| {
            !index.is_some_and(|index| index.has_unchanged(path, &entry.id, &metadata))
                && differs(repository, &file, &metadata, entry)
                // The content of a filtered file is stored in another form.
                && !(index.is_some_and(|index| index.has_size(path, &entry.id, &metadata))
                    && filters.get_or_insert_with(|| Filters::new(repository)).change(path))
        })
    });
    edited.map(|entry| entry.paths.clone()).collect()
}

/// Whether a file differs from the committed entry.
fn differs(
    repository: &Repository,
    file: &Path,
    metadata: &Metadata,
    committed: &PresentEntry,
) -> bool {
    let is_committed = |bytes: &[u8]| repository.blob_id(bytes).as_ref() == Some(&committed.id);
    match committed.kind {
        EntryKind::Commit => false,
        EntryKind::Link if metadata.is_symlink() => file
            .read_link()
            .is_ok_and(|target| !is_committed(target.as_os_str().as_encoded_bytes())),
        // A file system without symlinks stores them as files that contain the target.
        _ if metadata.is_file() => match limits::read(file, MAX_HASHED_BYTES) {
            Ok(bytes) => !is_committed(&bytes) && !is_committed(&with_unix_line_ends(&bytes)),
            // A file too large to hash may have changed.
            Err(_) => file.exists(),
        },
        _ => true,
    }
}

fn with_unix_line_ends(bytes: &[u8]) -> Vec<u8> {
    let followed = bytes.iter().zip(bytes.iter().skip(1).chain(&[0]));
    followed
        .filter(|pair| *pair != (&b'\r', &b'\n'))
        .map(|(byte, _)| *byte)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_windows_line_endings_are_converted() {
        let check = |bytes: &str, expected: &str| {
            assert_eq!(
                with_unix_line_ends(bytes.as_bytes()),
                expected.as_bytes(),
                "{bytes:?}"
            );
        };
        check("a\r\nb\r\n", "a\nb\n");
        check("a\rb\n\r", "a\rb\n\r");
        check("\r\r\n", "\r\n");
        check("", "");
    }
}

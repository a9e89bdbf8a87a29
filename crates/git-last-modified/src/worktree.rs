//! Detects checked-out files that differ from the committed ones, whose commit date is outdated.
//!
//! Like `git status`, it assumes that a file is unchanged if its size and time match the index, and
//! hashes its content otherwise. Windows line endings count as unchanged.

use std::path::Path;

use super::ObjectId;
use super::limits;
use super::lookup::PresentEntry;
use super::repository::{GitIndex, Repository};
use super::tree::EntryKind;

/// Size limit for hashing a file.
const MAX_HASHED_BYTES: u64 = 256 << 20;

/// The checked-out files of one repository.
pub(super) struct WorkTree<'a> {
    repository: &'a Repository,
    index: Option<GitIndex>,
}

impl<'a> WorkTree<'a> {
    /// Opens the index; without one, every file is hashed.
    pub(super) fn new(repository: &'a Repository) -> Self {
        Self {
            repository,
            index: repository.index(),
        }
    }

    /// Whether a file differs from the committed entry of its path; a missing file does not.
    pub(super) fn is_edited(&self, file: &Path, path: &[u8], committed: &PresentEntry) -> bool {
        let Ok(metadata) = file.symlink_metadata() else {
            return false;
        };
        let index = self.index.as_ref();
        if index.is_some_and(|index| index.has_unchanged(path, &committed.id, &metadata)) {
            return false;
        }
        match (committed.kind, metadata.is_symlink()) {
            (EntryKind::Commit, _) => false,
            (EntryKind::Link, true) => file.read_link().is_ok_and(|target| {
                self.repository
                    .blob_id(target.as_os_str().as_encoded_bytes())
                    .as_ref()
                    != Some(&committed.id)
            }),
            // A file system without symlinks stores them as files that contain the target.
            (EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link, false)
                if metadata.is_file() =>
            {
                self.has_other_bytes(file, &committed.id)
            }
            _ => true,
        }
    }

    fn has_other_bytes(&self, file: &Path, committed: &ObjectId) -> bool {
        // A file too large to hash may have changed.
        let Ok(bytes) = limits::read(file, MAX_HASHED_BYTES) else {
            return file.exists();
        };
        let is_committed =
            |bytes: &[u8]| self.repository.blob_id(bytes).as_ref() == Some(committed);
        !is_committed(&bytes) && !is_committed(&with_unix_line_ends(&bytes))
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

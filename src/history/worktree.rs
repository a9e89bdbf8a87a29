//! Files as they lie on disk, against what is committed: is a file's date still its own?
//!
//! As `git status` does, a file is believed unchanged when its size and time are those that the index noted; else its
//! bytes are hashed. Line ends of Windows count as unchanged. Where attributes let a filter (such as LFS), a keyword or
//! an encoding stand between the file and its blob, hashes say nothing, and the file is believed unchanged.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::ObjectId;
use super::attributes::TransformedFiles;
use super::committed_spelling::NameFolding;
use super::lookup::PresentEntry;
use super::repository::{GitIndex, IndexStamp, Repository};
use super::tree::EntryKind;
use crate::bounds;

/// A file with more bytes than this is not read to be hashed.
const MOST_HASHED: u64 = 256 << 20;

/// The checked-out files of one repository.
pub(super) struct WorkTree<'a> {
    repository: &'a Repository,
    index: Option<GitIndex>,
    folding: NameFolding,
    /// The attributes that hold for all files of the clone.
    of_clone: TransformedFiles,
    /// Those of each folder.
    of_folders: HashMap<PathBuf, TransformedFiles>,
}

impl<'a> WorkTree<'a> {
    /// Opens the index; without one, all files are hashed.
    pub(super) fn new(repository: &'a Repository) -> Self {
        Self {
            repository,
            index: repository.index(),
            folding: repository.folding(),
            of_clone: TransformedFiles::read(&repository.info_attributes()),
            of_folders: HashMap::new(),
        }
    }

    /// Whether a file differs from the committed entry of its path. A file that is not there does not.
    pub(super) fn is_edited(&mut self, file: &Path, path: &[u8], committed: &PresentEntry) -> bool {
        let Ok(metadata) = file.symlink_metadata() else {
            return false;
        };
        let noted = self.index.as_ref().and_then(|index| index.stamp(path));
        if noted.is_some_and(|noted| noted.id == committed.id && is_as_noted(&metadata, &noted)) {
            return false;
        }
        match (committed.kind, metadata.is_symlink()) {
            (EntryKind::Submodule, _) => false,
            (EntryKind::Link, true) => file.read_link().is_ok_and(|target| {
                self.repository
                    .blob_id(target.as_os_str().as_encoded_bytes())
                    .as_ref()
                    != Some(&committed.id)
            }),
            // Where the file system has no links, they are files that hold the name.
            (EntryKind::File | EntryKind::Executable | EntryKind::Link, false)
                if metadata.is_file() =>
            {
                self.has_other_bytes(file, &committed.id) && !self.may_be_transformed(file)
            }
            _ => true,
        }
    }

    fn has_other_bytes(&self, file: &Path, committed: &ObjectId) -> bool {
        // Of what is too large to be hashed nobody can say that its date is still its own.
        let Ok(bytes) = bounds::read(file, MOST_HASHED) else {
            return file.exists();
        };
        let is_committed =
            |bytes: &[u8]| self.repository.blob_id(bytes).as_ref() == Some(committed);
        !is_committed(&bytes) && !is_committed(&with_unix_line_ends(&bytes))
    }

    /// Whether attributes of its folder, or above, may let the file's bytes be others than its blob's.
    fn may_be_transformed(&mut self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        let above = self.repository.work_tree().parent();
        let folders = file
            .ancestors()
            .skip(1)
            .take_while(|folder| Some(*folder) != above);
        let (of_folders, folding) = (&mut self.of_folders, self.folding);
        let mut transform_it = folders.map(|folder| {
            let lines = of_folders.entry(folder.to_path_buf());
            lines
                .or_insert_with(|| TransformedFiles::read(&folder.join(".gitattributes")))
                .may_match(name, folding)
        });
        transform_it.any(|may_match| may_match) || self.of_clone.may_match(name, folding)
    }
}

/// Size and time are compared as far as both sides know them: git may note whole seconds only.
fn is_as_noted(metadata: &Metadata, noted: &IndexStamp) -> bool {
    let Ok(modified) = metadata.modified() else {
        return false;
    };
    let Ok(since_epoch) = modified.duration_since(UNIX_EPOCH) else {
        return false;
    };
    let nanoseconds = since_epoch.subsec_nanos();
    u64::from(noted.size) == metadata.len()
        && u64::from(noted.seconds) == since_epoch.as_secs()
        && (noted.nanoseconds == 0 || nanoseconds == 0 || noted.nanoseconds == nanoseconds)
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
    fn only_the_line_ends_of_windows_are_taken_for_unix_ones() {
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

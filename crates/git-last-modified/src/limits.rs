//! Reads files of a repository that is not trusted: regular files only, up to a size limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Limit for settings and lists, in bytes; git's own are far smaller.
pub(super) const MAX_FILE_BYTES: u64 = 16 << 20;

/// Size limit for an object: the tree of a directory with a million files has 40 MB, and a
/// decompression bomb can have any size.
pub(super) const MAX_OBJECT_BYTES: usize = 128 << 20;

/// Limit for the lines of `objects/info/alternates`: gix compares each with all others.
pub(super) const MAX_ALTERNATES: usize = 1_000;

/// Limit for nested directories, as in Git (`core.maxTreeDepth`).
pub(super) const DEEPEST: usize = 2048;

/// Reads a whole file, or fails if it is not a regular file or has more than `limit` bytes.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe would block, and a device has no end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let text = format!("it is larger than {} MiB", limit >> 20);
        return Err(io::Error::other(text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_over_the_limit_or_a_directory_is_not_read() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("large");
        File::create(&file)
            .and_then(|file| file.set_len(10 << 30))
            .expect("a sparse file");
        let error = read(&file, MAX_FILE_BYTES).expect_err("the file is too large");
        assert_eq!(error.to_string(), "it is larger than 16 MiB");
        assert!(read(dir.path(), MAX_FILE_BYTES).is_err());
    }
}

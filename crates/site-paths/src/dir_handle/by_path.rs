//! Directories by their paths, where the platform opens no files relative to a handle.
//!
//! An entry is checked for being a link before it is opened. Between the two, a program that may
//! write to the directory and create links, which Windows grants to few, could place one.

use std::fs::{self, File, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::{EntryKind, EntryMetadata, EntryVisitor};
use crate::SitePath;

/// A directory.
#[derive(Debug)]
pub struct DirHandle(PathBuf);

impl DirHandle {
    /// Opens a directory that the user names; links on the way are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Opens a directory in this one.
    pub fn dir(&self, name: &[u8]) -> io::Result<Self> {
        match self.metadata(name)?.kind {
            EntryKind::Dir => Ok(Self(self.path_of(name))),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Opens a file in this directory for reading.
    pub fn file(&self, name: &[u8]) -> io::Result<File> {
        match self.metadata(name)?.kind {
            EntryKind::Link => Err(io::ErrorKind::NotADirectory.into()),
            _ => File::open(self.path_of(name)),
        }
    }

    /// Opens a file below this directory in one call, which only Linux has.
    #[expect(clippy::unused_self, reason = "it is the same method as on Linux")]
    pub(crate) fn file_below(&self, _path: &[u8]) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the facts about an entry.
    pub fn metadata(&self, name: &[u8]) -> io::Result<EntryMetadata> {
        let metadata = fs::symlink_metadata(self.path_of(name))?;
        Ok(EntryMetadata {
            kind: kind_of(metadata.file_type()),
            size: metadata.len(),
        })
    }

    /// Passes the name and kind of each entry to `see`, in the order of the file system, until it
    /// breaks off. Returns the handle, which on other platforms cannot list the entries again.
    pub fn list(self, see: &mut EntryVisitor<'_>) -> io::Result<Self> {
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let kind = kind_of(entry.file_type()?);
            if see(entry.file_name().as_encoded_bytes(), kind).is_break() {
                break;
            }
        }
        Ok(self)
    }

    /// The path of an entry.
    pub fn path_of(&self, name: &[u8]) -> PathBuf {
        SitePath::new(name).below_dir(&self.0)
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

fn kind_of(kind: FileType) -> EntryKind {
    if kind.is_file() {
        EntryKind::File
    } else if kind.is_dir() {
        EntryKind::Dir
    } else if kind.is_symlink() {
        EntryKind::Link
    } else {
        EntryKind::Device
    }
}

/// Whether opening without following links may have failed because there is a link.
pub(crate) fn may_be_link(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory
}

/// Whether this process has too many open files.
pub(crate) fn is_limit_reached(_: &io::Error) -> bool {
    false
}

/// The number of files that this process may have open; `None` without a limit.
pub(crate) fn open_files_limit() -> Option<u64> {
    None
}

/// Windows reports itself that a path is too long.
#[expect(clippy::unnecessary_wraps, reason = "the Unix version can fail")]
pub(crate) fn path_limit(_: usize) -> io::Result<()> {
    Ok(())
}

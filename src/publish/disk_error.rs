//! Errors of writing files, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::io_failure::{IoFailure, MachineFailure, machine_hint, reading_hint};
use crate::findings::Hint;
use sitemaps::site_paths::display_path;

/// Error while writing files.
#[derive(Debug, Error)]
pub enum DiskError {
    /// A file outside the set could not be written: a report, a log, a record.
    #[error("`{path}` cannot be written: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// An existing file could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A file of the output directory could not be written, replaced or removed.
    #[error("`{path}` cannot be replaced: {source}; {}", changes_before(changed))]
    Replace {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
        /// The files that were replaced or removed before, in this order.
        changed: Vec<PathBuf>,
    },
    /// The path of the file is a directory.
    #[error("`{path}` is a directory, not a file")]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// Another program has locked the output directory and does not release it.
    #[error("`{path}` is locked by another program")]
    Locked {
        /// The output directory.
        path: PathBuf,
    },
    /// The machine failed while the site or the old set was read.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// The file would be outside the output directory.
    #[error("`{path}` is not a plain file name; refusing to write outside the output directory")]
    NotAName {
        /// The name as given.
        path: PathBuf,
    },
}

impl DiskError {
    /// The error of a file of the output directory before anything there has changed.
    pub(super) fn unchanged(path: PathBuf, source: io::Error) -> Self {
        Self::Replace {
            path,
            source,
            changed: Vec::new(),
        }
    }
}

impl Hint for DiskError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::IsDirectory { .. } | Self::NotAName { .. } => {
                "choose another name, with `sitemap.file` for a sitemap"
            }
            Self::Locked { .. } => {
                "another run of waypost may be stuck; `fuser DIR` shows its process"
            }
            Self::Read { source, .. } => return reading_hint(source).map(Into::into),
            Self::Machine(failure) => return failure.hint(),
            Self::Write { path, source } | Self::Replace { path, source, .. } => {
                return hint_to_write(path, source);
            }
        };
        Some(hint.into())
    }
}

/// How many changed files an error names.
const NAMED_FILES: usize = 10;

/// Describes what a run changed before it failed.
fn changes_before(changed: &[PathBuf]) -> String {
    if changed.is_empty() {
        return "nothing was changed".to_owned();
    }
    let named = changed.iter().take(NAMED_FILES);
    let mut files: Vec<_> = named
        .map(|path| format!("`{}`", display_path(path)))
        .collect();
    if changed.len() > NAMED_FILES {
        files.push(format!("{} more", changed.len() - NAMED_FILES));
    }
    format!(
        "already replaced or removed: {}; the next run completes the set",
        files.join(", ")
    )
}

/// The remedy for an error of the operating system while writing `path`, which may be outside the
/// output directory: a report, a log, a record.
fn hint_to_write(path: &Path, error: &io::Error) -> Option<Cow<'static, str>> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, then run waypost again".into())
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            let hint = format!(
                "make `{}` and its directory writable for the user who runs waypost",
                path.display()
            );
            Some(hint.into())
        }
        io::ErrorKind::NotFound => {
            let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty())?;
            let is_missing = !dir.exists();
            is_missing.then(|| format!("create the directory `{}` first", dir.display()).into())
        }
        _ if IoFailure::of(error) == IoFailure::Machine => Some(machine_hint(error).into()),
        _ => Some(
            format!(
                "remove what is at `{}`, or choose another name",
                path.display()
            )
            .into(),
        ),
    }
}

//! Errors of writing files, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::io_failure::{IoFailure, machine_hint, reading_hint};
use crate::findings::HintedError;
use sitemaps::site_paths::display_path;

/// How many changed files an error names.
const NAMED_FILES: usize = 10;

/// The remedy for a name that no file can have.
const CHOOSE_NAME: &str = "choose another name, with `sitemap.file` for a sitemap";

/// A file outside the set could not be written: a report, a log, a record.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> HintedError {
    let message = format!("`{}` cannot be written: {error}", path.display());
    HintedError::with_hint(message, hint_to_write(path, error))
}

/// An existing file could not be read.
pub(super) fn cannot_read(path: &Path, error: &io::Error) -> HintedError {
    let message = format!("`{}` cannot be read: {error}", path.display());
    HintedError::with_hint(message, reading_hint(error).map(Cow::Borrowed))
}

/// A file of the output directory could not be written, replaced or removed, after the run had changed
/// these others.
pub(super) fn cannot_replace(path: &Path, error: &io::Error, changed: &[PathBuf]) -> HintedError {
    let message = format!(
        "`{}` cannot be replaced: {error}; {}",
        path.display(),
        changes_before(changed)
    );
    HintedError::with_hint(message, hint_to_write(path, error))
}

/// The path of the file is a directory.
pub(super) fn is_directory(path: &Path) -> HintedError {
    let message = format!("`{}` is a directory, not a file", path.display());
    HintedError::new(message, CHOOSE_NAME)
}

/// The file would be outside the output directory.
pub(super) fn not_a_name(path: &Path) -> HintedError {
    let message = format!(
        "`{}` is not a plain file name; refusing to write outside the output directory",
        path.display()
    );
    HintedError::new(message, CHOOSE_NAME)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Hint;

    #[test]
    fn a_file_outside_the_output_directory_is_named_in_the_hint() {
        let denied = io::ErrorKind::PermissionDenied.into();
        assert_eq!(
            cannot_write("logs/step.txt".as_ref(), &denied)
                .hint()
                .as_deref(),
            Some("make `logs/step.txt` and its directory writable for the user who runs waypost")
        );
    }
}

//! Converts paths, names and errors from Git's notation and gix's types.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the directory that a `.git` file refers to.
pub(super) fn git_dir_named_in(file: &Path) -> io::Result<PathBuf> {
    gix::discover::path::from_gitdir_file(file).map_err(|error| io_error(&error))
}

/// Parses a list of alternate object directories; relative paths stay relative.
pub(super) fn alternates(list: &[u8]) -> io::Result<Vec<PathBuf>> {
    gix::odb::alternate::parse(list).map_err(|error| io_error(&error))
}

/// Converts a path in Git's notation to the platform's.
pub(super) fn native(path: &[u8]) -> io::Result<PathBuf> {
    gix::path::from_byte_slice(path)
        .map(Path::to_path_buf)
        .map_err(|error| io_error(&error))
}

/// Parses the path and the URL of each submodule in a `.gitmodules` file.
pub(super) fn submodules(text: &str) -> io::Result<Vec<(PathBuf, String)>> {
    let file = gix::config::File::try_from(text).map_err(io::Error::other)?;
    // A lookup by name takes quadratic time.
    let sections = file.sections();
    let sections =
        sections.filter(|section| section.header().name().eq_ignore_ascii_case(b"submodule"));
    let named = sections.filter_map(|section| {
        let url = section.value("url")?.to_string();
        Some((native(&section.value("path")?).ok()?, url))
    });
    Ok(named.collect())
}

fn io_error(error: &gix::Error) -> io::Error {
    io::Error::other(error_chain(error))
}

/// Composes the characters of a text (Unicode NFC), as Git does for names from macOS.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    gix::utils::str::precompose(text.into())
}

/// Joins an error's message with those of its causes.
pub(super) fn error_chain(error: &gix::Error) -> String {
    let first: &dyn std::error::Error = error;
    let causes = std::iter::successors(Some(first), |error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

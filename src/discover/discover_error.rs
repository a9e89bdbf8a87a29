//! Errors that prevent the search for pages, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use site_paths::io_failure::{IoFailure, MachineFailure, reading_hint};
use site_paths::{Hint, SitePath};

/// Error that prevents the search for pages.
#[derive(Debug, Error)]
pub enum DiscoverError {
    /// The output directory does not exist or cannot be opened.
    #[error("cannot open the output directory `{0}`: {1}")]
    OutputDir(PathBuf, io::Error),
    /// The output directory is a file.
    #[error("the output directory `{0}` is a file")]
    NotADirectory(PathBuf),
    /// No page was found, but a directory that may contain some cannot be listed.
    #[error("no page found, and `{0}` cannot be listed: {1}")]
    NoPageSeen(SitePath, io::Error),
    /// A directory may not be listed, so its pages are unknown.
    #[error("cannot list `{0}`: {1}; its pages are unknown")]
    Unlistable(SitePath, io::Error),
    /// The machine failed, so nothing is known about some pages.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
}

impl Hint for DiscoverError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::OutputDir(_, error) => reading_hint(error)
                .unwrap_or("build the site first, or pass the output directory: `waypost DIR`"),
            Self::NotADirectory(_) => "pass the directory of the built site: `waypost DIR`",
            Self::NoPageSeen(..) => "make the directory listable for the user who runs waypost",
            Self::Unlistable(..) => MAKE_LISTABLE,
            Self::Machine(failure) => return failure.hint(),
        };
        Some(hint.into())
    }
}

/// Hint for a directory that cannot be listed.
pub(super) const MAKE_LISTABLE: &str =
    "make it readable for the user who runs waypost, or remove it from the build";

/// Returns the error of a directory, unless it leaves pages unknown that may exist: then the walk
/// fails.
pub(super) fn unless_unknown(
    root: &Path,
    dir: &SitePath,
    error: io::Error,
) -> Result<io::Error, DiscoverError> {
    match IoFailure::of(&error) {
        IoFailure::Machine => Err(MachineFailure::new(&dir.below_dir(root), &error).into()),
        IoFailure::Denied => Err(DiscoverError::Unlistable(dir.clone(), error.kind().into())),
        _ => Ok(error),
    }
}

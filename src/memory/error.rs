//! Errors of the file of `lastmod.memory`. Each names the file, and nothing is written.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use site_paths::io_failure::reading_hint;
use site_paths::{Hint, display_path};

/// Error in the file that keeps dates.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// The file exists but cannot be read.
    #[error(
        "`{}`, the file of `lastmod.memory`, cannot be read: {source}",
        display_path(path)
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file is a link that points elsewhere, or in a directory that is one.
    #[error(
        "`{}`, the file of `lastmod.memory`, is outside the site and its repository",
        display_path(path)
    )]
    Outside {
        /// The file.
        path: PathBuf,
    },
    /// The file is not what `build` has written.
    #[error("`{}`, line {line}: {problem}", display_path(path))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: usize,
        /// The problem.
        problem: String,
    },
    /// A newer version of waypost has written the file.
    #[error(
        "`{}`, line 1: version {version} of the format is newer than this version of waypost",
        display_path(path)
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the format.
        version: u32,
    },
}

impl Hint for MemoryError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Unreadable { source, .. } => reading_hint(source)
                .unwrap_or("remove it, and the next build in a complete clone creates it again"),
            Self::Outside { .. } => "name a file inside the site, or pass `--dates FILE`",
            Self::Invalid { .. } => {
                "restore the file as `build` wrote it, or remove it: the next build in a complete \
                 clone creates it again"
            }
            Self::Newer { .. } => "update waypost, or remove the file",
        };
        Some(hint.into())
    }
}

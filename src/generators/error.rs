//! The errors while a site is found, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::io_failure::{MachineFailure, reading_hint};
use crate::findings::Hint;
use sitemaps::site_paths::escaped;

/// Error while finding a site or reading its generator's files.
#[derive(Debug, Error)]
pub enum GeneratorError {
    /// The path of the site does not exist.
    #[error("no such directory: `{0}`")]
    NoSuchDir(PathBuf),
    /// The path of the site is not a directory.
    #[error("`{0}` is not a directory")]
    NotADir(PathBuf),
    /// The machine failed while the site was looked for.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// A generator's settings cannot be opened or are not UTF-8.
    #[error("cannot read `{0}`: {1}")]
    UnreadableSettings(PathBuf, io::Error),
    /// A generator's settings have a syntax error.
    #[error(
        "{}{}: {why}",
        file.display(),
        line.map_or_else(String::new, |line| format!(":{line}"))
    )]
    InvalidSettings {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1, if it is known.
        line: Option<usize>,
        /// Description of the error.
        why: String,
    },
}

impl Hint for GeneratorError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NoSuchDir(_) => "pass the site root or a directory of HTML",
            Self::NotADir(file) => {
                let dir = match file.parent().map(Path::to_string_lossy) {
                    Some(dir) if !dir.is_empty() => dir,
                    _ => ".".into(),
                };
                let build = format!("pass its directory, `{}`", escaped(&dir));
                let file = file.to_string_lossy();
                let is_sitemap = [".xml", ".gz", ".txt"]
                    .iter()
                    .any(|end| file.ends_with(end));
                return Some(if is_sitemap {
                    let file = escaped(&file);
                    format!("to check it: `waypost check {file}`; to build, {build}").into()
                } else {
                    build.into()
                });
            }
            Self::Machine(failure) => return failure.hint(),
            Self::UnreadableSettings(_, error) => reading_hint(error).unwrap_or(
                "replace it with a text file, or pass the output directory: `waypost DIR`",
            ),
            Self::InvalidSettings { .. } => {
                "fix the settings; if they belong to another program, pass the output directory: \
                 `waypost DIR`"
            }
        };
        Some(hint.into())
    }
}

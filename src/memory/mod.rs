//! Keeps the dates of sources in a file, so that a later build needs only the history since this
//! one.
//!
//! Comes in: the file's text. Goes out: dates that the history query continues from, and the text of
//! the next version. Never writes the file, and never decides about a date.

mod error;
mod file_text;
mod next_version;
mod settings_digest;

pub use error::MemoryError;
pub(crate) use next_version::ListedFiles;

use std::io;
use std::path::{Path, PathBuf};

use crate::settings::LastmodSettings;
use file_text::{MemoryText, RepositorySection};
use git_last_modified::{KnownDates, RepositoryDates};
use site_paths::containment::{self, Containment, absolute};
use site_paths::display_path;
use site_paths::finding::{Finding, Subject, WithFindings, code};

/// The largest file that is read: some two million sources.
const MAX_BYTES: u64 = 512 << 20;

/// The file of `lastmod.memory` and the dates in it.
#[derive(Debug)]
pub(crate) struct DateMemory {
    path: PathBuf,
    /// The real path, as the history query compares it with paths in repositories.
    real_path: PathBuf,
    site_root: PathBuf,
    settings_digest: String,
    /// The text, if the file exists.
    text: Option<String>,
    repositories: Vec<RepositoryDates>,
}

/// The next version of the file, which `build` writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryUpdate {
    /// The file.
    pub path: PathBuf,
    /// Its new text; `None` if it stays the same.
    pub text: Option<String>,
}

impl DateMemory {
    /// Reads the file that the settings name, if they name one. A file that does not exist is empty.
    pub(crate) fn read(
        settings: &LastmodSettings,
        site_root: &Path,
        reach: &Containment,
    ) -> Result<Option<WithFindings<Self>>, MemoryError> {
        let Some(named) = &settings.memory else {
            return Ok(None);
        };
        let path = site_root.join(named);
        let site_root = real(&absolute(site_root));
        let settings_digest = settings_digest::of(settings, &site_root);
        let text = read_text(&path, named, reach)?;
        let mut findings = Vec::new();
        let parsed = text.as_deref().map(|text| MemoryText::parse(text, &path));
        let repositories = match parsed.transpose()? {
            Some(parsed) if parsed.settings == settings_digest => parsed.repositories,
            Some(_) => {
                findings.push(other_settings(&path));
                Vec::new()
            }
            None => Vec::new(),
        };
        let found = |section: RepositorySection| RepositoryDates {
            root: real(&site_root.join(&section.path)),
            ..section.dates
        };
        let memory = Self {
            real_path: real(&absolute(&path)),
            repositories: repositories.into_iter().map(found).collect(),
            path,
            site_root,
            settings_digest,
            text,
        };
        Ok(Some(WithFindings::new(memory, findings)))
    }

    /// The dates, for a history query.
    pub(crate) fn known(&self) -> KnownDates<'_> {
        KnownDates {
            repositories: &self.repositories,
            file: &self.real_path,
        }
    }
}

/// Resolves links in a path, or at least in its directory.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    dir.canonicalize()
        .map_or_else(|_| path.to_owned(), |dir| dir.join(name))
}

/// Reads the file; `None` if it does not exist.
fn read_text(
    path: &Path,
    named: &Path,
    reach: &Containment,
) -> Result<Option<String>, MemoryError> {
    let unreadable = |source| MemoryError::Unreadable {
        path: path.to_owned(),
        source,
    };
    // Only flags and the environment can name a file elsewhere.
    let is_named_elsewhere = named.is_absolute() || named.starts_with("..");
    let dir = path.parent().unwrap_or(path);
    if !is_named_elsewhere && (reach.is_escaped_by(path) || reach.is_escaped_by(dir)) {
        return Err(MemoryError::Outside {
            path: path.to_owned(),
        });
    }
    match containment::read(path, MAX_BYTES) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| MemoryError::Invalid {
                path: path.to_owned(),
                line: 1,
                problem: "is not UTF-8".to_owned(),
            });
            // Git may have checked it out with the line endings of Windows.
            text.map(|text| Some(text.replace("\r\n", "\n")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error)),
    }
}

fn other_settings(path: &Path) -> Finding {
    let message = format!(
        "`{}` has dates of other settings of `lastmod`, so none of them counts",
        display_path(path)
    );
    Finding::new(code::MEMORY_OUTDATED, Subject::Site, message)
        .with_hint("build once in a complete clone, which writes all dates again")
}

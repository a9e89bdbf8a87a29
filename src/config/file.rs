//! Settings files on disk: a path goes in, its whole text comes out.
//!
//! This is the only file of the room that opens one.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::bounds::{Containment, MAKE_READABLE};

/// Settings files are read whole; one larger than this is none.
const MOST_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Why a settings file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingsFileError {
    /// There is none.
    #[error("the settings file does not exist")]
    Missing,
    /// A folder, or what never ends when it is read (a pipe).
    #[error("the settings file is not a file")]
    NotAFile,
    /// The platform refuses.
    #[error("the settings file cannot be read: {0}")]
    Io(io::Error),
    /// No settings are that large.
    #[error("the settings file is larger than 4 MiB")]
    TooLarge,
    /// Whoever may change a repository must not have other files of the machine shown.
    #[error("the settings file is a link that leads out of the site and its repository")]
    LeadsOut,
    /// The first byte that is not.
    #[error("the settings file is not UTF-8: its byte {0} begins no character")]
    NotUtf8(usize),
}

impl SettingsFileError {
    /// What to do about it.
    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Missing => "give `--config` the path of a file, from the working folder",
            Self::NotAFile => "put a file of settings there, or name one: `--config FILE`",
            Self::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => MAKE_READABLE,
            Self::Io(_) => return None,
            Self::TooLarge => "settings take a few lines: is this the file that is meant?",
            Self::LeadsOut => "put the file itself there, or name it: `--config FILE`",
            Self::NotUtf8(_) => "save it as UTF-8",
        };
        Some(hint.to_owned())
    }

    fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// Reads the settings file of a site, which has to lie in it.
pub(super) fn read_own_text(site_root: &Path, path: &Path) -> Result<String, SettingsFileError> {
    if Containment::of_site(site_root).is_left_by(path) {
        Err(SettingsFileError::LeadsOut)
    } else {
        read_text(path)
    }
}

/// Reads a text file; a byte order mark at its beginning is dropped.
pub(super) fn read_text(path: &Path) -> Result<String, SettingsFileError> {
    let is_file = fs::metadata(path).map_err(SettingsFileError::of)?.is_file();
    if !is_file {
        return Err(SettingsFileError::NotAFile);
    }
    let file = File::open(path).map_err(SettingsFileError::of)?;
    let mut bytes = Vec::new();
    file.take(MOST_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(SettingsFileError::of)?;
    if bytes.len() as u64 > MOST_FILE_BYTES {
        return Err(SettingsFileError::TooLarge);
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| SettingsFileError::NotUtf8(error.utf8_error().valid_up_to()))?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_may_not_be_read_has_its_remedy() {
        let denied = SettingsFileError::of(io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            denied.hint().as_deref(),
            Some("it has to be readable for the user who runs waypost")
        );
        let missing = SettingsFileError::of(io::ErrorKind::NotFound.into());
        assert!(
            missing
                .hint()
                .is_some_and(|hint| hint.contains("`--config`"))
        );
    }
}

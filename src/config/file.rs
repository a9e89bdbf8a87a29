//! Reads settings files from disk.
//!
//! No other file of this module opens files.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use site_paths::Hint;
use site_paths::containment::Containment;
use site_paths::io_failure::reading_hint;

/// Settings files are read whole, so larger ones are refused.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Error from reading a settings file.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingsFileError {
    /// The file does not exist.
    #[error("the settings file does not exist")]
    Missing,
    /// A directory, or a special file such as a pipe, which may never end.
    #[error("the settings file is not a regular file")]
    NotAFile,
    /// The operating system reports an error.
    #[error("the settings file cannot be read: {0}")]
    Io(io::Error),
    /// The file exceeds the size limit.
    #[error("the settings file is larger than 4 MiB")]
    TooLarge,
    /// A link out of the repository. Otherwise anyone who can commit to it could make waypost print
    /// other files of the machine.
    #[error("the settings file is a symbolic link to a file outside the site and its repository")]
    OutsideSite,
    /// The offset of the first invalid byte.
    #[error("the settings file is not UTF-8: invalid byte at offset {0}")]
    NotUtf8(usize),
}

impl Hint for SettingsFileError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Missing => "pass a path relative to the working directory: `--config FILE`",
            Self::NotAFile => "replace it with a file, or pass another one: `--config FILE`",
            Self::Io(error) => return reading_hint(error).map(Into::into),
            Self::TooLarge => "check that the path is correct",
            Self::OutsideSite => {
                "replace the link with the file, or pass its path: `--config FILE`"
            }
            Self::NotUtf8(_) => "save it as UTF-8",
        };
        Some(hint.into())
    }
}

impl SettingsFileError {
    fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// Reads a settings file that must be inside the site or its repository.
pub(super) fn read_site_file(site_root: &Path, path: &Path) -> Result<String, SettingsFileError> {
    if Containment::of_site(site_root).is_escaped_by(path) {
        Err(SettingsFileError::OutsideSite)
    } else {
        read_text(path)
    }
}

/// Reads a text file and removes a leading byte order mark.
pub(super) fn read_text(path: &Path) -> Result<String, SettingsFileError> {
    let metadata = fs::metadata(path).map_err(SettingsFileError::of)?;
    if !metadata.is_file() {
        return Err(SettingsFileError::NotAFile);
    }
    let file = File::open(path).map_err(SettingsFileError::of)?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(SettingsFileError::of)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
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
    fn an_unreadable_file_has_a_hint() {
        let denied = SettingsFileError::of(io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            denied.hint().as_deref(),
            Some("make it readable for the user who runs waypost")
        );
        let missing = SettingsFileError::of(io::ErrorKind::NotFound.into());
        assert!(
            missing
                .hint()
                .is_some_and(|hint| hint.contains("`--config FILE`"))
        );
    }
}

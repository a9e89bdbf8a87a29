//! Every error that ends a command, each with its remedy.

use std::borrow::Cow;
use std::error::Error;

use thiserror::Error;

use super::printer::StdoutError;
use crate::clock::ClockError;
use crate::publish::DiskError;
use crate::site::RunError;
use crate::submit::{FetchError, NetworkError};
use page_sources::PageSourcesError;
use sitemaps::site_paths::io_failure::MachineFailure;
use sitemaps::site_paths::{Hint, HintedError};

/// Reason that a command could not be completed.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// The site cannot be read or has no sitemap.
    #[error(transparent)]
    Run(RunError),
    /// A file cannot be written.
    #[error(transparent)]
    Disk(DiskError),
    /// The result cannot be printed.
    #[error(transparent)]
    Stdout(StdoutError),
    /// Any other error.
    #[error("{0}")]
    Other(HintedError),
}

impl CommandError {
    /// An error with its remedy.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self::Other(HintedError::new(message, hint))
    }
}

/// An error of another module that may end a command.
pub(super) trait EndsCommand: Error + Hint + Sized {
    /// The error of the command.
    fn into_command_error(self) -> CommandError {
        CommandError::Other(self.into())
    }
}

impl EndsCommand for ClockError {}
impl EndsCommand for FetchError {}
impl EndsCommand for MachineFailure {}
impl EndsCommand for NetworkError {}
impl EndsCommand for PageSourcesError {}

impl From<HintedError> for CommandError {
    fn from(error: HintedError) -> Self {
        Self::Other(error)
    }
}

impl EndsCommand for RunError {
    fn into_command_error(self) -> CommandError {
        CommandError::Run(self)
    }
}

impl EndsCommand for DiskError {
    fn into_command_error(self) -> CommandError {
        CommandError::Disk(self)
    }
}

impl EndsCommand for StdoutError {
    fn into_command_error(self) -> CommandError {
        CommandError::Stdout(self)
    }
}

impl<E: EndsCommand> From<E> for CommandError {
    fn from(error: E) -> Self {
        error.into_command_error()
    }
}

impl Hint for CommandError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Run(error) => error.hint(),
            Self::Disk(error) => error.hint(),
            Self::Stdout(error) => error.hint(),
            Self::Other(error) => error.hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::DiscoverError;
    use std::io::ErrorKind::PermissionDenied;

    fn hint(error: impl Into<CommandError>) -> String {
        error.into().hint().expect("it has a hint").into_owned()
    }

    #[test]
    fn a_file_outside_the_output_directory_is_named_in_the_hint() {
        let (path, source) = ("logs/step.txt".into(), PermissionDenied.into());
        let expected =
            "make `logs/step.txt` and its directory writable for the user who runs waypost";
        assert_eq!(hint(DiskError::Write { path, source }), expected);
    }

    #[test]
    fn a_directory_that_cannot_be_listed_has_another_hint_than_one_without_pages() {
        let unseen = DiscoverError::Unlistable("d".into(), PermissionDenied.into());
        let expected =
            "make it readable for the user who runs waypost, or remove it from the build";
        assert_eq!(hint(RunError::Discover(unseen)), expected);
        assert!(hint(RunError::NoPages("d".into())).starts_with("build the site first"));
    }
}

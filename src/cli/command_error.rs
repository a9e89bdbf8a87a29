//! Every error that ends a command, each with its remedy, and the exit codes.

use std::borrow::Cow;

use thiserror::Error;

use super::printer::StdoutError;
use crate::files::io_failure::MachineFailure;
use crate::findings::{Hint, HintedError};
use crate::generators::GeneratorError;
use crate::generators::source_map::SourceMapError;
use crate::site::RunError;

/// Exit code for success.
pub(super) const EXIT_SUCCESS: u8 = 0;
/// Exit code for a run with findings that fail it, or with a rejected submission.
pub(super) const EXIT_FINDINGS: u8 = 1;
/// Exit code for a run that could not be completed, or a submission to try again later.
pub(super) const EXIT_FAILURE: u8 = 2;

/// Reason that a command could not be completed.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// The command cannot run, or the site has no sitemap.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The result cannot be printed.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
}

impl CommandError {
    /// An error with its remedy.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<Cow<'static, str>>) -> Self {
        HintedError::new(message, hint).into()
    }
}

/// Errors of other modules, of which only the text and the remedy matter here.
macro_rules! from_other_errors {
    ($($error:ty)+) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::Run(HintedError::from(error).into())
            }
        })+
    };
}

from_other_errors!(HintedError MachineFailure GeneratorError SourceMapError);

impl Hint for CommandError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Run(error) => error.hint(),
            Self::Stdout(error) => error.hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::DiscoverError;
    use std::io::ErrorKind::PermissionDenied;

    fn hint(error: impl Into<CommandError>) -> String {
        error.into().hint().expect("it has a hint").into_owned()
    }

    #[test]
    fn a_directory_that_cannot_be_listed_has_another_hint_than_one_without_pages() {
        let unseen = DiscoverError::Unlistable("d".into(), PermissionDenied.into());
        let expected =
            "make it readable for the user who runs waypost, or remove it from the build";
        assert_eq!(hint(RunError::Discover(unseen)), expected);
        assert!(hint(RunError::no_pages("d".as_ref())).starts_with("build the site first"));
    }
}

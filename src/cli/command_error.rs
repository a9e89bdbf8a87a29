//! Every error that ends a command, each with its remedy.

use std::borrow::Cow;
use std::error::Error;
use std::io;

use thiserror::Error;

use super::printer::StdoutError;
use crate::check::PublishedError;
use crate::clock::ClockError;
use crate::index::IndexError;
use crate::publish::DiskError;
use crate::site::RunError;
use crate::submit::{FetchError, LiveSitemapError, NetworkError, TargetError};
use page_sources::PageSourcesError;
use sitemaps::site_paths::io_failure::MachineFailure;
use sitemaps::site_paths::{Hint, with_causes};

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
    /// The sitemap to check cannot be read.
    #[error("`{file}` cannot be read: {source}")]
    SitemapFile {
        /// The file, for display.
        file: String,
        /// The I/O error.
        source: io::Error,
    },
    /// An option that describes a site is given with a sitemap file.
    #[error("`{option}` does not apply to `{file}`, which is a file and not a site")]
    OptionOfSite {
        /// The option, as it is typed.
        option: &'static str,
        /// The file, for display.
        file: String,
    },
    /// A server did not give everything that was requested.
    #[error("could not check: {0}")]
    Unread(String),
    /// An option of `check` that sends requests is given without a URL.
    #[error("`{0}` applies only to a URL")]
    OptionOfUrl(&'static str),
    /// Any other error.
    #[error("{message}")]
    Other {
        /// Its text, with its causes.
        message: String,
        /// Its remedy.
        hint: Option<Cow<'static, str>>,
    },
}

impl CommandError {
    /// An error with its remedy.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self::Other {
            message: message.into(),
            hint: Some(hint.into()),
        }
    }
}

/// An error of another module that may end a command.
pub(super) trait EndsCommand: Error + Hint + Sized {
    /// The error of the command.
    fn into_command_error(self) -> CommandError {
        CommandError::Other {
            message: with_causes(&self),
            hint: self.hint(),
        }
    }
}

impl EndsCommand for ClockError {}
impl EndsCommand for FetchError {}
impl EndsCommand for IndexError {}
impl EndsCommand for LiveSitemapError {}
impl EndsCommand for MachineFailure {}
impl EndsCommand for NetworkError {}
impl EndsCommand for PageSourcesError {}
impl EndsCommand for PublishedError {}
impl EndsCommand for TargetError {}

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
        let hint = match self {
            Self::Run(error) => return error.hint(),
            Self::Disk(error) => return error.hint(),
            Self::Stdout(error) => return error.hint(),
            Self::Other { hint, .. } => return hint.clone(),
            Self::SitemapFile { .. } => {
                "make it a regular file that the user who runs waypost can read"
            }
            Self::OptionOfSite { option, .. } => {
                return Some(format!("omit `{option}`, or name the directory of the site").into());
            }
            Self::Unread(_) => {
                "what was not read may be right or wrong: check again when it is served"
            }
            Self::OptionOfUrl(_) => "name the published site: `waypost check https://example.com/`",
        };
        Some(hint.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::DiscoverError;
    use io::ErrorKind::PermissionDenied;

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

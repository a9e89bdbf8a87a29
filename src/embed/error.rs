//! The one error of the library.

use std::borrow::Cow;
use std::fmt;
use std::io;

use thiserror::Error as ThisError;

use crate::clock::ClockError;
use crate::publish::DiskError;
use crate::site::RunError;
use site_paths::{Hint, with_causes};

/// The reason that a site cannot be read or its sitemap cannot be written.
///
/// Its text contains the causes; it starts in lower case and has no full stop, so that it fits
/// behind a prefix. [`hint`](Self::hint) names the remedy.
#[derive(Debug)]
#[non_exhaustive]
pub struct Error(Box<Failure>);

/// The errors behind [`Error`].
#[derive(Debug, ThisError)]
pub(super) enum Failure {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error("the working directory is unknown")]
    WorkingDir(#[source] io::Error),
    #[error("the sitemap is not written: {message}")]
    Refused {
        message: String,
        hint: Option<String>,
    },
}

impl Error {
    /// The remedy, if there is one that the text does not name.
    ///
    /// Remedies are those of the command line. Each of its flags that concerns the library is a
    /// method of [`Site`](super::Site): `--base-url` is [`Site::base_url`](super::Site::base_url).
    pub fn hint(&self) -> Option<Cow<'_, str>> {
        match &*self.0 {
            Failure::Run(RunError::Mistakes(mistakes)) => match mistakes.list.as_slice() {
                [mistake] => mistake.hint.as_deref().map(Cow::Borrowed),
                _ => None,
            },
            Failure::Run(error) => error.hint(),
            Failure::Disk(error) => error.hint(),
            Failure::Clock(error) => error.hint(),
            Failure::WorkingDir(_) => Some("change to a directory that exists".into()),
            Failure::Refused { hint, .. } => hint.as_deref().map(Cow::Borrowed),
        }
    }

    /// A sitemap that cannot be right, with the finding that refuses it.
    pub(super) fn refused(message: &str, hint: Option<&str>) -> Self {
        Failure::Refused {
            message: message.to_owned(),
            hint: hint.map(str::to_owned),
        }
        .into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&with_causes(&*self.0))
    }
}

impl std::error::Error for Error {}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

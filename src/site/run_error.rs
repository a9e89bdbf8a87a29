//! The errors that prevent a run, and how to fix them.

use std::borrow::Cow;
use std::path::Path;

use thiserror::Error;

use crate::config::SettingsError;
use crate::files::glob::PatternError;
use crate::files::io_failure::MachineFailure;
use crate::findings::{Hint, HintedError};
use crate::generators::GeneratorError;
use crate::generators::source_map::SourceMapError;
use crate::survey::DiscoverError;
use git_last_modified::HistoryError;

/// Error that prevents a run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The site cannot be identified, or its generator's files cannot be read.
    #[error(transparent)]
    Sources(#[from] GeneratorError),
    /// A list of sources cannot be read.
    #[error(transparent)]
    SourceMap(#[from] SourceMapError),
    /// The site, or a file of it, cannot be used as it is.
    #[error("{0}")]
    Unusable(HintedError),
    /// The settings contain a mistake.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The output directory cannot be listed.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The history settings are invalid.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A glob cannot be compiled.
    #[error(transparent)]
    Patterns(#[from] PatternError),
    /// The machine failed while the site was read.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
}

impl RunError {
    /// The output directory contains no page.
    pub fn no_pages(output_dir: &Path) -> Self {
        let message = format!("no page found in `{}`", output_dir.display());
        let hint = "build the site first, or pass the output directory: `waypost DIR`";
        HintedError::new(message, hint).into()
    }
}

impl From<HintedError> for RunError {
    fn from(error: HintedError) -> Self {
        Self::Unusable(error)
    }
}

impl Hint for RunError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Sources(error) => error.hint(),
            Self::SourceMap(error) => error.hint(),
            Self::Unusable(error) => error.hint(),
            Self::Settings(error) => error.mistake.hint.clone().map(Into::into),
            Self::Discover(error) => error.hint(),
            Self::History(error) => Some(error.hint().to_owned().into()),
            Self::Patterns(_) => None,
            Self::Machine(failure) => failure.hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn the_hint_for_a_missing_permission_does_not_suggest_a_build() {
        let dir = tempfile::tempdir().expect("a directory");
        let hint = |kind: ErrorKind| {
            let output = dir.path().join("public");
            RunError::Discover(DiscoverError::OutputDir(output, kind.into())).hint()
        };
        let readable = "make it readable for the user who runs waypost";
        assert_eq!(hint(ErrorKind::PermissionDenied).as_deref(), Some(readable));
        assert!(
            hint(ErrorKind::NotFound).is_some_and(|hint| hint.contains("build the site first"))
        );
        let file = "config.toml".into();
        let own = GeneratorError::UnreadableSettings(file, ErrorKind::PermissionDenied.into());
        assert_eq!(RunError::Sources(own).hint().as_deref(), Some(readable));
    }
}

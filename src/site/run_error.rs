//! The errors that prevent a run, and how to fix them.

use crate::memory::MemoryError;
use std::borrow::Cow;
use std::path::PathBuf;

use thiserror::Error;

use crate::config::SettingsError;
use crate::discover::DiscoverError;
use git_last_modified::HistoryError;
use page_sources::PageSourcesError;
use page_sources::finder::UnclearSite;
use sitemaps::site_paths::glob::PatternError;
use sitemaps::site_paths::io_failure::MachineFailure;
use sitemaps::site_paths::{BaseUrl, Hint, display_path, escaped};

/// Error that prevents a run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The site cannot be identified, or its generator's files or a source map cannot be read.
    #[error(transparent)]
    Sources(#[from] PageSourcesError),
    /// The output directory is unknown.
    #[error("{}", .1.problem(&display_path(.0)))]
    NoSite(PathBuf, UnclearSite),
    /// The user named the root of a generator's site as its output.
    #[error(
        "`{}` is the root of a {generator} site, not its output",
        display_path(root)
    )]
    SourceRoot {
        /// The root.
        root: PathBuf,
        /// The title of the generator.
        generator: String,
        /// The directory that the generator wrote.
        output: PathBuf,
    },
    /// The site's own files name an output directory elsewhere on the machine.
    #[error("the output directory `{0}` is outside the site and its repository")]
    OutputOutsideSite(PathBuf),
    /// The settings contain a mistake.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The output directory cannot be listed.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The output directory contains no page.
    #[error("no page found in `{0}`")]
    NoPages(PathBuf),
    /// A named source is not a file or directory of the site.
    #[error("`{}` is not a file or directory of the site", display_path(.0))]
    NotInSite(PathBuf),
    /// The memory of contents cannot be used.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The base URL is unknown.
    #[error("no base URL found for `{}`{stated}", display_path(output_dir))]
    NoBaseUrl {
        /// The mistake in the value of the generator's settings, after a colon.
        stated: String,
        /// The output directory.
        output_dir: PathBuf,
        /// The setting to set.
        key: String,
        /// The flag with each URL that may be right.
        flags: String,
    },
    /// The output directory contains several sites, each in its own directory.
    #[error("each language of this site has its own base URL, so `{0}` contains several sites")]
    SeveralHosts(PathBuf, Vec<String>),
    /// The base URL belongs to a single deploy, which the next one replaces.
    #[error(
        "`{base}`, from {origin}, is the URL of a single deploy on {host} and must not appear in a \
         sitemap"
    )]
    DeployUrl {
        /// The URL.
        base: BaseUrl,
        /// Where the URL comes from.
        origin: String,
        /// The pipeline whose deploys have such URLs.
        host: String,
        /// The setting to change: the flag or variable that set the URL, or the key in the
        /// generator's settings.
        key: String,
    },
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

impl Hint for RunError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Sources(error) => return error.hint(),
            Self::Discover(error) => return error.hint(),
            Self::NotInSite(_) => "run this command in the directory of the site".to_owned(),
            Self::Memory(error) => return error.hint(),
            Self::Machine(failure) => return failure.hint(),
            Self::History(error) => error.hint().to_owned(),
            Self::NoPages(_) => {
                "build the site first, or pass the output directory: `waypost DIR`".to_owned()
            }
            Self::NoBaseUrl { key, flags, .. } => format!("set {key}, or pass {flags}"),
            Self::NoSite(_, unclear) => unclear.hint(),
            Self::SourceRoot { output, .. } => {
                format!("pass `-o {}`, or no `-o`", display_path(output))
            }
            Self::SeveralHosts(_, dirs) => {
                let commands: Vec<String> = dirs
                    .iter()
                    .map(|dir| format!("`waypost -o {dir}`"))
                    .collect();
                format!("run waypost on each: {}", commands.join(", "))
            }
            Self::DeployUrl { key, .. } => format!(
                "set {key} to the production URL and rebuild; `waypost explain --settings` shows \
                 the value in use"
            ),
            Self::OutputOutsideSite(dir) => format!(
                "if this is intended, pass `--output-dir {}`",
                escaped(&dir.to_string_lossy())
            ),
            Self::Settings(error) => return error.mistake.hint.clone().map(Into::into),
            Self::Patterns(_) => return None,
        };
        Some(hint.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn the_hint_for_a_missing_permission_does_not_suggest_a_build() {
        let hint = |kind: ErrorKind| {
            RunError::Discover(DiscoverError::OutputDir("public".into(), kind.into())).hint()
        };
        let readable = "make it readable for the user who runs waypost";
        assert_eq!(hint(ErrorKind::PermissionDenied).as_deref(), Some(readable));
        assert!(
            hint(ErrorKind::NotFound).is_some_and(|hint| hint.contains("build the site first"))
        );
        let file = "config.toml".into();
        let own = PageSourcesError::UnreadableSettings(file, ErrorKind::PermissionDenied.into());
        assert_eq!(RunError::Sources(own).hint().as_deref(), Some(readable));
    }
}

//! Every error that ends a command, each with its remedy.

use std::borrow::Cow;
use std::io;

use thiserror::Error;

use super::baseline::BaselineError;
use super::printer::StdoutError;
use super::submit_error::SubmitError;
use crate::check::{PublishedError, UnreadSitemap};
use crate::clock::ClockError;
use crate::index::IndexError;
use crate::publish::DiskError;
use crate::site::RunError;
use crate::submit::{FetchError, NetworkError};
use page_sources::PageSourcesError;
use site_paths::Hint;

/// Reason that a command could not be completed.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// The site cannot be read or has no sitemap.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The user's manifest cannot be read, or there is no book to list.
    #[error(transparent)]
    Sources(#[from] PageSourcesError),
    /// The sitemap to compare with cannot be compared.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// Nothing is submitted.
    #[error(transparent)]
    Submit(#[from] SubmitError),
    /// Sitemaps cannot be combined.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A file cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The result cannot be printed.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
    /// A relative path has no meaning, because the working directory is unknown.
    #[error("the working directory is unknown: {0}")]
    WorkingDir(io::Error),
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
    /// Nothing that a server publishes can be checked.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// A sitemap of a server could not be read completely.
    #[error("could not check: `{}` {}", .0.url, .0.reason)]
    Unread(UnreadSitemap),
    /// A URL cannot be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// An option of `check` that sends requests is given without a URL.
    #[error("`{0}` applies only to a URL")]
    OptionOfUrl(&'static str),
    /// `--threads` cannot be met.
    #[error("the threads of the run cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The current time is unknown.
    #[error(transparent)]
    Clock(#[from] ClockError),
}

impl Hint for CommandError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Run(error) => return error.hint(),
            Self::Sources(error) => return error.hint(),
            Self::Baseline(error) => return error.hint(),
            Self::Submit(error) => return error.hint(),
            Self::Index(error) => return error.hint(),
            Self::Network(error) => return error.hint(),
            Self::Disk(error) => return error.hint(),
            Self::Stdout(error) => return error.hint(),
            Self::Clock(error) => return error.hint(),
            Self::SitemapFile { .. } => {
                "make it a regular file that the user who runs waypost can read"
            }
            Self::OptionOfSite { option, .. } => {
                return Some(format!("omit `{option}`, or name the directory of the site").into());
            }
            Self::Published(error) => return error.hint(),
            Self::Fetch(error) => return error.hint(),
            Self::Unread(_) => "nothing is known of its entries: check again when it is served",
            Self::OptionOfUrl(_) => "name the published site: `waypost check https://example.com/`",
            Self::WorkingDir(_) => "change to a directory that exists",
            Self::Threads(_) => {
                "choose a smaller number of `--threads`, or raise the limit of processes: `ulimit -u`"
            }
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

    #[test]
    fn one_url_is_not_called_urls() {
        let base = site_paths::BaseUrl::parse("https://example.com/").expect("a valid URL");
        let of = |pages| {
            let sitemap = base.of_path(b"sitemap.xml");
            hint(SubmitError::NoBaseline { pages, sitemap })
        };
        assert!(of(1).ends_with("`--all` sends the only URL"));
        assert!(of(2).ends_with("`--all` sends all 2 URLs"));
    }
}

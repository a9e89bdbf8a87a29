//! Errors of `waypost submit`.

use std::borrow::Cow;
use std::path::PathBuf;

use thiserror::Error;

use super::baseline::BaselineError;
use crate::submit::{NetworkError, TargetError};
use site_paths::{BaseUrl, Hint, PageUrl};

/// Reason why nothing is sent.
#[derive(Debug, Error)]
pub(super) enum SubmitError {
    /// No key proves the ownership of the site.
    #[error("no key is set, and IndexNow requires one")]
    NoKey,
    /// The key file is on another host.
    #[error(
        "the key file (`submit.key_location`) is not on the host of `{0}`, \
         so the key does not cover the site"
    )]
    ForeignKey(BaseUrl),
    /// There is no baseline.
    #[error("no previous sitemap to compare with, so nothing is sent")]
    NoBaseline {
        /// How many pages the site lists.
        pages: usize,
        /// The URL of the site's sitemap.
        sitemap: PageUrl,
    },
    /// The baseline cannot be compared.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// The record would be compared with itself.
    #[error("`{0}` is the output directory, which cannot hold the record")]
    RecordInOutput(PathBuf),
    /// The site lists no pages.
    #[error("no page is listed, so there is nothing to submit")]
    NothingListed,
    /// A target is invalid.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Hint for SubmitError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NoKey => {
                "set `submit.key` or `WAYPOST_SUBMIT_KEY` to 8 to 128 letters, digits and hyphens \
                 of your choice; `waypost build` writes the key file into the output directory"
            }
            Self::ForeignKey(_) => "put the key file on the site's own host",
            Self::NoBaseline { pages, sitemap } => {
                let all = match pages {
                    1 => "the only URL".to_owned(),
                    pages => format!("all {pages} URLs"),
                };
                let hint = format!(
                    "`--since {sitemap}` compares with the live sitemap, `--record DIR` with the \
                     copy from last time; `--all` sends {all}"
                );
                return Some(hint.into());
            }
            Self::Baseline(BaselineError::NoSitemap(_) | BaselineError::OtherSite { .. }) => {
                "`--all` sends every URL, once"
            }
            Self::Baseline(BaselineError::Live(error)) => return error.hint(),
            Self::Baseline(BaselineError::Incomplete(_)) => {
                "name another sitemap with `--since`, or send every URL once with `--all`"
            }
            Self::Baseline(error) => return error.hint(),
            Self::RecordInOutput(_) => {
                "name a directory that is kept between runs and not published"
            }
            Self::NothingListed => "`waypost explain` shows the reason for each page",
            Self::Target(error) => return error.hint(),
            Self::Network(error) => return error.hint(),
        };
        Some(hint.into())
    }
}

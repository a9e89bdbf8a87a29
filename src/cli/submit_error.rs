//! Errors of `waypost submit`.

use std::borrow::Cow;
use std::path::PathBuf;

use thiserror::Error;

use super::baseline::BaselineError;
use crate::submit::{FetchError, LiveSitemapError, NetworkError, TargetError};
use site_paths::{BaseUrl, BaseUrlError, Hint, PageUrl};
use sitemaps::set::SetProblem;

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
    /// The key in the environment is invalid.
    #[error("`WAYPOST_SUBMIT_KEY` must be 8 to 128 letters, digits and hyphens")]
    InvalidKey,
    /// The location of the key file in the environment is invalid.
    #[error("`WAYPOST_SUBMIT_KEY_LOCATION` must be a full http or https URL without a query")]
    InvalidKeyLocation,
    /// A base URL is invalid.
    #[error("`{url}` is not a base URL: {source}")]
    BaseUrl {
        /// The URL, for display.
        url: String,
        /// The error.
        source: BaseUrlError,
    },
    /// A ping needs the URL of the site's own sitemap.
    #[error("`--ping` needs a built site")]
    PingWithoutSite,
    /// The sitemap with the pages to submit cannot be fetched.
    #[error(transparent)]
    Live(#[from] LiveSitemapError),
    /// The sitemap files with the pages to submit cannot be read completely.
    #[error(transparent)]
    Set(#[from] SetProblem),
    /// A URL is invalid.
    #[error(transparent)]
    Fetch(#[from] FetchError),
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
            Self::InvalidKey => "use the key whose file is published with the site",
            Self::InvalidKeyLocation => "write the URL of the key file, or unset the variable",
            Self::BaseUrl { .. } => "name the URL of the site's top with `--base-url`",
            Self::PingWithoutSite => "name the directory of the site",
            Self::Live(LiveSitemapError::Fetch(error)) | Self::Fetch(error) => return error.hint(),
            Self::Live(_) | Self::Set(_) => "publish a complete sitemap first",
            Self::NothingListed => "`waypost explain` shows the reason for each page",
            Self::Target(error) => return error.hint(),
            Self::Network(error) => return error.hint(),
        };
        Some(hint.into())
    }
}

//! Why `waypost submit` sends nothing.

use std::path::PathBuf;

use thiserror::Error;

use crate::site_paths::{BaseUrl, PageUrl};
use crate::submit::{LiveSitemapError, NetworkError, TargetError};

/// Why nothing is sent.
#[derive(Debug, Error)]
pub(super) enum SubmitError {
    /// Nothing proves who sends.
    #[error("no key is set, and IndexNow takes nothing without one")]
    NoKey,
    /// The file of the key is another host's.
    #[error(
        "the file of the key (`submit.key_location`) is not on the host of `{0}`, so the key does not speak for it"
    )]
    ForeignKey(BaseUrl),
    /// Nothing is known of the last time.
    #[error("nothing says what search engines were told last, so nothing is sent")]
    NoBaseline {
        /// How many pages there are.
        pages: usize,
        /// The site's sitemap.
        sitemap: PageUrl,
    },
    /// There is nothing to compare with.
    #[error("`{0}` is neither a file nor a folder")]
    NotThere(PathBuf),
    /// There is nothing to compare with in it.
    #[error("no sitemap stands in `{0}`")]
    NoSitemap(PathBuf),
    /// What could not be read would be sent as new.
    #[error("{0}, so what is new cannot be told")]
    InPart(String),
    /// It is another site's.
    #[error("{what} lists no page of `{base}`: it is another site's")]
    OtherSite {
        /// What was compared with.
        what: String,
        /// The site.
        base: BaseUrl,
    },
    /// The record would be what is compared.
    #[error("`{0}` is the output folder itself, which cannot be the record of the last time")]
    RecordInOutput(PathBuf),
    /// The build has no pages to speak of.
    #[error("no page is listed, so there is nothing to tell of")]
    NothingListed,
    /// It cannot be sent there.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There is no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The sitemap that is live cannot be compared with.
    #[error(transparent)]
    Live(#[from] LiveSitemapError),
}

impl SubmitError {
    /// What to do about it.
    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoKey => {
                "set `submit.key` or `WAYPOST_SUBMIT_KEY` to 8 to 128 letters, digits and hyphens of your choice; `waypost \
                 build` writes its file into the output folder"
            }
            Self::ForeignKey(_) => "put the file on the site's own host",
            Self::NoBaseline { pages, sitemap } => {
                return Some(format!(
                    "`--since {sitemap}` compares with the sitemap that is live, `--record FOLDER` with the copy of the \
                     last time; `--all` sends all {pages} addresses"
                ));
            }
            Self::NotThere(_) => {
                "name the address of a sitemap, a file, or a folder that holds one"
            }
            Self::NoSitemap(_) | Self::OtherSite { .. } => "`--all` sends every address, once",
            Self::Live(LiveSitemapError::Fetch(error)) => error.hint()?,
            Self::InPart(_) | Self::Live(_) => {
                "name another one by `--since`, or send every address by `--all`, once"
            }
            Self::RecordInOutput(_) => {
                "name a folder that is kept from run to run and not published"
            }
            Self::NothingListed => "`waypost explain` says why, page by page",
            Self::Target(error) => return error.hint(),
            Self::Network(error) => error.hint()?,
        };
        Some(hint.to_owned())
    }
}

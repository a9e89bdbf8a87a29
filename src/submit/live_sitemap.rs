//! Lists the pages of the live sitemap. Fetches what the reader of `sitemaps` asks for.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use thiserror::Error;

use super::Network;
use super::error::FetchError;
use super::fetch::parse;
use sitemaps::gzip::name_without_gz;
use sitemaps::names::text_has_mark;
use sitemaps::set::{ChildRule, SetPlace, SetProblem, SetWalk, Strictness};
use sitemaps::site_paths::Hint;
use sitemaps::{EntryExtent, ListedEntry, SitemapListing};

/// Enough of a file for its mark, compressed or not.
const MARK_BYTES: u64 = 4_096;

/// Reason that the live sitemap cannot serve as a baseline.
#[derive(Debug, Error)]
pub enum LiveSitemapError {
    /// The sitemap or one of its children could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The set cannot be read completely.
    #[error(transparent)]
    Set(#[from] SetProblem),
    /// It lists nothing, so it is not a sitemap.
    #[error("`{0}` is not a sitemap: it lists no URLs")]
    Empty(SetPlace),
}

impl Hint for LiveSitemapError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Fetch(error) => error.hint(),
            Self::Set(_) | Self::Empty(_) => {
                Some("publish a complete sitemap, or name another one".into())
            }
        }
    }
}

/// The program that wrote a live sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetWriter {
    /// Its root has waypost's mark.
    Waypost,
    /// Any other program.
    Other,
}

impl Network {
    /// Passes every page of a sitemap, or of an index and its children, to `visit`. Children
    /// must be on the host of the index.
    pub fn list_live_pages(
        &self,
        address: &str,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<SetWriter, LiveSitemapError> {
        let address = parse(address)?;
        let name = address.path().rsplit('/').next().unwrap_or_default();
        let root = SetPlace::Url(address.to_string());
        let mut writer = SetWriter::Other;
        let mut visit = |listing, listed: &ListedEntry| {
            if listing == SitemapListing::Pages {
                visit(listed);
            }
        };
        let walk = SetWalk::new(ChildRule::OnHostOfIndex, Strictness::Strict);
        let walked = walk.in_order([root], |walk, file| {
            let mut body = self.fetch(&file.place.to_string())?;
            let mut beginning = Vec::new();
            let begun = body.by_ref().take(MARK_BYTES).read_to_end(&mut beginning);
            if file.parent.is_none() && text_has_mark(&beginning[..], name_without_gz(name)) {
                writer = SetWriter::Waypost;
            }
            let body = begun.map(|_| Cursor::new(beginning).chain(body));
            let read = walk.read(file, body, EntryExtent::Urls, &mut visit)?;
            if file.parent.is_none() && read.entries == 0 {
                return Err(LiveSitemapError::Empty(file.place.clone()));
            }
            Ok(((), read))
        });
        walked.map(|_| writer)
    }
}

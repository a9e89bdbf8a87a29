//! Lists the pages of the live sitemap. Fetches what the reader of `sitemaps` asks for.

use std::io::{Cursor, Read};

use super::Network;
use super::fetch::parse;
use sitemaps::gzip::name_without_gz;
use sitemaps::names::text_has_mark;
use sitemaps::set::{ChildRule, SetPlace, SetWalk, Strictness};
use sitemaps::site_paths::HintedError;
use sitemaps::{EntryExtent, ListedEntry, SitemapListing};

/// Enough of a file for its mark, compressed or not.
const MARK_BYTES: u64 = 4_096;

impl Network {
    /// Passes every page of a sitemap, or of an index and its children, to `visit`. Children
    /// must be on the host of the index. Returns whether waypost wrote the root.
    pub fn list_live_pages(
        &self,
        address: &str,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<bool, HintedError> {
        let address = parse(address)?;
        let name = address.path().rsplit('/').next().unwrap_or_default();
        let root = SetPlace::Url(address.to_string());
        let mut is_by_waypost = false;
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
                is_by_waypost = true;
            }
            let body = begun.map(|_| Cursor::new(beginning).chain(body));
            let read = walk.read(file, body, EntryExtent::All, &mut visit)?;
            if file.parent.is_none() && read.entries == 0 {
                let place = &file.place;
                return Err(HintedError::new(
                    format!("`{place}` is not a sitemap: it lists no URLs"),
                    "publish a complete sitemap, or name another one",
                ));
            }
            Ok(((), read))
        });
        walked.map(|_| is_by_waypost)
    }
}

//! Lists the pages of the live sitemap. Fetches what the reader of `sitemaps` asks for.

use super::Network;
use super::fetch::parse_address;
use crate::findings::HintedError;
use crate::survey::{ChildRule, FileRead, SetFile, SetPlace, SetWalk};
use sitemaps::gzip::name_without_gz;
use sitemaps::{EntryExtent, ListedEntry, SitemapListing};

impl Network {
    /// Passes every page of a sitemap, or of an index and its children, to `visit`. Children
    /// must be on the host of the index. Returns whether waypost wrote the root.
    pub fn list_live_pages(
        &self,
        address: &str,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<bool, HintedError> {
        let address = parse_address(address)?;
        let name = address.path().rsplit('/').next().unwrap_or_default();
        let root = SetPlace::Url(address.to_string());
        let mut is_by_waypost = false;
        let walk = SetWalk::new(ChildRule::OnHostOfIndex);
        let walked = walk.in_order([root], |walk, file| {
            let body = self.fetch(&file.place.to_string())?;
            let read = walk.read(
                file,
                Ok(body),
                EntryExtent::All,
                &mut |listing, listed: &ListedEntry| {
                    if listing == SitemapListing::Pages {
                        visit(listed);
                    }
                },
            );
            is_by_waypost |= file.parent.is_none() && read.head.has_mark(name_without_gz(name));
            match incompleteness(file, &read) {
                Some(why) => Err(HintedError::new(
                    format!("`{}` {why}", file.place),
                    "publish a complete sitemap, or name another one",
                )),
                None => Ok(((), read)),
            }
        });
        walked.map(|_| is_by_waypost)
    }
}

/// Why a set with this file is incomplete: compared with it, old pages would look new.
fn incompleteness(file: &SetFile, read: &FileRead) -> Option<String> {
    if let Some(error) = &read.error {
        return Some(format!("could be read only in part: {error}"));
    }
    if read.entries == 0 && file.parent.is_none() {
        return Some("is not a sitemap: it lists no URLs".to_owned());
    }
    if !read.children.is_empty() && file.parent.is_some() {
        return Some("is named by an index, but is an index itself".to_owned());
    }
    if let Some(note) = read.limit_note() {
        return Some(note);
    }
    let elsewhere = read.children.iter().find(|child| child.file.is_none())?;
    let child = elsewhere.loc.escape_debug();
    Some(format!("names `{child}`, which is on another host"))
}

//! Builds the sitemap files: lays out entries into a plan of files, and renders each on demand.
//!
//! `Plan::lay_out` decides which files exist. The `publish` module writes them, in an order that
//! never loses a page.

mod changes;
mod conformance;
mod entry;
mod extras;
mod feed;
#[cfg(test)]
pub(crate) mod fixture;
pub(crate) mod gzip;
pub(crate) mod index;
mod layout;
pub(crate) mod mark;
pub(crate) mod names;
mod news;
pub(crate) mod plan;
pub(crate) mod previous;
pub(crate) mod split;
mod stylesheet;
mod text;
mod urlset;
mod video;
mod xml;

pub use changes::{SitemapChanges, UrlSpelling};
pub use conformance::{Conformance, SitemapFlaw, SitemapFlawKind, validate};
pub use entry::{EntryLinks, RuleValues, SitemapEntry};
pub use extras::{EntryExtras, Newest, NewestPage, News, Video};
pub use gzip::contents_equal;
pub use layout::MAX_IMAGES;
pub use names::{group_of_child, is_set_file_name};
pub use plan::{FileRole, Plan, PlannedFile, PlannedFileKind, UrlFiles};
pub use previous::{
    file_has_mark, local_file_of as file_of_sitemap, read_entries, read_sitemap, read_sitemap_file,
};
pub use xml::{EntryDetails, ListedEntry, SitemapListing, SitemapReadError};

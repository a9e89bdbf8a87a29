//! Builds the sitemap files: lays out entries into a plan of files, and renders each on demand.
//!
//! `Plan::lay_out` decides which files exist. The `publish` module of `waypost` writes them, in an
//! order that never loses a page.

#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

mod conformance;
mod entry;
mod feed;
pub mod feed_form;
mod file_kind;
#[cfg(test)]
mod fixture;
pub mod gzip;
mod lastmod;
mod layout;
mod listed_date;
mod mark;
pub mod names;
mod place;
pub mod plan;
mod reader;
pub mod robots_txt;
mod settings;
pub mod site_paths;
pub mod split;
mod stylesheet;
mod urlset;
mod urlset_text;
mod values;
mod xml;

pub use conformance::{Conformance, SitemapFlaw, SitemapFlawKind, is_full_url, validate};
pub use entry::{EntryLinks, LanguageLink, LanguageLinks, LinkNames, RuleValues, SitemapEntry};
pub use feed::{Newest, NewestPage};
pub use file_kind::{FeedFormat, SitemapFileKind};
pub use gzip::contents_equal;
pub use lastmod::{DateError, DateFormat, LastMod, Now, ParsedDate};
pub use layout::MAX_IMAGES;
pub use mark::FileHead;
pub use names::{SetFileNames, is_set_file_name};
pub use place::Place;
pub use plan::{FileRole, Plan, PlannedFile, PlannedFileKind, UrlFiles};
pub use reader::{MAX_BYTES, read_any, read_sitemap};
pub use settings::{GzipMode, SitemapFormat, SitemapSettings};
pub use site_paths::quoted;
pub use values::{ChangeFreq, GroupName, Priority};
pub use xml::{EntryExtent, ListedEntry, SitemapListing, SitemapReadError, UnreadContent};

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

mod changes;
mod conformance;
mod content_change;
mod entry;
mod extras;
mod feed;
pub mod feed_form;
pub mod feed_format;
pub mod files;
pub mod findings;
#[cfg(test)]
mod fixture;
pub mod group_name;
pub mod gzip;
pub mod index;
mod language_links;
mod lastmod;
mod layout;
mod listed_date;
pub mod mark;
pub mod names;
mod parts;
pub mod plan;
pub mod robots_txt;
pub mod set;
mod settings;
pub mod site_paths;
pub mod split;
mod stylesheet;
mod survey;
mod text;
mod urlset;
mod urlset_text;
mod values;
mod xml;

pub use changes::SitemapChanges;
pub use conformance::{Conformance, SitemapFlaw, SitemapFlawKind, is_full_url, validate};
pub use content_change::ContentChange;
pub use entry::{EntryLinks, RuleValues, SitemapEntry};
pub use extras::{Newest, NewestPage};
pub use group_name::{GroupName, GroupNameError};
pub use gzip::contents_equal;
pub use language_links::{LanguageLink, LanguageLinks, LinkNames};
pub use lastmod::{DateError, DateFormat, LastMod, Now, ParsedDate};
pub use layout::MAX_IMAGES;
pub use names::{SetFileNames, is_set_file_name};
pub use plan::{FileRole, Plan, PlannedFile, PlannedFileKind, UrlFiles};
pub use set::{file_of_own_sitemap, file_of_sitemap, read_sitemap};
pub use settings::{GzipMode, SitemapFormat, SitemapSettings};
pub use survey::{ReplacedEntry, StatedDate, Survey, SurveyedEntries, SurveyedEntry, SurveyedFile};
pub use values::{ChangeFreq, Priority};
pub use xml::{EntryExtent, ListedEntry, SitemapListing, SitemapReadError, UnreadContent};

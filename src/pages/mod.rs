//! The pages of a site, from their files to the inventory.
//!
//! [`Page`] is filled in by stages: `survey/discover/` gives it a file, `sources/apply_rules.rs` its rules and its
//! source, `read_pages.rs` its verdict and what it states, `compare.rs` what only the other pages
//! show, and `dates/` its date. [`Pages`] has all of them, sorted by file, and finds them by file and
//! by URL.

mod alternates;
mod compare;
mod date_origin;
pub(crate) mod feeds;
mod inventory;
mod owner_exclusions;
mod page;
mod page_source;
mod read_pages;

pub(crate) use compare::{compare, report_by_level};
pub use date_origin::DateOrigin;
pub(crate) use date_origin::OtherCommit;
pub use inventory::{Inventory, by_count};
pub(crate) use owner_exclusions::{
    GeneratorSitemap, exclude_omitted, is_single_page, owner_exclusions,
};
pub use page::{Page, Pages};
pub(crate) use page_source::SourceDirs;
pub use page_source::{PageSource, SourceStep};
pub(crate) use read_pages::read_all;

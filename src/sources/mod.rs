//! Finds the source file of each page and queries the history of all sources.
//!
//! `apply_rules` finds the sources that are known before a page is read; `HintedSources` adds those
//! that the pages name themselves.

mod also_files;
mod also_lists;
mod date_origin;
mod decided_pages;
mod deployed_output;
mod draft_pages;
mod edit_links;
mod file_history;
mod first_chapter;
mod forge_links;
mod gone_sources;
mod hinted_sources;
mod history_findings;
mod included_sources;
mod mapped_sources;
mod own_repository;
mod owner_exclusions;
mod page_overrides;
mod pager;
mod repository_name;
mod ruled_pages;
mod shared_files;
mod source_finder;

pub use date_origin::{DateOrigin, DatingFile};
pub(crate) use decided_pages::DecidedPages;
pub(crate) use deployed_output::DeployedOutput;
pub(crate) use draft_pages::DraftSources;
pub(crate) use file_history::{HistoryOptions, SourceHistory, given_repository};
pub(crate) use gone_sources::GoneSearch;
pub(crate) use hinted_sources::HintedSources;
pub(crate) use history_findings::history_findings;
pub(crate) use mapped_sources::{MappedSources, SourceMaps};
pub(crate) use own_repository::RepositoryEvidence;
pub(crate) use owner_exclusions::{OwnSitemap, exclude_omitted, is_single_page, owner_exclusions};
pub(crate) use pager::Pagers;
pub(crate) use ruled_pages::{RuledPage, RuledPages, apply_rules};
pub use source_finder::{PageSource, SourceStep};
pub(crate) use source_finder::{SiteSources, SourceDirs};

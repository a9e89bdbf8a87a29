//! Finds the source file of each page and queries the history of all sources.
//!
//! `apply_rules` finds the sources that are known before a page is read; `add_named_sources` adds
//! those that the pages name themselves.
//!
//! `sources/source_finder.rs` finds the source of each page: a rule's `source`, the page's own hint, a
//! source map, the generator's conventions with front matter, a file copied as it is, or, without a
//! generator, the page itself. `sources/edit_links.rs` follows "edit this page" links last, for pages that have
//! no committed source by then: `repository_name.rs` identifies the site's repository, and
//! `forge_links.rs` resolves the links to it and to its submodules. `generators/includes/`
//! follows the files that sources include; the patterns of generators are data. All
//! of these go to `git_last_modified::date_sources` in one query while the pages are read; sources
//! that pages name themselves go in a second one. `git_last_modified::WalkedTree` passes on which
//! directories of the output the walk has listed: those that are not links and have no `.git` are
//! not looked up again, and if the checked-out commit does not contain the output, as Git usually
//! ignores it, nothing in it is.
//!
//! The date of a path is git's own local rule: from `HEAD`, follow the first parent whose entry
//! for the path equals this commit's; where there is none, this commit is the answer. Neither
//! dates nor the order of commits nor a cache take part, so wrong clocks cannot make it wrong.

mod apply_rules;
mod catalogues;
mod deployed_output;
mod draft_sources;
mod edit_links;
mod file_history;
mod forge_links;
mod hinted_sources;
mod history_findings;
mod list_members;
mod mapped_sources;
mod pager;
mod repository_name;
mod source_finder;

pub(crate) use apply_rules::{PageOverridesReader, apply_rules};
pub(crate) use catalogues::mark_translated;
pub(crate) use deployed_output::mark_deployed;
pub(crate) use draft_sources::DraftSources;
pub(crate) use file_history::{FilesToDate, HistoryOptions, SourceHistory};
pub(crate) use hinted_sources::add_named_sources;
pub(crate) use history_findings::report_history;
pub(crate) use list_members::lists_by_members;
pub(crate) use mapped_sources::MappedSources;
pub(crate) use pager::Pagers;
pub(crate) use source_finder::SiteSources;

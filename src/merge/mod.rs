//! Sitemaps made elsewhere → an index over them, or one set of all that they list: shards of a build, folders and hosts of
//! their own, several tools.
//!
//! In come names as they were typed; out come a plan, and findings about what was read. Every sitemap is looked at as a
//! strict reader and as a tolerant one would, and none is kept in memory longer than it is read. Nothing here writes.

mod argument;
mod error;
mod index;
mod merged_set;
mod part;
mod text;

pub use argument::{SitemapArgument, SitemapSource};
pub use error::MergeError;
pub use index::gather_index;
pub use merged_set::gather_entries;
pub use part::PartSitemap;

use std::path::Path;

use crate::config::Settings;
use crate::dates::Now;
use crate::finding::Finding;
use crate::site_paths::BaseUrl;
use crate::sitemaps::Plan;
use crate::submit::Network;

/// What sitemaps are gathered for.
pub struct MergePurpose<'a> {
    /// The address of the output folder.
    pub base: &'a BaseUrl,
    /// The folder that the new files go into.
    pub output_dir: &'a Path,
    /// How they are written.
    pub settings: &'a Settings,
    /// Whether sitemaps and pages of other hosts are taken.
    pub hosts: AllowedHosts,
    /// The way to sitemaps that are named by their addresses; none where all are files.
    pub network: Option<&'a Network>,
    /// The present moment.
    pub now: Now,
}

/// Which hosts an index may speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedHosts {
    /// The one that it is served on (sitemaps.org protocol, "Sitemap file location").
    Own,
    /// Any: their owner has to prove to each engine that all of them are his.
    Any,
}

/// What was gathered.
#[derive(Debug)]
pub struct MergedSitemaps {
    /// The sitemaps that were read, in the order in which they were named.
    pub members: Vec<PartSitemap>,
    /// The files that are to be written.
    pub plan: Plan,
    /// What is wrong with the sitemaps.
    pub findings: Vec<Finding>,
}

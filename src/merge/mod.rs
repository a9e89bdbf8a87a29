//! Combines existing sitemaps, under an index or into one merged set. They may come from shards of
//! a build, from other directories and hosts, or from other tools.
//!
//! Takes the sitemaps named on the command line, and returns a plan and findings. Every sitemap is
//! read by a strict and by a tolerant parser, and none stays in memory after it was read. This
//! module writes no files.

mod argument;
mod error;
mod index;
mod merged_set;
mod part;
mod text;

pub use argument::{SitemapArgument, SitemapSource};
pub use error::MergeError;
pub use index::plan_index;
pub use merged_set::plan_merged_set;
pub use part::PartSitemap;

use std::path::Path;

use crate::settings::Settings;
use crate::submit::Network;
use site_paths::BaseUrl;
use site_paths::finding::Finding;
use sitemaps::Now;
use sitemaps::Plan;

/// Options for combining sitemaps.
pub struct MergePurpose<'a> {
    /// The URL of the output directory.
    pub base: &'a BaseUrl,
    /// The output directory for the new files.
    pub output_dir: &'a Path,
    /// Settings for the new files.
    pub settings: &'a Settings,
    /// Whether sitemaps and pages of other hosts are allowed.
    pub hosts: AllowedHosts,
    /// The network, for sitemaps named by URL; `None` if all are files.
    pub network: Option<&'a Network>,
    /// The current time.
    pub now: Now,
}

/// The hosts that an index may list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Only the host that serves the index (sitemaps.org protocol, "Sitemap file location").
    Own,
    /// Any host. The owner must have verified all of them with each search engine.
    Any,
}

/// The result of combining sitemaps.
#[derive(Debug)]
pub struct MergedSitemaps {
    /// The sitemaps that were read, in the order in which they were named.
    pub parts: Vec<PartSitemap>,
    /// The files to write.
    pub plan: Plan,
    /// Problems in the sitemaps.
    pub findings: Vec<Finding>,
}

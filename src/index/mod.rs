//! Lists existing sitemaps in one index. They may come from shards of a build, from other directories
//! and hosts, or from other tools.
//!
//! Takes the sitemaps named on the command line, and returns a plan and findings. Each is checked as
//! `waypost check` does; of an index, the sitemaps that it names are listed. This module writes no
//! files.

mod argument;
mod listed_child;
mod plan;
mod purpose;

pub use argument::SitemapArgument;
pub use listed_child::ListedChild;
pub use plan::{IndexPlan, plan_index};
pub use purpose::IndexPurpose;

//! Runs from an output directory to a sitemap plan.
//!
//! [`build_inventory`] reads, judges and dates every page into an `Inventory`; [`publish_inventory`]
//! lays out its sitemaps and publishes them. Every command runs part of this pipeline, as does the
//! library; none implements a step itself.

mod foreign_sitemaps;
mod memory_file;
mod plan_of_inventory;
mod publish_site;
mod refusals;
mod replaced_content;
mod replaced_findings;
mod robots_lines;
mod site_inventory;
mod source_dates;
mod take_inventory;
mod urls_lost;

pub use foreign_sitemaps::other_sitemaps;
pub use plan_of_inventory::{feed_lacks_pages, plan_of};
pub use publish_site::{
    ComparedPlan, ComparedSet, NamedChanges, PublishedSite, changes_on_disk, compare_plan,
    compared_set, publish_inventory, publish_plan,
};
pub use refusals::set_refusals;
pub use replaced_findings::replaced_findings;
pub use site_inventory::{SiteInventory, build_inventory};
pub use source_dates::source_dates;
pub use urls_lost::loss_of;

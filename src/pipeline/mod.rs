//! Runs the pipeline from an output directory to a sitemap plan.
//!
//! [`take_inventory`] reads, judges and dates every page into an `Inventory`; [`publish_inventory`]
//! lays out its sitemaps and publishes them. Every command runs part of this pipeline; none
//! implements a step itself.

mod extras;
mod foreign_sitemaps;
mod publish_site;
mod refusals;
mod take_inventory;

pub use extras::plan_of;
pub use foreign_sitemaps::other_sitemaps;
pub use publish_site::{
    ComparedSet, PublishedSite, RobotsLines, publish_changes, publish_inventory, publish_plan,
};
pub use refusals::{WritePermission, page_refusals, refusals_first, set_refusals};
pub use take_inventory::{InventoryDetail, take_inventory};

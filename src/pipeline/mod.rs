//! Runs the pipeline from an output directory to a sitemap plan.
//!
//! [`take_inventory`] reads, judges and dates every page into an `Inventory`; [`publish_inventory`]
//! lays out its sitemaps and publishes them. Every command runs part of this pipeline; none
//! implements a step itself.

mod extras;
mod publish_site;
mod refusals;
mod robots_lines;
mod take_inventory;

pub use extras::plan_of;
pub use publish_site::{PublishedSite, publish_inventory, publish_plan};
pub use refusals::{WritePermission, page_refusals, refusals_first, set_refusals};
pub use robots_lines::RobotsLines;
pub use take_inventory::{InventoryDetail, take_inventory};

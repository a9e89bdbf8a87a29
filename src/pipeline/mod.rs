//! Runs the pipeline from an output directory to a sitemap plan.
//!
//! [`Survey`] finds the site and loads its settings; `take_inventory` reads, judges and dates every
//! page into an [`Inventory`]; [`Inventory::entries`] returns what a sitemap lists. Every command
//! runs part of this pipeline; none implements a step itself.

mod base_url;
mod commits;
mod dated;
mod dating;
mod edit_links;
mod extras;
mod first_chapter;
mod hinted_sources;
mod histories;
mod host_files;
mod ignored_settings;
mod inventory;
mod list_dates;
mod mapped_sources;
mod named_feeds;
mod page_overrides;
mod progress;
mod publish_site;
mod reading;
mod robots;
mod rule_outcome;
mod site_feeds;
mod sources;
mod survey;
mod take_inventory;
mod url_form;

pub use base_url::{BaseUrlOrigin, FoundBaseUrl};
pub use dated::{Dated, Undated};
pub use extras::plan_of;
pub use inventory::{Inventory, InventoryPage};
pub use progress::RunProgress;
pub use publish_site::{PublishedSite, RobotsLines, publish_inventory, publish_plan};
pub use robots::RobotsFile;
pub use rule_outcome::{ExcludedBy, RuleOutcome};
pub use sources::{PageSource, SourceStep};
pub use survey::{RunError, RunRequest, Survey};
pub use take_inventory::{InventoryDetail, take_inventory};

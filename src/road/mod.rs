//! The road from a folder to a plan: calls the rooms in their order and hands each what the one before gave.
//!
//! [`Survey`] finds out which site this is and how it is to be treated; [`take_stock`] reads, judges and dates every page
//! into a [`Ledger`]; [`Ledger::entries`] are what a sitemap lists. A command is a place to stop on this road, never a
//! second implementation.

mod addresses;
mod base;
mod commits;
mod dated;
mod dating;
mod delivery;
mod edit_links;
mod extras;
mod first_chapter;
mod hinted;
mod histories;
mod ledger;
mod lists;
mod named_feeds;
mod page_words;
mod passed_over;
mod progress;
mod reading;
mod robots;
mod serving;
mod site_feeds;
mod sources;
mod stock;
mod survey;
mod treatment;
mod truths;

pub use base::{BaseOrigin, FoundBase};
pub use dated::{Dated, Undated};
pub use delivery::{Delivered, RobotsLines, deliver, deliver_plan};
pub use extras::plan_of;
pub use ledger::{Ledger, LedgerLine};
pub use progress::Progress;
pub use robots::RobotsFile;
pub use sources::{PageSource, SourceStep};
pub use stock::{Scrutiny, take_stock};
pub use survey::{Fault, Request, Survey};
pub use treatment::{ExcludedBy, Treatment};

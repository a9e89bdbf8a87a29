//! Reads and judges every page, on all cores.
//!
//! Takes the pages that discovery found; returns a preliminary verdict for each, and the facts that
//! later steps need.

mod built_media;
mod progress;
mod read_pages;
mod unjudged_facts;

pub(crate) use built_media::{BuiltMedia, missing_media};
pub use progress::RunProgress;
pub(crate) use read_pages::{ExtraFacts, read_all};
pub(crate) use unjudged_facts::UnjudgedFacts;

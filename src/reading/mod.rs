//! Reads and judges every page, on all cores.
//!
//! Takes the pages that discovery found; returns a preliminary verdict for each, and the facts that
//! later steps need. A few hundred pages are read as a sample; if they come from disk rather than
//! the page cache, the rest is read with more threads than cores.

mod built_media;
mod read_pages;
mod unjudged_facts;

pub(crate) use built_media::{BuiltMedia, missing_image};
pub(crate) use read_pages::{ExtraFacts, read_all};
pub(crate) use unjudged_facts::UnjudgedFacts;

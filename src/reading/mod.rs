//! Reads and judges every page, on all cores.
//!
//! Takes the pages that discovery found; returns each with a preliminary verdict and the facts that
//! later steps need. A few hundred pages are read as a sample; if they come from disk rather than
//! the page cache, the rest is read with more threads than cores.

mod built_media;
mod read_pages;

pub(crate) use built_media::{is_missing, missing_image};
pub(crate) use read_pages::read_all;

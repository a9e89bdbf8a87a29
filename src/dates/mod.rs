//! Dates of pages: what a `<lastmod>` may hold, and which source answers first.
//!
//! This room never runs git and never reads the clock: history and "now" come in as values.

mod choose;
mod lastmod;

pub use choose::{DateCandidates, DateDoubt, DateDoubtKind, DatedBy, choose};
pub use lastmod::{DateError, DateFormat, LastMod, Now, ParsedDate};

//! Dates of pages: what a `<lastmod>` may hold, and which source answers first.
//!
//! This room never runs git and never reads the clock: history and "now" come in as values.

mod lastmod;

pub use lastmod::{DateFormat, FalseDate, LastMod, Now, ParsedDate};

//! Dates of pages: the choice between several sources of a date.
//!
//! This module never runs Git and never reads the clock: history and the current time are
//! arguments.

mod choose;

pub use choose::{DateCandidates, DateDoubt, DateDoubtKind, DatedBy, choose};

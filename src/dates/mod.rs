//! Dates of pages: the choice between several sources of a date, and the dates of list pages.
//!
//! This module never runs Git and never reads the clock: history and the current time are
//! arguments.

mod bulk_commits;
mod date_pages;
mod dating;
mod list_dates;
mod missing_dates;
mod remember;
mod structured_data;

pub(crate) use bulk_commits::report_bulk_commits;
pub(crate) use date_pages::date_all;
pub(crate) use dating::{DateQuestion, PageDater};
pub(crate) use missing_dates::missing_dates;
pub(crate) use remember::{ContentDater, Remembering};

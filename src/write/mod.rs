//! Entries → plan → disk: the sitemaps, laid out, rendered on demand and put in place.

mod entry;

pub use entry::Entry;

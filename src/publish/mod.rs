//! Writes a planned set of sitemaps to disk, in an order in which no reader ever loses a page.
//!
//! Takes a [`Plan`](crate::sitemaps::Plan) and the output directory; returns what was written.
//! `disk.rs` is the only file of the program that writes.

mod base_url_moved;
mod bridge;
mod disk;
#[cfg(test)]
mod inject_fault;
#[cfg(test)]
mod interrupted;
mod place;
mod stale;

pub use base_url_moved::at_another_base;
pub use disk::{
    DiskError, LockedOutputDir, WriteMode, append, make_folder, put_file, put_new_file,
};
pub use place::{PublishReport, SurroundingFiles, WrittenFile, place};
pub use stale::leftovers;

//! The files of a site: read within bounds, with the errors of the operating system classified.
//!
//! No other module of this crate opens files.

pub mod io_failure;
pub mod tree;
mod unlinked_file;

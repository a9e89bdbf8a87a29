//! The files of a site: read within bounds, with the errors of the operating system classified; and globs
//! over their paths.

pub mod glob;
pub mod io_failure;
pub mod located_values;
pub mod tree;
mod unlinked_file;

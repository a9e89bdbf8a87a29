//! Finds the files that content files include, as the patterns of a generator describe them.
//!
//! A content file comes in as text, and the paths that it includes go out. This module changes
//! nothing and dates nothing.

mod fenced_code;
mod include_paths;
pub(super) mod include_pattern;
mod include_reader;
pub(super) mod include_scanner;

pub use include_reader::{IncludeReader, IncludedFiles};

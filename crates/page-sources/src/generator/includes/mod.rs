//! Finds the files that content files include, as the patterns of a generator describe them.
//!
//! A content file comes in as text, and the paths that it includes go out. This module changes
//! nothing and dates nothing.

mod include_graph;
mod include_paths;
pub(super) mod include_pattern;
mod include_reader;
pub(super) mod include_scanner;
mod literal_text;

pub use include_graph::IncludeGraph;
pub use include_pattern::{IncludePattern, LiteralText};
pub use include_reader::IncludeReader;

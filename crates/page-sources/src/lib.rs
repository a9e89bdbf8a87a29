//! Conventions of site generators: from a rendered page to the source file that it was made from.
//!
//! [`generator`] reads the conventions from a manifest, the generator's own settings and the names and front matter of
//! content files; [`source_map`] reads the lists in which generators name sources themselves.

pub mod generator;
pub mod source_map;

//! Conventions of site generators: from a rendered page to the source file that it was made from.
//!
//! [`finder`] finds the site; [`generator`] reads the conventions from a manifest, the generator's
//! own settings and the names and front matter of content files; [`source_map`] reads the lists in
//! which generators name sources themselves. [`located_values`] reads TOML, YAML and JSON.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

mod error;
pub mod finder;
pub mod generator;
pub mod located_values;
pub mod source_map;

pub use error::PageSourcesError;

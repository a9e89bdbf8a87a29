//! Site root → what its generator does: where the build goes, its address, and which source each page came from.
//!
//! What is known of generators stands as data in `plugin-manifest.toml`; this room reads that, the generator's own
//! settings and the names and front matter of content files. It reads no HTML and writes nothing.

mod content;
mod convention;
mod front_matter;
mod manifest;
mod own_config;
mod pipeline;
mod site;
mod slug;

pub use content::{ContentFile, ContentIndex};
pub use front_matter::FrontMatter;
pub use manifest::{ExitCode, Generator, Generic, Input, Manifest, Output, Pipeline, Plugin, Setup};
pub use own_config::{OwnConfig, OwnConfigError};
pub use pipeline::Pipelines;
pub use site::{Site, SiteError};

//! Conventions of site generators: from a directory to the site around it, and from each content file to the
//! pages that are made from it, among which a rendered page is looked up (`content.rs`).
//!
//! Facts about generators are data in `plugin-manifest.toml`. [`finder`] finds the site; the other files
//! read that manifest, the generator's settings, and the names and front matter of content files;
//! [`source_map`] reads the lists in which generators name sources themselves. Reads no HTML and writes
//! no files.

mod calendar;
mod config_files;
mod content;
mod content_layout;
mod content_root;
mod content_walk;
mod conventions;
mod error;
pub mod finder;
mod front_matter;
mod generator_sitemaps;
mod includes;
mod languages;
mod lists;
mod manifest;
mod own;
mod own_config;
mod pipeline;
mod prediction;
mod profile;
mod script_settings;
mod script_tokens;
mod site;
pub mod source_map;
mod url_path;

pub use calendar::date_in_name;
pub use config_files::{BuildEnvironment, parse_settings};
pub use content::{ContentFile, ContentIndex};
pub use error::GeneratorError;
pub use front_matter::FrontMatter;
pub use generator_sitemaps::{GeneratorSitemapNames, StatedExclusion};
pub use includes::{IncludeReader, IncludedFiles};
pub use lists::{ListDirs, NamesOfLanguage, ShownFiles, Taxonomies};
pub use manifest::{
    HostFileKind, HostMark, HostModel, HostServer, HostUrlForm, Manifest, Pipeline, PipelineStep,
    Publisher,
};
pub use pipeline::{GitRef, Pipelines};
pub use profile::{Generator, is_publication};
pub use site::Site;

pub(in crate::generators) use calendar::CalendarDate;
pub(in crate::generators) use content_layout::ContentLayout;
pub(in crate::generators) use content_root::{ContentName, ContentRoot, ListedContentFile, below};
pub(in crate::generators) use conventions::{Conventions, Mount, MountingSite, Mounts};
pub(in crate::generators) use includes::{IncludeCall, IncludeScanner};
pub(in crate::generators) use languages::Languages;
pub(in crate::generators) use own_config::{Condition, OwnConfig, SettingTexts};
pub(in crate::generators) use prediction::{ContentDirs, PredictionInput};
pub(in crate::generators) use site::SiteSearch;
pub(in crate::generators) use url_path::{
    ContentUrlStyle, SlugSubject, UrlPath, filled, github_slug, is_word, without_empty_parts,
};

//! Detects a site's static site generator and maps its pages to their source files.
//!
//! Facts about generators are data in `plugin-manifest.toml`. This module reads that manifest, the
//! generator's settings, and the names and front matter of content files. It reads no HTML and
//! writes no files.

mod bracketed_tokens;
mod calendar;
mod cascade;
mod content;
mod content_dirs;
mod content_file;
mod content_name;
mod content_root;
mod content_walk;
mod convention;
mod dated_name;
mod former_content;
mod front_matter;
mod includes;
mod jekyll;
mod language_keys;
mod languages;
mod manifest;
mod manifest_file;
mod output_formats;
mod own_config;
mod permalinks;
mod pipeline;
mod profile;
mod read_content;
mod repeated_key;
mod root_permalink;
mod script_settings;
mod site;
mod site_search;
mod slug;
mod slugs;
mod taxonomy;
mod theme;
mod unpublished;
mod url_path;
mod url_pattern;

pub use content::ContentIndex;
pub use content_file::ContentFile;
pub use former_content::FormerContent;
pub use front_matter::{FrontMatter, FrontMatterText};
pub use includes::{
    IncludeGraph, IncludeMode, IncludePattern, IncludeReader, ListedExtension, LiteralText,
};
pub use manifest::{
    GenericSite, HostDialect, HostFileKind, HostModel, HostUrlForm, Manifest, ManifestExitCode,
    ManifestInput, ManifestOutput, ManifestPlugin, Pipeline, PipelineRole, PipelineSetup,
};
pub use output_formats::{MainFormat, OutputFormats};
pub use own_config::{OwnConfig, parse_settings};
pub use pipeline::{GitRef, PipelineStatement, Pipelines};
pub use profile::{Generator, PageTableSpec, SourceListSpec, UnpublishedKeys};
pub(crate) use site::marked_by;
pub use site::{LanguageHost, Site};
pub(crate) use site_search::SiteSearch;
pub use taxonomy::Taxonomies;

//! Detects a site's static site generator and maps its pages to their source files.
//!
//! Facts about generators are data in `plugin-manifest.toml`. This module reads that manifest, the
//! generator's settings, and the names and front matter of content files. It reads no HTML and
//! writes no files.

mod calendar;
mod config_files;
mod content;
mod content_dirs;
mod content_layout;
mod content_root;
mod content_walk;
mod convention;
mod conventions;
mod front_matter;
mod includes;
mod languages;
mod listed_content;
mod lists;
mod manifest;
mod mounts;
mod own;
mod own_config;
mod own_sitemaps;
mod pipeline;
mod profile;
mod script_settings;
mod script_tokens;
mod setting_words;
mod site;
mod site_search;
mod slug;
mod url_path;

pub use calendar::date_in_name;
pub use config_files::{BuildEnvironment, parse_settings};
pub use content::{ContentFile, ContentIndex};
pub use content_root::ContentRootSpec;
pub use front_matter::FrontMatter;
pub use includes::{IncludePattern, IncludeReader, IncludedFiles};
pub use lists::{ListDirs, NamesOfLanguage, ShownFiles, Taxonomies};
pub use manifest::{
    GenericSite, HostFileKind, HostMark, HostModel, HostServer, HostUrlForm, Manifest,
    ManifestExitCode, Pipeline, PipelineRole, PipelineStep, Publisher,
};
pub use own_config::{OwnConfig, UnknownSetting};
pub use own_sitemaps::{OwnSitemaps, StatedExclusion};
pub use pipeline::{GitRef, Pipelines};
pub use profile::{Generator, is_publication};
pub use setting_words::{Condition, SettingTexts};
pub(crate) use site::SiteSearch;
pub use site::{LanguageHost, Site};
pub(crate) use site_search::marked_by;

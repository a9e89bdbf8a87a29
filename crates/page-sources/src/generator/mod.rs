//! Detects a site's static site generator and maps its pages to their source files.
//!
//! Facts about generators are data in `plugin-manifest.toml`. This module reads that manifest, the
//! generator's settings, and the names and front matter of content files. It reads no HTML and
//! writes no files.

mod calendar;
mod condition;
mod content;
mod content_dirs;
mod content_file;
mod content_keys;
mod content_name;
mod content_root;
mod content_walk;
mod convention;
mod convention_input;
mod drafts;
mod exclusions;
mod former_content;
mod front_matter;
mod header_fields;
mod hexo;
mod hugo;
mod hugo_cascade;
mod hugo_permalinks;
mod includes;
mod jekyll;
mod languages;
mod list_dirs;
mod manifest;
mod mkdocs;
mod own_config;
mod own_sitemaps;
mod pelican;
mod pipeline;
mod profile;
mod script_settings;
mod setting_texts;
mod site;
mod slug;
mod taxonomy;

mod url_path;
mod url_pattern;
mod vitepress;
mod zola;

pub use condition::Condition;
pub use content::ContentIndex;
pub use content_file::ContentFile;
pub use content_keys::{ContentRootSpec, SourceListSpec};
pub use exclusions::StatedExclusion;
pub use former_content::FormerContent;
pub use front_matter::FrontMatter;
pub use includes::{IncludePattern, IncludeReader, IncludedFiles};
pub use list_dirs::ListDirs;
pub use manifest::{
    GenericSite, HostFileKind, HostMark, HostModel, HostServer, HostUrlForm, Manifest,
    ManifestExitCode, Pipeline, PipelineRole, PipelineStep,
};
pub use own_config::{OwnConfig, parse_settings};
pub use own_sitemaps::OwnSitemaps;
pub use pipeline::{GitRef, Pipelines};
pub use profile::Generator;
pub use setting_texts::SettingTexts;
pub use site::{LanguageHost, Site};
pub(crate) use site::{SiteSearch, marked_by};
pub use taxonomy::Taxonomies;

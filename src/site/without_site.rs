//! The settings of a run that takes a sitemap in place of a site.

use std::collections::BTreeMap;
use std::path::Path;

use super::preview::{self, BuildKind};
use super::remote::repository_around;
use super::run_error::RunError;
use crate::config::{self, Flags, LayerInputs};
use crate::decide::reason_names;
use crate::files::tree::Tree;
use crate::generators::Pipelines;
use crate::manifest;
use crate::settings::Settings;

/// Reads `waypost.toml` in the working directory, the environment and the flags.
pub fn settings_without_site(
    environment: &BTreeMap<String, String>,
    flags: Flags,
) -> Result<Settings, RunError> {
    let loaded = config::load(&LayerInputs {
        site_root: Path::new("."),
        generator_tables: &[],
        environment,
        flags,
        reasons: &reason_names(),
    })?;
    Ok(loaded.settings)
}

/// Decides whether a run in the working directory is one of production, as for a build.
pub fn kind_without_site(
    environment: &BTreeMap<String, String>,
    settings: &Settings,
) -> Result<BuildKind, RunError> {
    let here = Path::new(".");
    let tree = Tree::new(here);
    let repository = repository_around(here, &tree);
    let pipelines = Pipelines::new(manifest::embedded(), environment);
    let kind = preview::kind_of_build(pipelines, settings, repository.as_deref(), &tree);
    tree.check()?;
    Ok(kind)
}

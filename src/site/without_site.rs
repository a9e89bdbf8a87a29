//! The settings of a run that takes a sitemap in place of a site.

use std::collections::BTreeMap;
use std::path::Path;

use super::preview::{self, BuildKind};
use super::remote::repository_around;
use super::run_error::RunError;
use crate::config::{self, Flags, LayerInputs};
use crate::decide::reason_names;
use crate::manifest;
use crate::settings::Settings;
use page_sources::generator::Pipelines;
use sitemaps::files::tree::Tree;

/// Reads `waypost.toml` in the working directory and the environment, and decides whether the run is
/// one of production, as for a build.
pub fn settings_without_site(
    environment: &BTreeMap<String, String>,
) -> Result<(Settings, BuildKind), RunError> {
    let here = Path::new(".");
    let loaded = config::load(&LayerInputs {
        site_root: here,
        generator_tables: &[],
        environment,
        flags: Flags::default(),
        reasons: &reason_names(),
    })?;
    let tree = Tree::new(here);
    let repository = repository_around(here, &tree);
    let pipelines = Pipelines::new(manifest::embedded(), environment);
    let kind = preview::kind_of_build(pipelines, &loaded.settings, repository.as_deref(), &tree);
    tree.check()?;
    Ok((loaded.settings, kind))
}

//! Detects the host that serves the site.

use std::fmt;

use super::base_evidence::BaseUrlQuery;
use super::host_settings::is_marked;
use super::pages_publication::pages_host;
use crate::generators::{HostFileKind, HostModel, Manifest, Pipelines};
use sitemaps::site_paths::BaseUrl;

/// The host of a site and how it was detected.
#[derive(Debug, Clone)]
pub struct DetectedHost {
    /// The host.
    pub model: &'static HostModel,
    /// How it was detected, in words.
    pub origin: String,
}

impl DetectedHost {
    fn named(name: &str, origin: &str) -> Option<Self> {
        Some(Self {
            model: Manifest::embedded().host.get(name)?,
            origin: origin.to_owned(),
        })
    }
}

impl fmt::Display for DetectedHost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}", self.model.title, self.origin)
    }
}

/// Detects the host. The first of these that names one: the setting, the environment, the base
/// URL's domain, the files, unless they name several, and the workflows.
pub(super) fn detect(query: &BaseUrlQuery<'_>, base: Option<&BaseUrl>) -> Option<DetectedHost> {
    if let Some(name) = &query.loaded.settings.host {
        return DetectedHost::named(name, "from the settings");
    }
    if let Some(name) = query.pipelines.host(base) {
        return DetectedHost::named(name, "from the environment");
    }
    if let Some(base) = base
        && let Some(name) = Pipelines::host_of_domain(base)
    {
        return DetectedHost::named(name, &format!("from the domain {}", base.host()));
    }
    let dirs = query.host_dirs;
    let mut marks = Vec::new();
    for (name, host) in &Manifest::embedded().host {
        let mark = host.files.iter().find(|mark| is_marked(dirs, host, mark));
        marks.extend(mark.map(|mark| (name, &mark.file)));
    }
    match marks.as_slice() {
        [(name, file)] => DetectedHost::named(name, &format!("from {file}")),
        [] => {
            // These files are for another host, which nothing names.
            if HostFileKind::NAMES
                .into_iter()
                .any(|(name, kind)| kind.is_published() && dirs.built(name).is_some())
            {
                return None;
            }
            let root = query.repository.unwrap_or(&query.site.root);
            DetectedHost::named(pages_host(root, dirs)?, "to which a workflow publishes")
        }
        _ => None,
    }
}

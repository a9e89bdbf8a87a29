//! Detects the host that serves the site.

use std::fmt;
use std::path::Path;

use super::host_dirs::HostDirs;
use super::host_settings::is_marked;
use super::pages_publication::pages_host;
use crate::generators::{HostFileKind, HostModel, Manifest, Pipelines};
use sitemaps::site_paths::BaseUrl;

/// The host of a site and how it was detected.
#[derive(Debug, Clone)]
pub struct DetectedHost<'m> {
    /// The host.
    pub model: &'m HostModel,
    /// How it was detected, in words.
    pub origin: String,
}

impl fmt::Display for DetectedHost<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}", self.model.title, self.origin)
    }
}

/// Detects the host. The first of these that names one: the setting, the environment, the base
/// URL's domain, the files, unless they name several, and the workflows.
///
/// `set` is the setting, `root` the directory whose workflows count.
pub(super) fn detect<'m>(
    manifest: &'m Manifest,
    set: Option<&str>,
    pipelines: Pipelines<'_>,
    dirs: &HostDirs,
    root: &Path,
    base: Option<&BaseUrl>,
) -> Option<DetectedHost<'m>> {
    let hosts = &manifest.host;
    let of = |name: &str, origin: &str| {
        let model = hosts.get(name)?;
        let origin = origin.to_owned();
        Some(DetectedHost { model, origin })
    };
    if let Some(name) = set {
        return of(name, "from the settings");
    }
    if let Some(name) = pipelines.host(base) {
        return of(name, "from the environment");
    }
    if let Some(base) = base
        && let Some(name) = pipelines.host_of_domain(base)
    {
        return of(name, &format!("from the domain {}", base.host()));
    }
    let mut marks = Vec::new();
    for (name, host) in hosts {
        let mark = host.files.iter().find(|mark| is_marked(dirs, host, mark));
        marks.extend(mark.map(|mark| (name, &mark.file)));
    }
    match marks.as_slice() {
        [(name, file)] => of(name, &format!("from {file}")),
        [] => {
            // These files are for another host, which nothing names.
            if HostFileKind::NAMES
                .into_iter()
                .any(|(name, kind)| kind.is_published() && dirs.built(name).is_some())
            {
                return None;
            }
            let name = pages_host(root, dirs)?;
            of(name, "to which a workflow publishes")
        }
        _ => None,
    }
}

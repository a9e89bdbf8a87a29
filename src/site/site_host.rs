//! Detects the host that serves the site.

use std::fmt;

use super::host_dirs::HostDirs;
use super::host_settings::{has_value, settings_at};
use super::loaded_site::LoadedSite;
use super::pages_publication::pages_host;
use page_sources::generator::{HostFileKind, HostMark, HostModel};
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
pub(super) fn detect<'m>(
    loaded: &LoadedSite<'m>,
    base: Option<&BaseUrl>,
) -> Option<DetectedHost<'m>> {
    let (hosts, dirs) = (&loaded.manifest.host, &loaded.host_dirs);
    let of = |name: &str, origin: &str| {
        let model = hosts.get(name)?;
        let origin = origin.to_owned();
        Some(DetectedHost { model, origin })
    };
    if let Some(name) = &loaded.settings().host {
        return of(name, "from the settings");
    }
    let pipelines = loaded.pipelines();
    if let Some(name) = pipelines.host(base) {
        return of(name, "from the environment");
    }
    if let Some(base) = base
        && let Some(name) = pipelines.host_of_domain(base)
    {
        return of(name, &format!("from the domain {}", base.host()));
    }
    let marks = hosts.iter().filter_map(|(name, host)| {
        let mut files = host.files.iter();
        let mark = files.find(|mark| is_marked(dirs, host, mark))?;
        Some((name, &mark.file))
    });
    let marks: Vec<(&String, &String)> = marks.collect();
    match marks.as_slice() {
        [(name, file)] => of(name, &format!("from {file}")),
        [] => {
            // These files are for another host, which nothing names.
            let is_elsewhere = |(name, kind): (&str, HostFileKind)| {
                kind.is_published() && dirs.built(name).is_some()
            };
            if HostFileKind::NAMES.into_iter().any(is_elsewhere) {
                return None;
            }
            let root = loaded.repository.as_deref().unwrap_or(&loaded.site.root);
            let name = pages_host(root, dirs.failures())?;
            of(name, "to which a workflow publishes")
        }
        _ => None,
    }
}

pub(super) fn is_marked(dirs: &HostDirs, host: &HostModel, mark: &HostMark) -> bool {
    let path = if host.unread.contains(&mark.file) {
        dirs.nearest_or_built(&mark.file)
    } else {
        dirs.nearest(&mark.file)
    };
    let Some(path) = path else {
        return false;
    };
    mark.has_key.as_ref().is_none_or(|key| {
        settings_at(&path, dirs.failures()).is_some_and(|settings| has_value(&settings, key))
    })
}

//! Detects the host that serves the site.

use std::fmt;
use std::path::Path;

use super::host_dirs::HostDirs;
use super::host_settings::{has_value, settings_at};
use super::remote;
use page_sources::generator::{HostFileKind, HostMark, HostModel, Manifest, Pipelines};
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

/// Evidence for the host of a site.
pub(super) struct HostEvidence<'e> {
    /// The setting `host`.
    pub(super) setting: Option<&'e str>,
    /// The build pipelines, in the environment of this run.
    pub(super) pipelines: Pipelines<'e>,
    /// The base URL, if it is known.
    pub(super) base: Option<&'e BaseUrl>,
    /// The directories that may have the host's files.
    pub(super) dirs: &'e HostDirs,
    /// The root of the repository, or else of the site.
    pub(super) repository: &'e Path,
    /// The output directory, in which a host may expect a file that waypost does not read.
    pub(super) output: &'e Path,
}

/// Detects the host. The first of these that names one: the setting, the environment, the base
/// URL's domain, the files, unless they name several, and the workflows.
pub(super) fn detect<'m>(
    manifest: &'m Manifest,
    evidence: &HostEvidence<'_>,
) -> Option<DetectedHost<'m>> {
    let of = |name: &str, origin: &str| {
        let model = manifest.host.get(name)?;
        let origin = origin.to_owned();
        Some(DetectedHost { model, origin })
    };
    if let Some(name) = evidence.setting {
        return of(name, "from the settings");
    }
    let (pipelines, base) = (&evidence.pipelines, evidence.base);
    if let Some(name) = pipelines.host(base) {
        return of(name, "from the environment");
    }
    if let Some(base) = base
        && let Some(name) = pipelines.host_of_domain(base)
    {
        return of(name, &format!("from the domain {}", base.host()));
    }
    let marks = manifest.host.iter().filter_map(|(name, host)| {
        let mut files = host.files.iter();
        let mark = files.find(|mark| is_marked(evidence, host, mark))?;
        Some((name, &mark.file))
    });
    let marks: Vec<(&String, &String)> = marks.collect();
    match marks.as_slice() {
        [(name, file)] => of(name, &format!("from {file}")),
        [] => {
            let failures = evidence.dirs.failures();
            // These files are for another host, which nothing names.
            let is_elsewhere = |(name, kind): (&str, HostFileKind)| {
                kind.is_published() && failures.is_file(&evidence.output.join(name))
            };
            if HostFileKind::NAMES.into_iter().any(is_elsewhere) {
                return None;
            }
            let name = remote::pages_host(evidence.repository, failures)?;
            of(name, "to which a workflow publishes")
        }
        _ => None,
    }
}

fn is_marked(evidence: &HostEvidence<'_>, host: &HostModel, mark: &HostMark) -> bool {
    let dirs = evidence.dirs;
    let path = if host.unread.contains(&mark.file) {
        dirs.nearest_or_built(&mark.file, evidence.output)
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

//! MkDocs: the sites that its plugin monorepo includes.

use crate::generators::own_config::all_strings;
use crate::generators::{Conventions, Mount, MountingSite, Mounts, OwnConfig};
use sitemaps::site_paths::SitePath;

/// Limit for settings that the plugin monorepo includes.
const MAX_INCLUDED: usize = 500;

pub(super) struct Mkdocs;

impl Conventions for Mkdocs {
    /// The content of other sites that `nav` includes with the plugin monorepo, each below the name of its
    /// site, or its slug if the name is not a path: `!include ./team/mkdocs.yml`, or `*include` with a glob.
    fn mounts(&self, site: &MountingSite<'_>) -> Mounts {
        let mut mounts = Mounts::default();
        let has_plugin = ["plugins.monorepo", "plugins.techdocs-core"];
        if has_plugin.iter().any(|key| site.config.get(key).is_some()) {
            include(site, site.config, "", "", &mut mounts.further);
        }
        mounts
    }
}

/// Adds the sites that the settings in a directory include at a place of the content.
fn include(
    site: &MountingSite<'_>,
    config: &OwnConfig,
    dir: &str,
    at: &str,
    found: &mut Vec<Mount>,
) {
    for call in config.get("nav").map(all_strings).unwrap_or_default() {
        let path = ["!include ", "*include "]
            .iter()
            .find_map(|mark| call.strip_prefix(mark));
        let Some(path) = path.map(|path| path.trim().trim_matches(['"', '\''])) else {
            continue;
        };
        let path = SitePath::joined(dir, path.as_bytes())
            .to_text()
            .into_owned();
        let pattern: Vec<&str> = path.split('/').collect();
        let Some((_, dirs)) = pattern.split_last() else {
            continue;
        };
        for dir in matching_dirs(site, dirs) {
            let Some(settings) = site.settings_at(&dir) else {
                continue;
            };
            let (Some(name), true) = (settings.text("site_name"), found.len() < MAX_INCLUDED)
            else {
                continue;
            };
            let target = if name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte))
            {
                format!("{at}{name}")
            } else {
                format!("{at}{}", slug::slugify(name))
            };
            found.push(Mount {
                source: format!("{dir}/{}", settings.text("docs_dir").unwrap_or("docs")),
                target: target.clone(),
                languages: None,
            });
            include(site, &settings, &dir, &format!("{target}/"), found);
        }
    }
}

/// The directories below the site root whose names match these parts, in which `*` is any text.
fn matching_dirs(site: &MountingSite<'_>, parts: &[&str]) -> Vec<String> {
    let mut dirs = vec![String::new()];
    for part in parts {
        let mut below = Vec::new();
        for dir in dirs {
            if let Some((start, end)) = part.split_once('*') {
                for entry in site.tree.entries(&site.tree.path().join(&dir)) {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    if name.starts_with(start) && name.ends_with(end) && !name.starts_with('.') {
                        below.push(format!("{dir}{name}/"));
                    }
                }
            } else {
                below.push(format!("{dir}{part}/"));
            }
        }
        dirs = below;
    }
    dirs.sort();
    dirs.iter()
        .map(|dir| dir.trim_end_matches('/').to_owned())
        .collect()
}

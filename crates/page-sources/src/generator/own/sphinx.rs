//! Sphinx: its content directory.

use std::path::Path;

use super::OwnRules;
use crate::generator::site::Site;

pub(super) fn rules() -> OwnRules {
    OwnRules {
        root_dir: Some(|site, dir| Some(root_dir(site, dir))),
        excluded_key: Some("sitemap_excludes"),
        ..OwnRules::default()
    }
}

/// The directory of the settings: `source` if `sphinx-quickstart --sep` made the site.
fn root_dir(site: &Site<'_>, dir: String) -> String {
    let settings = site.config_file().and_then(Path::parent);
    let own = settings.and_then(|own| own.strip_prefix(&site.root).ok()?.to_str());
    own.map_or(dir, str::to_owned)
}

//! Sphinx: its content directory.

use std::path::Path;

use crate::generator::own_config::OwnConfig;
use crate::generator::own_rules::OwnRules;

pub(super) fn rules() -> OwnRules {
    OwnRules {
        root_dir: Some(|config, root, dir| Some(root_dir(config, root, dir))),
        excluded_key: Some("sitemap_excludes"),
        ..OwnRules::default()
    }
}

/// The directory of the settings: `source` if `sphinx-quickstart --sep` made the site.
fn root_dir(config: &OwnConfig, root: &Path, dir: String) -> String {
    let settings = config.files().first().and_then(|file| file.parent());
    let own = settings.and_then(|own| own.strip_prefix(root).ok()?.to_str());
    own.map_or(dir, str::to_owned)
}

//! Sphinx: its content directory.

use std::path::Path;

use serde_json::Value;

use crate::generator::own_config::OwnConfig;
use crate::generator::own_rules::OwnRules;
use sitemaps::site_paths::SitePath;

pub(super) fn rules() -> OwnRules {
    OwnRules {
        language_key: Some("language"),
        catalogue: Some(catalogue),
        root_dir: Some(|config, root, dir| Some(root_dir(config, root, dir))),
        page_ending_key: Some("html_file_suffix"),
        excluded_key: Some("sitemap_excludes"),
        ..OwnRules::default()
    }
}

/// The catalogue of a document (`sphinx.util.i18n`): one for each, or for each directory at the top with
/// `gettext_compact`, which is the default.
fn catalogue(config: &OwnConfig, source: &SitePath) -> Option<SitePath> {
    let settings = config.files().first()?.parent()?;
    let language = config.text("language")?;
    let below = source.to_text();
    let is_sep = settings.ends_with("source") && below.starts_with("source/");
    let root = if is_sep { "source/" } else { "" };
    let (document, _) = below.strip_prefix(root)?.rsplit_once('.')?;
    let name = match config.get("gettext_compact") {
        Some(Value::Bool(false)) => document,
        Some(Value::String(name)) => name,
        _ => document.split('/').next()?,
    };
    let dirs = config.texts("locale_dirs");
    let dir = dirs.first().copied().unwrap_or("locales");
    let path = format!("{root}{dir}/{language}/LC_MESSAGES/{name}.po");
    Some(SitePath::joined("", path.as_bytes()))
}

/// The directory of the settings: `source` if `sphinx-quickstart --sep` made the site.
fn root_dir(config: &OwnConfig, root: &Path, dir: String) -> String {
    let settings = config.files().first().and_then(|file| file.parent());
    let own = settings.and_then(|own| own.strip_prefix(root).ok()?.to_str());
    own.map_or(dir, str::to_owned)
}

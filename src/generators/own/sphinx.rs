//! Sphinx: its content directory, and the catalogues of its translations.

use serde_json::Value;

use crate::generators::{Conventions, Mount, MountingSite, Mounts, OwnConfig};
use sitemaps::site_paths::SitePath;

pub(super) struct Sphinx;

impl Conventions for Sphinx {
    /// The directory of the settings: `source` if `sphinx-quickstart --sep` made the site.
    fn mounts(&self, site: &MountingSite<'_>) -> Mounts {
        let settings = site.config.files.first();
        let dir =
            settings.and_then(|file| file.parent()?.strip_prefix(site.tree.path()).ok()?.to_str());
        let content = dir.map(|dir| Mount {
            source: dir.to_owned(),
            ..Mount::default()
        });
        Mounts {
            own: content.into_iter().collect(),
            ..Mounts::default()
        }
    }

    /// The catalogue of a document (`sphinx.util.i18n`): one for each, or for each directory at the top with
    /// `gettext_compact`, which is the default.
    fn catalogue(&self, config: &OwnConfig, source: &SitePath) -> Option<SitePath> {
        let settings = config.files.first()?.parent()?;
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
}

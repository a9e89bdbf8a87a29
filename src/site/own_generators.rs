//! Reads the generators that a site describes itself, before the site is found.

use std::path::Path;

use crate::config::{SETTINGS_FILE, SettingsError};
use crate::manifest;
use page_sources::generator::Manifest;
use sitemaps::files::tree::{MAX_FILE_BYTES, Tree, read_text};

/// The manifest of the program, with the generators that the site's own settings describe. It lives
/// as long as the program, which loads one site.
pub(super) fn manifest_of(
    site: &Path,
    config: Option<&Path>,
) -> Result<&'static Manifest, SettingsError> {
    let known = manifest::embedded();
    let own = site.join(SETTINGS_FILE);
    let (file, text) = match config {
        Some(config) => (config, read_text(config, MAX_FILE_BYTES)),
        None => (own.as_path(), Tree::new(site).text(&own)),
    };
    // A file that cannot be read is reported where the settings are.
    let Some(text) = text.ok().filter(|text| text.contains("generator")) else {
        return Ok(known);
    };
    match known.with_generators_of(&text) {
        Ok(None) => Ok(known),
        Ok(Some(manifest)) => Ok(Box::leak(Box::new(manifest))),
        Err(error) => Err(SettingsError::in_file(
            file,
            text,
            error.message,
            error.place,
        )),
    }
}

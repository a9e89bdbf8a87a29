//! Determines the URL style of the host, including what the host's own settings define.

use std::path::Path;

use serde_json::Value;

use crate::settings::UrlStyle;
use page_sources::generator::Pipeline;
use site_paths::containment::Containment;

/// Returns the URL style of a host; `root` contains the host's settings file.
///
/// A missing or unreadable settings file is ignored here; reading its rules reports it.
pub(super) fn form_at(host: &Pipeline, root: &Path) -> UrlStyle {
    let addresses = &host.addresses;
    let settings: Value = addresses
        .file
        .as_ref()
        .and_then(|file| Containment::of_site(root).read_text(&root.join(file)).ok())
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let flag = |key: &Option<String>| settings.get(key.as_ref()?)?.as_bool();
    let is_clean = flag(&addresses.clean_key).unwrap_or(addresses.clean);
    match (is_clean, flag(&addresses.slash_key)) {
        (true, None) => UrlStyle::Clean,
        (true, Some(true)) => UrlStyle::CleanSlashed,
        (true, Some(false)) => UrlStyle::CleanSlashless,
        (false, Some(false)) => UrlStyle::KeepSlashless,
        (false, _) => UrlStyle::Keep,
    }
}

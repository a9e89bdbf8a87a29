//! Determines the URL style of the host, including what the host's own settings define.

use super::host_settings::{HostPlaces, HostSettings};
use crate::settings::UrlStyle;
use page_sources::generator::HostModel;
use page_sources::located_values::{SettingData, SettingValue};

/// Returns the URL style of a host.
pub(super) fn form_at(host: &HostModel, places: HostPlaces<'_>) -> UrlStyle {
    let addresses = &host.addresses;
    let settings = HostSettings::read(host, places);
    let value = |key: &Option<String>| settings.as_ref()?.value(key.as_ref()?);
    let flag = |key: &Option<String>| match value(key)?.data {
        SettingData::Flag(flag) => Some(flag),
        _ => None,
    };
    if let Some(handling) = value(&addresses.handling_key).and_then(SettingValue::as_text) {
        return handled(handling);
    }
    let is_clean = flag(&addresses.clean_key).unwrap_or(addresses.clean);
    match (is_clean, flag(&addresses.slash_key)) {
        (true, None) => UrlStyle::Clean,
        (true, Some(true)) => UrlStyle::CleanSlashed,
        (true, Some(false)) => UrlStyle::CleanSlashless,
        (false, Some(false)) => UrlStyle::KeepSlashless,
        (false, Some(true)) => UrlStyle::KeepSlashed,
        (false, None) => UrlStyle::Keep,
    }
}

/// The URL style for a value of `html_handling`
/// (developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling).
fn handled(handling: &str) -> UrlStyle {
    match handling {
        "force-trailing-slash" => UrlStyle::CleanSlashed,
        "drop-trailing-slash" => UrlStyle::CleanSlashless,
        "none" => UrlStyle::Exact,
        _ => UrlStyle::Clean,
    }
}

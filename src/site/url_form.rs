//! Determines the URL style of the host, including what the host's own settings define.

use std::path::Path;

use super::host_dirs::HostDirs;
use crate::settings::UrlStyle;
use located_values::{SettingData, SettingValue, Syntax};
use page_sources::generator::HostModel;
use site_paths::containment::Containment;

/// Returns the URL style of a host, whose settings may be in these directories.
///
/// A missing or unreadable settings file is ignored here; reading its rules reports it.
pub(super) fn form_at(host: &HostModel, dirs: &HostDirs) -> UrlStyle {
    let addresses = &host.addresses;
    let mut files = addresses.files.iter();
    let settings = files.find_map(|name| settings_at(&dirs.nearest(name)?));
    let value = |key: &Option<String>| value_at(settings.as_ref()?, key.as_ref()?);
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
        (false, _) => UrlStyle::Keep,
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

/// Reads a settings file in TOML or JSON, which may have comments.
pub(super) fn settings_at(file: &Path) -> Option<SettingValue> {
    let dir = file.parent()?;
    let text = Containment::of_site(dir).read_text(file).ok()?;
    let is_toml = file
        .extension()
        .is_some_and(|extension| extension == "toml");
    let parsed = if is_toml {
        Syntax::Toml.parse(&text)
    } else {
        Syntax::Json.parse(&without_comments(&text))
    };
    parsed.ok()
}

/// Follows a path of keys such as `assets.html_handling`.
pub(super) fn value_at<'v>(settings: &'v SettingValue, path: &str) -> Option<&'v SettingValue> {
    path.split('.')
        .try_fold(settings, |value, key| value.get(key))
}

/// Replaces the comments and trailing commas of a `.jsonc` file.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if character == '"' {
            end_of_string(rest)
        } else if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[length..];
            continue;
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
            rest = &rest[length..];
            continue;
        } else {
            character.len_utf8()
        };
        if matches!(character, '}' | ']') && out.trim_end().ends_with(',') {
            out.truncate(out.trim_end().len() - 1);
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |&(at, character): &(usize, char)| {
        let is_end = at > 0 && character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    };
    text.char_indices()
        .find(is_end)
        .map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_removed() {
        let text = "{ // a\n \"a\": \"//\\\"\", /* b, */ \"c\": [1, ], }";
        let expected = "{ \n \"a\": \"//\\\"\",  \"c\": [1]}";
        assert_eq!(without_comments(text), expected);
    }
}

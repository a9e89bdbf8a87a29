//! Reads values of a host's own settings: of the site that has this output.

use std::path::{Path, PathBuf};

use super::host_dirs::HostDirs;
use crate::hosts::firebase_hosting;
use page_sources::generator::HostModel;
use page_sources::located_values::{SettingData, SettingValue, Syntax};
use regex::Regex;
use sitemaps::site_paths::containment::Containment;
use sitemaps::site_paths::io_failure::FailureLog;

/// Where the settings of a host are.
#[derive(Debug, Clone, Copy)]
pub(super) struct HostPlaces<'p> {
    /// The directories that may have the host's files.
    pub(super) dirs: &'p HostDirs,
    /// The output directory.
    pub(super) output: &'p Path,
}

/// The settings of a host.
pub(super) struct HostSettings {
    root: SettingValue,
    /// The output directory, relative to that of the file.
    output: Option<PathBuf>,
}

impl HostSettings {
    /// Reads the first of the host's settings files that exists.
    ///
    /// A missing or unreadable file is ignored here; reading its rules reports it.
    pub(super) fn read(host: &HostModel, places: HostPlaces<'_>) -> Option<Self> {
        let failures = places.dirs.failures();
        host.addresses.files.iter().find_map(|name| {
            let file = places.dirs.nearest(name)?;
            Some(Self {
                root: settings_at(&file, failures)?,
                output: relative_output(&file, places.output, failures),
            })
        })
    }

    /// The value of a key such as `assets.html_handling`.
    pub(super) fn value(&self, key: &str) -> Option<&SettingValue> {
        key.split('.').try_fold(&self.root, |value, key| {
            let next = value.get(key)?;
            match next.data {
                SettingData::List(_) => firebase_hosting(next, self.output.as_deref()),
                _ => Some(next),
            }
        })
    }
}

/// The output directory, relative to the directory of a file.
pub(super) fn relative_output(
    file: &Path,
    output: &Path,
    failures: &FailureLog,
) -> Option<PathBuf> {
    let dir = failures.resolved(file.parent()?)?;
    let below = failures.resolved(output)?;
    below.strip_prefix(dir).map(Path::to_owned).ok()
}

/// The error pages that a host serves besides the usual ones.
pub(super) fn error_pages<'h>(host: &'h HostModel, places: HostPlaces<'h>) -> &'h [String] {
    let pages = &host.error_pages;
    let applies = pages.key.as_ref().is_none_or(|key| {
        let settings = HostSettings::read(host, places);
        let value = settings
            .as_ref()
            .and_then(|settings| settings.value(key)?.as_text());
        value == pages.is.as_deref()
    });
    if applies { &pages.globs } else { &[] }
}

/// Reads a settings file in TOML or JSON, which may have comments.
pub(super) fn settings_at(file: &Path, failures: &FailureLog) -> Option<SettingValue> {
    let dir = file.parent()?;
    let text = Containment::of_logged_site(dir, failures)
        .read_text(file)
        .ok()?;
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

/// Replaces the comments and trailing commas of a `.jsonc` file.
fn without_comments(text: &str) -> String {
    let comment = Regex::new(r#"("(?:\\.|[^"\\])*")|//[^\n]*|/\*(?s:.*?)\*/"#);
    let comma = Regex::new(r#"("(?:\\.|[^"\\])*")|,([ \t\r\n]*[}\]])"#);
    let comment = comment.expect("a valid expression");
    let comma = comma.expect("a valid expression");
    let text = comment.replace_all(text, "$1");
    comma.replace_all(&text, "$1$2").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_removed() {
        let text = "{ // a\n \"a\": \"//\\\"\", /* b, */ \"c\": [1, ], }";
        let expected = "{ \n \"a\": \"//\\\"\",  \"c\": [1 ] }";
        assert_eq!(without_comments(text), expected);
    }
}

//! The languages of a site: codes, output directories and base URLs.

use super::own_config::OwnConfig;
use super::profile::{Generator, LanguageKeys};

/// The languages in a generator's settings.
#[derive(Debug, Default)]
pub(super) struct Languages<'a> {
    keys: Option<&'a LanguageKeys>,
    default: Option<&'a str>,
    codes: Vec<&'a str>,
    all_in_subdirs: bool,
    multihost: bool,
}

impl<'a> Languages<'a> {
    pub(super) fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        let Some(keys) = &generator.languages else {
            return Self::default();
        };
        let codes = config.keys(&keys.table_key);
        let has_address = |code: &&str| {
            keys.base_url_key
                .as_ref()
                .is_some_and(|key| language_setting(keys, config, code, key).is_some())
        };
        let multihost = codes.iter().any(has_address);
        let in_subdir = keys
            .default_in_subdir_key
            .as_ref()
            .is_some_and(|key| config.is_on(key));
        Self {
            keys: Some(keys),
            default: Some(config.text(&keys.default_key).unwrap_or("en")),
            codes,
            all_in_subdirs: multihost || in_subdir,
            multihost,
        }
    }

    /// Whether each language is a site with its own host, so that its output directory is a site
    /// root.
    pub(super) fn have_hosts(&self) -> bool {
        self.multihost
    }

    /// The language codes as the settings spell them.
    pub(super) fn codes(&self) -> &[&'a str] {
        &self.codes
    }

    /// The language with this code, ignoring case.
    pub(super) fn known(&self, code: &str) -> Option<&'a str> {
        self.codes
            .iter()
            .chain(&self.default)
            .copied()
            .find(|known| known.eq_ignore_ascii_case(code))
    }

    /// The default language if a file names no language.
    pub(super) fn or_default<'l>(&self, language: Option<&'l str>) -> &'l str
    where
        'a: 'l,
    {
        language.or(self.default).unwrap_or_default()
    }

    /// The output directory of a language, with a trailing `/`. Empty for the default language,
    /// unless the site also puts that into a subdirectory.
    pub(super) fn prefix(&self, language: &str) -> String {
        let is_default = self
            .default
            .is_none_or(|default| default.eq_ignore_ascii_case(language));
        if language.is_empty() || is_default && !self.all_in_subdirs {
            return String::new();
        }
        self.keys
            .map(|keys| keys.output_dir_of(language))
            .unwrap_or_default()
    }

    /// The content directory that the settings give a language.
    pub(super) fn content_dir(&self, config: &'a OwnConfig, code: &str) -> Option<&'a str> {
        language_setting(self.keys?, config, code, self.keys?.content_key.as_ref()?)
    }

    /// The base URL that the settings give a language.
    pub(super) fn base_url(&self, config: &'a OwnConfig, code: &str) -> Option<&'a str> {
        language_setting(self.keys?, config, code, self.keys?.base_url_key.as_ref()?)
    }
}

fn language_setting<'a>(
    keys: &LanguageKeys,
    config: &'a OwnConfig,
    code: &str,
    key: &str,
) -> Option<&'a str> {
    config.text(&format!("{}.{code}.{key}", keys.table_key))
}

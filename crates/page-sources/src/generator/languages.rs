//! The languages of a site: codes, output directories and base URLs.

use std::borrow::Cow;

use serde_json::Value;

use super::language_keys::{LanguageKeys, LanguagePlugin};
use super::own_config::OwnConfig;
use super::profile::Generator;

/// The languages in a generator's settings.
#[derive(Debug, Default)]
pub(super) struct Languages<'a> {
    keys: Option<&'a LanguageKeys>,
    default: Option<&'a str>,
    codes: Vec<&'a str>,
    all_in_subdirs: bool,
    multihost: bool,
    plugin: Option<PluginLanguages<'a>>,
}

/// The languages in the options of a plugin.
#[derive(Debug)]
struct PluginLanguages<'a> {
    codes: Vec<&'a str>,
    default: Option<&'a str>,
    /// Whether each language has a content directory of its own.
    in_dirs: bool,
    /// Whether pages that are not translated are written in the default language.
    fall_back: bool,
}

impl<'a> PluginLanguages<'a> {
    fn read(spec: &LanguagePlugin, config: &'a OwnConfig) -> Option<Self> {
        let options = config.listed(&spec.key, &spec.name)?;
        let listed = options.get(&spec.languages)?.as_array()?;
        let code = |language: &'a Value| language.get(&spec.code)?.as_str();
        let is_default =
            |language: &&Value| language.get(&spec.is_default) == Some(&Value::Bool(true));
        let (in_dirs, value) = &spec.in_dirs;
        let has_dirs = options.get(in_dirs).and_then(Value::as_str) == Some(value);
        Some(Self {
            codes: listed.iter().filter_map(code).collect(),
            default: listed.iter().find(is_default).and_then(code),
            in_dirs: has_dirs,
            fall_back: options.get(&spec.fallback) != Some(&Value::Bool(false)),
        })
    }
}

impl<'a> Languages<'a> {
    pub(super) fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        let Some(keys) = &generator.languages else {
            return Self::default();
        };
        let plugin = keys.plugin.as_ref();
        let plugin = plugin.and_then(|plugin| PluginLanguages::read(plugin, config));
        let codes = match &plugin {
            Some(plugin) => plugin.codes.clone(),
            None if keys.plugin.is_some() => return Self::default(),
            None => config.keys(&keys.table_key),
        };
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
            default: match &plugin {
                Some(plugin) => plugin.default,
                None => Some(config.text(&keys.default_key).unwrap_or("en")),
            },
            codes,
            all_in_subdirs: multihost || in_subdir,
            multihost,
            plugin,
        }
    }

    /// The output directories of the languages in which a page of this language is also written if it
    /// is not translated.
    pub(super) fn fallbacks(&self, language: &str) -> Vec<String> {
        let plugin = self.plugin.as_ref().filter(|plugin| plugin.fall_back);
        let of_default = plugin.filter(|_| self.default == Some(language));
        let codes = of_default.map_or(&[][..], |_| &self.codes);
        let others = codes.iter().filter(|code| **code != language);
        others.map(|code| self.prefix(code)).collect()
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

    /// The content directory that the settings give a language; `base` is that of all languages.
    pub(super) fn content_dir(
        &self,
        config: &'a OwnConfig,
        code: &str,
        base: &str,
    ) -> Option<Cow<'a, str>> {
        if self.plugin.as_ref().is_some_and(|plugin| plugin.in_dirs) {
            return Some(format!("{base}/{code}").into());
        }
        let key = self.keys?.content_key.as_ref()?;
        language_setting(self.keys?, config, code, key).map(Cow::Borrowed)
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

//! The languages of a site: codes, output directories and base URLs.

use std::borrow::Cow;

use serde_json::Value;

use super::condition::Condition;
use super::language_keys::LanguageKeys;
use super::own_config::OwnConfig;
use super::profile::Generator;

/// The default language of generators whose settings do not name one.
const USUAL_DEFAULT: &str = "en";

/// The languages in a generator's settings.
#[derive(Debug, Default)]
pub(super) struct Languages<'a> {
    keys: Option<&'a LanguageKeys>,
    /// The settings keys of the base URL and of the content directory, which the table of a language
    /// may set.
    base_url: Option<&'a str>,
    content_dirs: Vec<&'a str>,
    default: Option<&'a str>,
    codes: Vec<&'a str>,
    /// Whether each language, including the default one, has an output directory.
    all_in_dirs: bool,
    /// Whether each language has a directory in the content directory.
    content_in_dirs: bool,
    multihost: bool,
}

impl<'a> Languages<'a> {
    pub(super) fn new(generator: &'a Generator, config: &'a OwnConfig) -> Self {
        let Some(keys) = &generator.languages else {
            return Self::default();
        };
        let Some((default, codes)) = default_and_codes(keys, config) else {
            return Self::default();
        };
        // In an array, languages have no keys of the site.
        let site = Some(generator).filter(|_| keys.code.is_none());
        let base_url = site.and_then(|site| site.base_url.as_slice().first());
        let base_url = base_url.map(String::as_str);
        let root = site.and_then(|site| site.roots.first());
        let has_base_url = |code: &&str| {
            let own = base_url.map(|key| keys.key_of(code, key));
            own.is_some_and(|key| config.text(&key).is_some())
        };
        let multihost = codes.iter().any(has_base_url);
        let is_met = |condition: &Option<Condition>| {
            condition
                .as_ref()
                .is_some_and(|condition| config.meets(condition))
        };
        Self {
            keys: Some(keys),
            base_url,
            content_dirs: root.map_or_else(Vec::new, |root| root.dir.keys().collect()),
            default,
            codes,
            all_in_dirs: multihost || is_met(&keys.all_in_dirs_if),
            content_in_dirs: is_met(&keys.content_in_dirs_if),
            multihost,
        }
    }

    /// The output directories of the languages in which a page of this language is also written if it
    /// is not translated.
    pub(super) fn fallbacks(&self, language: &str) -> Vec<String> {
        let falls_back = self.keys.is_some_and(|keys| keys.writes_untranslated);
        if !falls_back || self.default != Some(language) {
            return Vec::new();
        }
        let others = self.codes.iter().filter(|code| **code != language);
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

    /// The language of a file, which may name one.
    pub(super) fn or_default<'l>(&self, language: Option<&'l str>) -> &'l str
    where
        'a: 'l,
    {
        let otherwise = self.without_dir().or(self.default);
        language.or(otherwise).unwrap_or_default()
    }

    fn without_dir(&self) -> Option<&'a str> {
        self.keys?.without_dir.as_deref()
    }

    /// The output directory of a language, with a trailing `/`. Empty for the default language,
    /// unless the site also puts that into a subdirectory.
    pub(super) fn prefix(&self, language: &str) -> String {
        let is_default = self
            .default
            .is_none_or(|default| default.eq_ignore_ascii_case(language));
        let has_none = is_default && !self.all_in_dirs || self.without_dir() == Some(language);
        if language.is_empty() || has_none {
            return String::new();
        }
        self.keys
            .map(|keys| keys.output_dir_of(language))
            .unwrap_or_default()
    }

    /// The content directory of a language, if it has its own; `base` is that of all languages.
    pub(super) fn content_dir(
        &self,
        config: &'a OwnConfig,
        code: &str,
        base: &str,
    ) -> Option<Cow<'a, str>> {
        if self.content_in_dirs && self.without_dir() != Some(code) {
            return Some(format!("{base}/{code}").into());
        }
        let mut keys = self.content_dirs.iter();
        keys.find_map(|key| self.setting(config, code, key))
            .map(Cow::Borrowed)
    }

    /// The base URL that the settings give a language.
    pub(super) fn base_url(&self, config: &'a OwnConfig, code: &str) -> Option<&'a str> {
        self.setting(config, code, self.base_url?)
    }

    /// The settings key of the base URL of a language.
    pub(super) fn base_url_key(&self, code: &str) -> Option<String> {
        Some(self.keys?.key_of(code, self.base_url?))
    }

    fn setting(&self, config: &'a OwnConfig, code: &str, key: &str) -> Option<&'a str> {
        config.text(&self.keys?.key_of(code, key))
    }
}

/// The default language and the codes of all languages; `None` if the settings lack the array that
/// lists them.
fn default_and_codes<'a>(
    keys: &'a LanguageKeys,
    config: &'a OwnConfig,
) -> Option<(Option<&'a str>, Vec<&'a str>)> {
    let Some(code_key) = &keys.code else {
        let usual = keys.without_dir.as_deref().unwrap_or(USUAL_DEFAULT);
        let default = config.text(&keys.default).unwrap_or(usual);
        let codes = config.keys(&keys.list);
        let listed = codes.iter().find(|code| code.eq_ignore_ascii_case(default));
        return Some((Some(listed.copied().unwrap_or(default)), codes));
    };
    let listed = config.get(&keys.list)?.as_array()?;
    let code = |language: &'a Value| language.get(code_key)?.as_str();
    let is_default = |language: &&Value| language.get(&keys.default) == Some(&Value::Bool(true));
    let default = listed.iter().find(is_default).and_then(code);
    Some((default, listed.iter().filter_map(code).collect()))
}

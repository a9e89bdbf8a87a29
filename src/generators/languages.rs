//! The languages of a site: codes, output directories and base URLs.

use serde::Deserialize;
use serde_json::Value;

use super::{Condition, OwnConfig};

/// The default language of generators whose settings do not name one.
const USUAL_DEFAULT: &str = "en";

/// The table `languages` of a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// The settings key of the languages: a table with their codes as keys, or an array of tables.
    pub list: String,
    /// The settings key of the default language, or in an array the key that marks it.
    pub default: String,
    /// Whether only an array names languages.
    #[serde(default)]
    are_listed: bool,
    /// The code of the language of files that name none, whose pages are not in a directory.
    root: Option<String>,
    /// The key, in the table of a language, of the base URL of its own host.
    base_url: Option<String>,
    /// The key, in the table of a language, of its content directory.
    content_dir: Option<String>,
    /// Whether output directories are in lower case.
    #[serde(default)]
    folds_dirs: bool,
    /// The setting that gives each language, including the default one, an output directory.
    all_in_dirs_if: Option<Condition>,
    /// The setting that gives each language a directory in the content directory.
    content_in_dirs_if: Option<Condition>,
    /// Whether a page of the default language is also written in those in which it is not
    /// translated.
    #[serde(default)]
    falls_back: bool,
}

/// The languages in a generator's settings.
#[derive(Debug, Default)]
pub(super) struct Languages<'a> {
    keys: Option<&'a LanguageKeys>,
    default: Option<&'a str>,
    /// The language codes as the settings spell them.
    pub(super) codes: Vec<&'a str>,
    /// Whether each language, including the default one, has an output directory.
    all_in_dirs: bool,
    /// Whether each language has a directory in the content directory.
    content_in_dirs: bool,
    /// Whether each language is a site with its own host, so that its output directory is a site
    /// root.
    pub(super) have_hosts: bool,
}

impl<'a> Languages<'a> {
    /// The languages at these keys.
    pub(super) fn read(keys: &'a LanguageKeys, config: &'a OwnConfig) -> Self {
        let (default, codes) = if let Some(Value::Array(listed)) = config.get(&keys.list) {
            let (mut default, mut codes) = (None, Vec::new());
            for language in listed {
                let code = language.get("locale").and_then(Value::as_str);
                if default.is_none() && language.get(&keys.default) == Some(&true.into()) {
                    default = Some(code);
                }
                codes.extend(code);
            }
            (default.flatten(), codes)
        } else if keys.are_listed {
            return Self::default();
        } else {
            let default = config.text(&keys.default).or(keys.root.as_deref());
            (default.or(Some(USUAL_DEFAULT)), config.keys(&keys.list))
        };
        let mut languages = Self {
            keys: Some(keys),
            codes,
            ..Self::default()
        };
        languages.default = default.and_then(|code| languages.known(code)).or(default);
        languages.have_hosts = languages
            .codes
            .iter()
            .any(|code| languages.base_url(config, code).is_some());
        languages.all_in_dirs =
            languages.have_hosts || config.meets_set(keys.all_in_dirs_if.as_ref());
        languages.content_in_dirs = config.meets_set(keys.content_in_dirs_if.as_ref());
        languages
    }

    /// The output directories of the languages in which a page of this language is also written if it
    /// is not translated.
    pub(super) fn fallbacks(&self, language: &str) -> Vec<String> {
        if !self.keys.is_some_and(|keys| keys.falls_back) || self.default != Some(language) {
            return Vec::new();
        }
        self.codes
            .iter()
            .filter(|code| **code != language)
            .map(|code| self.prefix(code))
            .collect()
    }

    /// The language with this code, ignoring case.
    pub(super) fn known(&self, code: &str) -> Option<&'a str> {
        self.codes
            .iter()
            .chain(&self.default)
            .copied()
            .find(|known| known.eq_ignore_ascii_case(code))
    }

    fn root(&self) -> Option<&'a str> {
        self.keys?.root.as_deref()
    }

    /// The language of a file, which may name one.
    pub(super) fn or_default<'l>(&self, language: Option<&'l str>) -> &'l str
    where
        'a: 'l,
    {
        language
            .or_else(|| self.root())
            .or(self.default)
            .unwrap_or_default()
    }

    /// The output directory of a language, with a trailing `/`. Empty for the default language,
    /// unless the site also puts that into a subdirectory.
    pub(super) fn prefix(&self, language: &str) -> String {
        let is_default = self
            .default
            .is_none_or(|default| default.eq_ignore_ascii_case(language));
        let has_none = is_default && !self.all_in_dirs;
        if language.is_empty() || has_none || self.root() == Some(language) {
            String::new()
        } else if self.keys.is_some_and(|keys| keys.folds_dirs) {
            format!("{}/", language.to_lowercase())
        } else {
            format!("{language}/")
        }
    }

    /// The content directory of a language, if it has its own; `base` is that of all languages.
    pub(super) fn content_dir(&self, config: &OwnConfig, code: &str, base: &str) -> Option<String> {
        if self.content_in_dirs && self.root() != Some(code) {
            return Some(format!("{base}/{code}"));
        }
        let key = self.keys?.content_dir.as_deref()?;
        config.text(&self.key_of(code, key)).map(str::to_owned)
    }

    /// The base URL that the settings give a language, and its key.
    pub(super) fn base_url<'c>(
        &self,
        config: &'c OwnConfig,
        code: &str,
    ) -> Option<(String, &'c str)> {
        let key = self.key_of(code, self.keys?.base_url.as_deref()?);
        let base_url = config.text(&key)?;
        Some((key, base_url))
    }

    /// The settings key of a setting of one language.
    fn key_of(&self, code: &str, key: &str) -> String {
        let list = self.keys.map_or("", |keys| &keys.list);
        format!("{list}.{code}.{key}")
    }
}

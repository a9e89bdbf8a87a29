//! The languages of a site: codes, output directories and base URLs.

use serde_json::Value;

use super::content_keys::LanguageKeys;
use super::own_config::OwnConfig;
use super::profile::Generator;

/// The default language of generators whose settings do not name one.
const USUAL_DEFAULT: &str = "en";

/// The code of Starlight's language whose pages are not in a directory.
const STARLIGHT_ROOT: &str = "root";

/// Hugo's key of the base URL, which the table of a language may set.
const HUGO_BASE_URL: &str = "baseURL";

/// The languages in a generator's settings.
#[derive(Debug, Default)]
pub(super) struct Languages<'a> {
    generator: &'a str,
    list: &'a str,
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
        let (default, codes) = match config.get(&keys.list) {
            Some(Value::Array(listed)) => {
                let code = |language: &'a Value| language.get("locale")?.as_str();
                let is_default =
                    |language: &&Value| language.get(&keys.default) == Some(&true.into());
                let default = listed.iter().find(is_default).and_then(code);
                (default, listed.iter().filter_map(code).collect())
            }
            _ if generator.name == "mkdocs" => return Self::default(),
            _ => default_and_codes(generator, keys, config),
        };
        let mut languages = Self {
            generator: &generator.name,
            list: &keys.list,
            default,
            codes,
            ..Self::default()
        };
        let mut codes = languages.codes.iter();
        languages.multihost = codes.any(|code| languages.base_url(config, code).is_some());
        (languages.all_in_dirs, languages.content_in_dirs) = match &*generator.name {
            "hugo" => {
                let is_on = config.is_on("defaultContentLanguageInSubdir");
                (languages.multihost || is_on, false)
            }
            "mkdocs" => {
                let structure = config.text("plugins.i18n.docs_structure");
                (false, structure == Some("folder"))
            }
            "astro" => [config.get(&keys.list).is_some(); 2].into(),
            _ => (false, false),
        };
        languages
    }

    /// The output directories of the languages in which a page of this language is also written if it
    /// is not translated.
    pub(super) fn fallbacks(&self, language: &str) -> Vec<String> {
        let falls_back = matches!(self.generator, "mkdocs" | "astro");
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
        let mut known = self.codes.iter().chain(&self.default).copied();
        known.find(|known| known.eq_ignore_ascii_case(code))
    }

    /// The language of a file, which may name one. Starlight's files outside of the directories of
    /// languages have one of their own.
    pub(super) fn or_default<'l>(&self, language: Option<&'l str>) -> &'l str
    where
        'a: 'l,
    {
        let of_others = match self.generator {
            "astro" => Some(STARLIGHT_ROOT),
            _ => self.default,
        };
        language.or(of_others).unwrap_or_default()
    }

    /// The output directory of a language, with a trailing `/`. Empty for the default language,
    /// unless the site also puts that into a subdirectory.
    pub(super) fn prefix(&self, language: &str) -> String {
        let default = self.default;
        let is_default = default.is_none_or(|default| default.eq_ignore_ascii_case(language));
        let has_none = is_default && !self.all_in_dirs || self.is_root(language);
        match self.generator {
            _ if language.is_empty() || has_none => String::new(),
            "hugo" | "astro" => format!("{}/", language.to_lowercase()),
            _ => format!("{language}/"),
        }
    }

    fn is_root(&self, language: &str) -> bool {
        self.generator == "astro" && language == STARLIGHT_ROOT
    }

    /// The content directory of a language, if it has its own; `base` is that of all languages.
    pub(super) fn content_dir(&self, config: &OwnConfig, code: &str, base: &str) -> Option<String> {
        if self.content_in_dirs && !self.is_root(code) {
            return Some(format!("{base}/{code}"));
        }
        let own = config.text(&self.key_of(code, "contentDir"))?;
        Some(own.to_owned()).filter(|_| self.generator == "hugo")
    }

    /// The base URL that Hugo's settings give a language.
    pub(super) fn base_url<'c>(&self, config: &'c OwnConfig, code: &str) -> Option<&'c str> {
        let own = config.text(&self.base_url_key(code))?;
        Some(own).filter(|_| self.generator == "hugo")
    }

    /// The settings key of the base URL of a language.
    pub(super) fn base_url_key(&self, code: &str) -> String {
        self.key_of(code, HUGO_BASE_URL)
    }

    /// The settings key of a setting of one language.
    pub(super) fn key_of(&self, code: &str, key: &str) -> String {
        format!("{}.{code}.{key}", self.list)
    }
}

/// The default language and the codes of all languages in a table.
fn default_and_codes<'a>(
    generator: &Generator,
    keys: &'a LanguageKeys,
    config: &'a OwnConfig,
) -> (Option<&'a str>, Vec<&'a str>) {
    let usual = match &*generator.name {
        "astro" => STARLIGHT_ROOT,
        _ => USUAL_DEFAULT,
    };
    let default = config.text(&keys.default).unwrap_or(usual);
    let codes = config.keys(&keys.list);
    let listed = codes.iter().find(|code| code.eq_ignore_ascii_case(default));
    (Some(listed.copied().unwrap_or(default)), codes)
}

//! The type of the table `languages` of a generator: where its settings name the languages of a site,
//! and how these appear in names and URLs.

use serde::Deserialize;

/// How languages appear in names and URLs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// The settings key of the default language.
    #[serde(default)]
    pub default_key: String,
    /// The settings table of the languages.
    #[serde(default)]
    pub table_key: String,
    /// The plugin whose settings list the languages, instead of a table.
    pub plugin: Option<LanguagePlugin>,
    /// The settings key that puts the default language into a subdirectory too.
    pub default_in_subdir_key: Option<String>,
    /// The key of the content directory in a language's table.
    pub content_key: Option<String>,
    /// The key of the base URL in a language's table. With it, each language is a separate site.
    pub base_url_key: Option<String>,
    /// Whether a language's output directory is its code in lower case; otherwise the code is used
    /// as spelled.
    #[serde(default)]
    pub lower_case_folders: bool,
}

/// A plugin whose options list the languages of a site.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguagePlugin {
    /// The settings key of the plugins.
    pub key: String,
    /// The name of the plugin.
    pub name: String,
    /// The option that lists the languages.
    pub languages: String,
    /// The key of a language's code.
    pub code: String,
    /// The key that marks the default language.
    pub is_default: String,
    /// The option that selects a directory for each language, and its value.
    pub in_dirs: (String, String),
    /// The option that turns off pages of the default language for those that are not translated.
    pub fallback: String,
}

impl LanguageKeys {
    /// The output directory of a language, with a trailing `/`.
    pub fn output_dir_of(&self, code: &str) -> String {
        if self.lower_case_folders {
            format!("{}/", code.to_lowercase())
        } else {
            format!("{code}/")
        }
    }
}

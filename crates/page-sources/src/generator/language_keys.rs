//! The type of the table `languages` of a generator: where its settings name the languages of a site,
//! and how these appear in names and URLs.

use serde::Deserialize;

use super::condition::Condition;

/// How languages appear in names and URLs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// The settings key of the languages: a table with their codes as keys, whose entries may set
    /// the content directory and the base URL of a language, or an array of tables.
    pub list: String,
    /// The settings key of the default language, or in an array the key that marks it.
    pub default: String,
    /// The key of a language's code in an array.
    pub code: Option<String>,
    /// The code of the language of all files outside of the directories of languages. It is the
    /// default language if the settings name none.
    pub without_dir: Option<String>,
    /// Whether pages that are not translated are written in all languages.
    #[serde(default)]
    pub writes_untranslated: bool,
    /// The setting that puts the default language into a subdirectory too.
    pub all_in_dirs_if: Option<Condition>,
    /// The setting that gives each language a directory in the content directory.
    pub content_in_dirs_if: Option<Condition>,
    /// Whether a language's output directory is its code in lower case; otherwise the code is used
    /// as spelled.
    #[serde(default)]
    pub lower_case_dirs: bool,
}

impl LanguageKeys {
    /// The output directory of a language, with a trailing `/`.
    pub fn output_dir_of(&self, code: &str) -> String {
        if self.lower_case_dirs {
            format!("{}/", code.to_lowercase())
        } else {
            format!("{code}/")
        }
    }

    /// The settings key of a setting of one language.
    pub fn key_of(&self, code: &str, key: &str) -> String {
        format!("{}.{code}.{key}", self.list)
    }
}

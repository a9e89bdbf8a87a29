//! Texts of a manifest, some of which are values of a generator's settings: `["$dir.output", "_site"]`.

use serde::Deserialize;

/// The mark of a settings key.
const KEY: char = '$';

/// A string or an array of strings. `$key` means the value of that settings key, and any other
/// string means itself. The value of the first key that is set replaces all other strings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct SettingTexts(Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or an array of strings")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for SettingTexts {
    fn from(written: OneOrMore) -> Self {
        Self(match written {
            OneOrMore::One(text) => vec![text],
            OneOrMore::More(texts) => texts,
        })
    }
}

impl SettingTexts {
    /// The settings keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|text| text.strip_prefix(KEY))
    }

    /// The strings that are not settings keys.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        let texts = self.0.iter().map(String::as_str);
        texts.filter(|text| !text.starts_with(KEY))
    }

    /// The first string that is not a settings key; empty if there is none.
    pub fn default_text(&self) -> &str {
        self.literals().next().unwrap_or_default()
    }
}

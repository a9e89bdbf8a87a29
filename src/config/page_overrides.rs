//! What a page says of its place in the sitemap in its own front matter: a table goes in, checked values come out.
//!
//! The tables are few and small, and most are right: they are read from what the front matter was parsed to, which has no
//! places, and only a text with a mistake in it is parsed once more, with the places of its values.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use super::keys::PAGE_KEYS;
use super::mistake::{Mistake, SettingOrigin};
use super::reader::LayerReader;
use super::syntax::Syntax;
use super::value::{SettingData, SettingEntry, SettingValue};
use crate::rules::{ChangeFreq, Priority};

/// What a page says of its own entry; it stands above every rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PageOverrides {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written; it was checked to be one.
    pub lastmod: Option<String>,
    /// Whether it is left out.
    pub exclude: Option<bool>,
}

/// A table of front matter in which a page may say it.
#[derive(Debug, Clone, Copy)]
pub struct PageTable<'t> {
    /// Its dotted path: `extra.waypost`.
    pub path: &'t str,
    /// What `exclude` is called in it: `disable` in Hugo's own.
    pub exclude_key: &'t str,
    /// Keys in it that are not for us.
    pub foreign_keys: &'t [String],
    /// Who says what may stand in it.
    pub owner: TableOwner,
}

/// Whose a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableOwner {
    /// Ours.
    Waypost,
    /// The generator's own, to which `null`, an empty text and a negative priority say nothing, `"0.5"` is a number, and
    /// `1` and `"T"` are switches that are on.
    Generator,
}

impl PageTable<'_> {
    /// The table in front matter.
    fn entries<'v>(&self, front_matter: &'v SettingValue) -> Option<&'v SettingValue> {
        self.path
            .split('.')
            .try_fold(front_matter, |value, name| match &value.data {
                SettingData::Table(entries) => entries
                    .iter()
                    .find(|entry| entry.key.eq_ignore_ascii_case(name))
                    .map(|entry| &entry.value),
                _ => None,
            })
    }

    fn read(&self, table: &SettingValue, words: &mut PageOverrides, reader: &mut LayerReader<'_>) {
        reader.turn_to(self.path);
        for entry in reader.table(table).unwrap_or_default() {
            reader.turn_to(&format!("{}.{}", self.path, entry.key));
            let is_exclude = entry.key.eq_ignore_ascii_case(self.exclude_key);
            let name = if is_exclude {
                "exclude"
            } else {
                entry.key.as_str()
            };
            let value = match self.owner {
                TableOwner::Waypost => Some(Cow::Borrowed(&entry.value)),
                TableOwner::Generator if says_nothing(&entry.value) => None,
                TableOwner::Generator if is_exclude => Some(switch(&entry.value)),
                TableOwner::Generator => meaning(&entry.value),
            };
            let Some(value) = value else { continue };
            match PAGE_KEYS
                .iter()
                .find(|key| key.name.eq_ignore_ascii_case(name))
            {
                Some(key) => {
                    (key.set)(words, &value, reader);
                }
                None if self
                    .foreign_keys
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(&entry.key)) => {}
                None => self.unknown(entry, reader),
            }
        }
    }

    fn unknown(&self, entry: &SettingEntry, reader: &mut LayerReader<'_>) {
        let known = PAGE_KEYS.iter().map(|key| {
            if key.name == "exclude" {
                self.exclude_key
            } else {
                key.name
            }
        });
        reader.unknown_key(
            entry,
            &format!("{}.{}", self.path, entry.key),
            &known.collect::<Vec<_>>(),
            &[],
        );
    }
}

/// Whether a key of a generator's own table is as if it were not there.
fn says_nothing(value: &SettingValue) -> bool {
    match &value.data {
        SettingData::Nothing => true,
        SettingData::Text(text) => text.is_empty(),
        _ => false,
    }
}

/// What a value means in a generator's own table, where it means anything.
fn meaning(value: &SettingValue) -> Option<Cow<'_, SettingValue>> {
    let quoted = match &value.data {
        SettingData::Text(text) => text.parse().ok().map(SettingData::Number),
        _ => None,
    };
    let value = instead(value, quoted);
    // Of all keys only the priority has numbers.
    let is_unset = match value.data {
        SettingData::Whole(number) => number < 0,
        SettingData::Number(number) => number < 0.0,
        _ => false,
    };
    (!is_unset).then_some(value)
}

/// What the value of a switch means there: Go takes numbers, and of texts those of `strconv.ParseBool`.
fn switch(value: &SettingValue) -> Cow<'_, SettingValue> {
    let is_on = match &value.data {
        SettingData::Whole(number) => Some(*number != 0),
        SettingData::Text(text) => match text.as_str() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
            _ => None,
        },
        _ => None,
    };
    instead(value, is_on.map(SettingData::Flag))
}

/// A value, or what stands instead of it at its place.
fn instead(value: &SettingValue, data: Option<SettingData>) -> Cow<'_, SettingValue> {
    data.map_or(Cow::Borrowed(value), |data| {
        Cow::Owned(SettingValue {
            data,
            place: value.place,
        })
    })
}

/// What a page says, by the value of its front matter; nothing is said of what is wrong in it but that it is.
pub fn page_words(
    front_matter: &Json,
    tables: &[PageTable<'_>],
) -> Result<PageOverrides, PageOverrides> {
    let (words, mistakes) = read(
        &SettingValue::without_places(front_matter),
        tables,
        Path::new(""),
    );
    if mistakes.is_empty() {
        Ok(words)
    } else {
        Err(words)
    }
}

/// The mistakes in the front matter of a file, by its text; their places count from its beginning.
pub fn mistakes_of_page(
    text: &str,
    syntax: Syntax,
    tables: &[PageTable<'_>],
    file: &Path,
) -> Vec<Mistake> {
    // A text that is not of its language has been reported where it was first read.
    syntax
        .parse(text)
        .map_or_else(|_| Vec::new(), |value| read(&value, tables, file).1)
}

fn read(
    front_matter: &SettingValue,
    tables: &[PageTable<'_>],
    file: &Path,
) -> (PageOverrides, Vec<Mistake>) {
    let (mut words, mut mistakes) = (PageOverrides::default(), Vec::new());
    let mut reader = LayerReader::new(
        SettingOrigin::File(file.to_owned(), None),
        &[],
        &mut mistakes,
    );
    for table in tables {
        if let Some(value) = table.entries(front_matter) {
            table.read(value, &mut words, &mut reader);
        }
    }
    (words, mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: PageTable<'_> = PageTable {
        path: "extra.waypost",
        exclude_key: "exclude",
        foreign_keys: &[],
        owner: TableOwner::Waypost,
    };

    fn mistakes(text: &str) -> Vec<(String, Option<u32>)> {
        let mistakes = mistakes_of_page(text, Syntax::Toml, &[OURS], Path::new("a.md"));
        mistakes
            .into_iter()
            .map(|mistake| {
                (
                    mistake.message,
                    mistake.origin.place().map(|place| place.start),
                )
            })
            .collect()
    }

    #[test]
    fn a_page_says_everything_of_its_own_entry() {
        let text = "[extra.waypost]\npriority = 1\nchangefreq = \"daily\"\nlastmod = 2024-05-06\nexclude = false\n";
        let value: Json = toml::from_str(text).expect("TOML");
        let expected = PageOverrides {
            priority: Priority::new(1.0),
            changefreq: Some(ChangeFreq::Daily),
            lastmod: Some("2024-05-06".to_owned()),
            exclude: Some(false),
        };
        assert_eq!(page_words(&value, &[OURS]), Ok(expected));
        assert_eq!(mistakes(text), []);
    }

    #[test]
    fn another_generator_calls_it_otherwise() {
        let foreign_keys = ["filename".to_owned()];
        let owner = TableOwner::Generator;
        let hugo = PageTable {
            path: "sitemap",
            exclude_key: "disable",
            foreign_keys: &foreign_keys,
            owner,
        };
        let value = serde_json::json!({ "Sitemap": { "Disable": true, "filename": "x.xml", "priority": 0.25 } });
        let expected = PageOverrides {
            exclude: Some(true),
            priority: Priority::new(0.25),
            ..PageOverrides::default()
        };
        assert_eq!(page_words(&value, &[hugo, OURS]), Ok(expected));
    }

    #[test]
    fn what_says_nothing_to_the_generator_says_nothing_in_its_own_table() {
        let check = |value: Json, expected: Result<PageOverrides, PageOverrides>| {
            let front_matter = serde_json::json!({ "extra": { "waypost": value } });
            let table = PageTable {
                owner: TableOwner::Generator,
                ..OURS
            };
            assert_eq!(page_words(&front_matter, &[table]), expected, "{value}");
            let is_right_in_ours = page_words(&front_matter, &[OURS]).is_ok();
            assert_eq!(
                is_right_in_ours,
                value == serde_json::json!({ "priority": 0.5 }),
                "{value}"
            );
        };
        let half = PageOverrides {
            priority: Priority::new(0.5),
            ..PageOverrides::default()
        };
        let nothing = PageOverrides::default;
        check(serde_json::json!({ "priority": 0.5 }), Ok(half.clone()));
        check(serde_json::json!({ "priority": "0.5" }), Ok(half));
        check(serde_json::json!({ "priority": -1 }), Ok(nothing()));
        check(serde_json::json!({ "priority": -0.5 }), Ok(nothing()));
        check(serde_json::json!({ "priority": "-1" }), Ok(nothing()));
        check(
            serde_json::json!({ "priority": "", "changefreq": "" }),
            Ok(nothing()),
        );
        check(
            serde_json::json!({ "priority": null, "changefreq": null }),
            Ok(nothing()),
        );
        check(serde_json::json!({ "priority": 2 }), Err(nothing()));
        check(serde_json::json!({ "priority": "2" }), Err(nothing()));
        check(serde_json::json!({ "changefreq": "soon" }), Err(nothing()));
    }

    #[test]
    fn a_switch_in_the_generators_own_table_is_what_go_takes_for_one() {
        let check = |value: Json, expected: Result<Option<bool>, ()>| {
            let front_matter = serde_json::json!({ "extra": { "waypost": { "exclude": value } } });
            let table = PageTable {
                owner: TableOwner::Generator,
                ..OURS
            };
            let found = page_words(&front_matter, &[table])
                .map(|words| words.exclude)
                .map_err(|_| ());
            assert_eq!(found, expected, "{front_matter}");
        };
        for on in ["1", "t", "T", "TRUE", "true", "True"] {
            check(Json::from(on), Ok(Some(true)));
        }
        for off in ["0", "f", "F", "FALSE", "false", "False"] {
            check(Json::from(off), Ok(Some(false)));
        }
        check(Json::from(true), Ok(Some(true)));
        check(Json::from(1), Ok(Some(true)));
        check(Json::from(0), Ok(Some(false)));
        check(Json::from(""), Ok(None));
        check(Json::Null, Ok(None));
        check(Json::from("yes"), Err(()));
    }

    #[test]
    fn every_mistake_has_its_place() {
        let text = "[extra.waypost]\npriority = 2\nexcludes = true\n";
        let found = mistakes(text);
        let places: Vec<_> = found.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [Some(27), Some(29)]);
        assert_eq!(found[1].0, "unknown key `extra.waypost.excludes`");
        assert_eq!(mistakes("[extra]\nwaypost = 1\n").len(), 1);
    }
}

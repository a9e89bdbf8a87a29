//! Reads the sitemap settings of a page from its front matter.
//!
//! The tables are few, small and mostly correct. So they are read from the parsed front matter,
//! which has no places, and the text is parsed again with places only if it contains a mistake.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::mistake::{Mistake, SettingOrigin};
use super::value_reader::ValueReader;
use crate::settings::fixed_date;
use page_sources::located_values::{SettingData, SettingEntry, SettingValue, Syntax};
use sitemaps::site_paths::finding::Place;
use sitemaps::{ChangeFreq, Priority};

/// Values that a page sets for its own entry; they override every rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PageOverrides {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written and already validated.
    #[serde(deserialize_with = "fixed_date")]
    pub lastmod: Option<String>,
    /// Whether the page is excluded.
    pub exclude: Option<bool>,
}

impl PageOverrides {
    /// These values, and those of `earlier` that these lack.
    fn or(self, earlier: Self) -> Self {
        Self {
            priority: self.priority.or(earlier.priority),
            changefreq: self.changefreq.or(earlier.changefreq),
            lastmod: self.lastmod.or(earlier.lastmod),
            exclude: self.exclude.or(earlier.exclude),
        }
    }
}

/// A front matter table that may contain these settings.
#[derive(Debug, Clone, Copy)]
pub struct PageTable<'t> {
    /// The dotted path of the table, such as `extra.waypost`.
    pub path: &'t str,
    /// The owner, whose syntax applies.
    pub owner: TableOwner,
}

/// The owner of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableOwner {
    /// waypost's own table.
    Waypost,
    /// The generator's own table, with the keys of Hugo: `disable` excludes a page, and `filename`
    /// means nothing here. `null`, an empty string and a negative priority mean "unset", `"0.5"` is
    /// a number, and `1` and `"T"` mean `true`.
    Generator,
}

impl<'t> PageTable<'t> {
    /// waypost's own table at a path.
    pub fn of_waypost(path: &'t str) -> Self {
        Self {
            path,
            owner: TableOwner::Waypost,
        }
    }

    /// The table of a generator at a path.
    pub fn of_generator(path: &'t str) -> Self {
        Self {
            path,
            owner: TableOwner::Generator,
        }
    }

    fn exclude_key(&self) -> &'static str {
        match self.owner {
            TableOwner::Waypost => "exclude",
            TableOwner::Generator => "disable",
        }
    }

    /// Finds the table in the front matter.
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

    /// Reads the entries one by one, so that a mistake in one does not hide the others.
    fn read(&self, table: &SettingValue, values: &mut PageOverrides, mistakes: &mut Vec<Mistake>) {
        let entries = match &table.data {
            SettingData::Table(entries) => entries.as_slice(),
            SettingData::Nothing => &[],
            _ => {
                let message = format!("`{}` must be a table, not {}", self.path, table.type_name());
                return mistakes.push(mistake_at(table.place, message, None));
            }
        };
        for entry in entries {
            let Some(ours) = self.as_ours(entry) else {
                continue;
            };
            let single = SettingValue {
                data: SettingData::Table(vec![ours]),
                place: None,
            };
            match PageOverrides::deserialize(ValueReader(&single)) {
                Ok(read) => *values = read.or(std::mem::take(values)),
                Err(error) => {
                    let place = error.place;
                    let name = format!("{}.{}", self.path, entry.key);
                    let (message, hint) = error.text(&name, &[]);
                    let exclude_key = format!("`{}`", self.exclude_key());
                    let hint = hint.map(|hint| hint.replace("`exclude`", &exclude_key));
                    mistakes.push(mistake_at(place, message, hint));
                }
            }
        }
    }

    /// The entry with the key and the value that it has in waypost's own table; `None` if it says
    /// nothing.
    fn as_ours(&self, entry: &SettingEntry) -> Option<SettingEntry> {
        let is = |name: &&str| entry.key.eq_ignore_ascii_case(name);
        let is_exclude = is(&self.exclude_key());
        let ours = ["priority", "changefreq", "lastmod"];
        let value = match self.owner {
            TableOwner::Waypost => Cow::Borrowed(&entry.value),
            TableOwner::Generator if is_unset(&entry.value) || is(&"filename") => return None,
            TableOwner::Generator if is_exclude => parse_go_bool(&entry.value),
            TableOwner::Generator => normalize(&entry.value)?,
        };
        let key = ours.into_iter().find(|name| is(name)).unwrap_or(&entry.key);
        Some(SettingEntry {
            key: if is_exclude { "exclude" } else { key }.to_owned(),
            key_place: entry.key_place,
            value: value.into_owned(),
        })
    }
}

fn mistake_at(place: Option<Place>, message: String, hint: Option<String>) -> Mistake {
    Mistake {
        origin: SettingOrigin::File(PathBuf::new(), place),
        message,
        hint,
    }
}

/// Whether a value in a generator's own table means "unset".
fn is_unset(value: &SettingValue) -> bool {
    match &value.data {
        SettingData::Nothing => true,
        SettingData::Text(text) => text.is_empty(),
        _ => false,
    }
}

/// The meaning of a value in a generator's own table; `None` if unset.
fn normalize(value: &SettingValue) -> Option<Cow<'_, SettingValue>> {
    let quoted = match &value.data {
        SettingData::Text(text) => text.parse().ok().map(SettingData::Number),
        _ => None,
    };
    let value = with_data(value, quoted);
    // Only the priority is a number.
    let is_unset = match value.data {
        SettingData::Whole(number) => number < 0,
        SettingData::Number(number) => number < 0.0,
        _ => false,
    };
    (!is_unset).then_some(value)
}

/// The meaning of a boolean in a generator's own table. Go accepts numbers and the strings of
/// `strconv.ParseBool`.
fn parse_go_bool(value: &SettingValue) -> Cow<'_, SettingValue> {
    let is_on = match &value.data {
        SettingData::Whole(number) => Some(*number != 0),
        SettingData::Text(text) => match text.as_str() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
            _ => None,
        },
        _ => None,
    };
    with_data(value, is_on.map(SettingData::Flag))
}

/// The value, or `data` at the same place.
fn with_data(value: &SettingValue, data: Option<SettingData>) -> Cow<'_, SettingValue> {
    data.map_or(Cow::Borrowed(value), |data| {
        Cow::Owned(SettingValue {
            data,
            place: value.place,
        })
    })
}

/// Reads a page's overrides from its parsed front matter. `Err` contains the valid ones if others
/// are wrong, without the mistakes.
pub fn read_page_overrides(
    front_matter: &Json,
    tables: &[PageTable<'_>],
) -> Result<PageOverrides, PageOverrides> {
    let (values, mistakes) = read(&SettingValue::from_json(front_matter), tables);
    if mistakes.is_empty() {
        Ok(values)
    } else {
        Err(values)
    }
}

/// Lists the mistakes in the front matter text of a file. Places are relative to the start of the
/// text.
pub fn page_mistakes(text: &str, syntax: Syntax, tables: &[PageTable<'_>]) -> Vec<Mistake> {
    // Syntax errors have been reported when the text was first parsed.
    syntax
        .parse(text)
        .map_or_else(|_| Vec::new(), |value| read(&value, tables).1)
}

fn read(front_matter: &SettingValue, tables: &[PageTable<'_>]) -> (PageOverrides, Vec<Mistake>) {
    let (mut values, mut mistakes) = (PageOverrides::default(), Vec::new());
    for table in tables {
        if let Some(value) = table.entries(front_matter) {
            table.read(value, &mut values, &mut mistakes);
        }
    }
    (values, mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: PageTable<'_> = PageTable {
        path: "extra.waypost",
        owner: TableOwner::Waypost,
    };

    fn mistakes(text: &str) -> Vec<(String, Option<u32>)> {
        let mistakes = page_mistakes(text, Syntax::Toml, &[OURS]);
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
    fn a_page_can_override_every_value_of_its_entry() {
        let text = "[extra.waypost]\npriority = 1\nchangefreq = \"daily\"\n\
                    lastmod = 2024-05-06\nexclude = false\n";
        let value: Json = toml::from_str(text).expect("TOML");
        let expected = PageOverrides {
            priority: Priority::new(1.0),
            changefreq: Some(ChangeFreq::Daily),
            lastmod: Some("2024-05-06".to_owned()),
            exclude: Some(false),
        };
        assert_eq!(read_page_overrides(&value, &[OURS]), Ok(expected));
        assert_eq!(mistakes(text), []);
    }

    #[test]
    fn hugos_table_has_its_own_name_for_exclude() {
        let hugo = PageTable::of_generator("sitemap");
        let table = serde_json::json!({ "Disable": true, "filename": "x.xml", "priority": 0.25 });
        let value = serde_json::json!({ "Sitemap": table });
        let expected = PageOverrides {
            exclude: Some(true),
            priority: Priority::new(0.25),
            ..PageOverrides::default()
        };
        assert_eq!(read_page_overrides(&value, &[hugo, OURS]), Ok(expected));
    }

    #[test]
    fn unset_values_in_the_generators_table_are_ignored() {
        let check = |value: Json, expected: Result<PageOverrides, PageOverrides>| {
            let front_matter = serde_json::json!({ "extra": { "waypost": value } });
            let table = PageTable {
                owner: TableOwner::Generator,
                ..OURS
            };
            assert_eq!(
                read_page_overrides(&front_matter, &[table]),
                expected,
                "{value}"
            );
            let is_right_in_ours = read_page_overrides(&front_matter, &[OURS]).is_ok();
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
    fn booleans_in_the_generators_table_are_parsed_as_go_does() {
        let check = |value: Json, expected: Result<Option<bool>, ()>| {
            let front_matter = serde_json::json!({ "extra": { "waypost": { "disable": value } } });
            let table = PageTable {
                owner: TableOwner::Generator,
                ..OURS
            };
            let found = read_page_overrides(&front_matter, &[table])
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
    fn every_mistake_has_a_place() {
        let text = "[extra.waypost]\npriority = 2\nexcludes = true\n";
        let found = mistakes(text);
        let places: Vec<_> = found.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [Some(27), Some(29)]);
        assert_eq!(found[1].0, "unknown key `extra.waypost.excludes`");
        assert_eq!(mistakes("[extra]\nwaypost = 1\n").len(), 1);
    }
}

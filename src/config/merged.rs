//! The layers of settings as one tree, with the origin of each key.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::mistake::{Mistake, SettingOrigin};
use super::value_reader::ValueError;
use page_sources::located_values::{SettingData, SettingEntry, SettingValue};
use sitemaps::site_paths::finding::Place;

/// Arrays to which each layer adds its elements; any other value replaces that of earlier layers.
const ADDED_UP: [&str; 2] = ["exclude", "rule"];

/// The merged settings.
#[derive(Debug)]
pub(super) struct MergedSettings {
    root: SettingValue,
    /// The origins of keys, and of the elements of `exclude` and `rule`.
    origins: BTreeMap<String, SettingOrigin>,
}

impl Default for MergedSettings {
    fn default() -> Self {
        let root = SettingValue {
            data: SettingData::Table(Vec::new()),
            place: None,
        };
        Self {
            root,
            origins: BTreeMap::new(),
        }
    }
}

impl MergedSettings {
    /// The tree.
    pub(super) fn root(&self) -> &SettingValue {
        &self.root
    }

    /// Adds the entries of a layer.
    pub(super) fn merge(&mut self, entries: Vec<SettingEntry>, origin: &SettingOrigin) {
        if let SettingData::Table(known) = &mut self.root.data {
            merge_tables(known, entries, "", &mut self.origins, origin);
        }
    }

    /// Adds a value at a dotted key.
    pub(super) fn set(&mut self, key: &str, value: &SettingValue, origin: &SettingOrigin) {
        let entry = key
            .rsplit('.')
            .fold(None, |inner: Option<SettingEntry>, name| {
                let value = match inner {
                    None => value.clone(),
                    Some(entry) => SettingValue {
                        data: SettingData::Table(vec![entry]),
                        place: None,
                    },
                };
                Some(SettingEntry {
                    key: name.to_owned(),
                    key_place: None,
                    value,
                })
            });
        self.merge(entry.into_iter().collect(), origin);
    }

    /// The origin of a key; a table has that of the layer that mentions it first.
    pub(super) fn origin_of_key(&self, key: &str) -> SettingOrigin {
        self.origins
            .get(key)
            .cloned()
            .unwrap_or(SettingOrigin::Default)
    }

    /// The origin of any value: that of its key, or of what it is in.
    fn origin_of(&self, path: &str) -> SettingOrigin {
        let ends = path.match_indices(['.', '[']).map(|(at, _)| at);
        let mut ends: Vec<_> = ends.chain([path.len()]).collect();
        ends.reverse();
        let mut found = ends
            .into_iter()
            .filter_map(|end| self.origins.get(&path[..end]));
        found.next().cloned().unwrap_or(SettingOrigin::Default)
    }

    /// The file and place of an element of `exclude` or `rule`.
    pub(super) fn place_of(&self, path: &str) -> Option<(PathBuf, Place)> {
        match self.origins.get(path) {
            Some(SettingOrigin::File(file, Some(place))) => Some((file.clone(), *place)),
            _ => None,
        }
    }

    /// The mistake in a value of the tree.
    pub(super) fn mistake(&self, error: ValueError, keys: &[String]) -> Mistake {
        let path = error.path();
        let place = error.place;
        let (message, hint) = error.text(&self.name_of(&path), keys);
        Mistake {
            origin: self.at(&path, place),
            message,
            hint,
        }
    }

    /// The origin of a value with another place in the same file.
    pub(super) fn at(&self, path: &str, place: Option<Place>) -> SettingOrigin {
        match self.origin_of(path) {
            SettingOrigin::File(file, _) => SettingOrigin::File(file, place),
            origin => origin,
        }
    }

    /// The name under which messages show a value: its key, in a rule without `rule`, or the
    /// variable or flag that sets it.
    pub(super) fn name_of(&self, path: &str) -> String {
        match self.origin_of(path) {
            SettingOrigin::Environment(variable) => variable,
            SettingOrigin::Flag(flag) => flag.to_owned(),
            SettingOrigin::File(..) | SettingOrigin::Default => {
                let end = path.rsplit("].").next().unwrap_or(path);
                end.split('[').next().unwrap_or(end).to_owned()
            }
        }
    }
}

fn merge_tables(
    known: &mut Vec<SettingEntry>,
    entries: Vec<SettingEntry>,
    prefix: &str,
    origins: &mut BTreeMap<String, SettingOrigin>,
    origin: &SettingOrigin,
) {
    let placed = |place: Option<Place>| match origin {
        SettingOrigin::File(file, _) => SettingOrigin::File(file.clone(), place),
        other => other.clone(),
    };
    for SettingEntry {
        key,
        key_place,
        value,
    } in entries
    {
        // mdBook derives `base-url` from the variable `MDBOOK_OUTPUT__WAYPOST__BASE_URL`.
        let key = match prefix {
            "levels." => key,
            _ => key.replace('-', "_"),
        };
        let name = format!("{prefix}{key}");
        let at = known.iter().position(|known| known.key == key);
        let at = at.unwrap_or_else(|| {
            known.push(SettingEntry {
                key,
                key_place,
                value: SettingValue {
                    data: SettingData::Nothing,
                    place: value.place,
                },
            });
            known.len() - 1
        });
        let target = &mut known[at].value;
        if let SettingData::Table(entries) = value.data {
            if !matches!(target.data, SettingData::Table(_)) {
                target.data = SettingData::Table(Vec::new());
                origins.insert(name.clone(), placed(value.place));
            }
            if let SettingData::Table(known) = &mut target.data {
                merge_tables(known, entries, &format!("{name}."), origins, origin);
            }
            continue;
        }
        origins.insert(name.clone(), placed(value.place));
        match (&mut target.data, value.data) {
            (known, SettingData::List(new)) if ADDED_UP.contains(&name.as_str()) => {
                let mut all = match std::mem::replace(known, SettingData::Nothing) {
                    SettingData::List(all) => all,
                    _ => Vec::new(),
                };
                for element in new {
                    let place = element
                        .get("match")
                        .map_or(element.place, |value| value.place);
                    origins.insert(format!("{name}[{}]", all.len()), placed(place));
                    all.push(element);
                }
                *known = SettingData::List(all);
            }
            (known, new) => *known = new,
        }
        target.place = value.place;
    }
}

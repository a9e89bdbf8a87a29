//! Finds keys that a YAML mapping sets more than once.
//!
//! YAML forbids it, but the parsers of Jekyll and MkDocs accept it, and the last value counts.

use std::collections::{HashMap, HashSet};

use super::value::{SettingData, SettingEntry, SettingValue};
use site_paths::finding::Place;

/// A key that is set again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key.
    pub key: String,
    /// The line on which it was set before, counted from 1.
    pub earlier_line: usize,
    /// Where it is set again.
    pub place: Option<Place>,
}

/// Finds the keys of a text that are set more than once, from its parsed value.
pub(super) fn repeats_in(value: &SettingValue, text: &str) -> Vec<RepeatedKey> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let breaks: Vec<usize> = breaks.map(|(at, _)| at).collect();
    repeats_below(value, &breaks)
}

/// `breaks` has the offset of each line break of the text.
fn repeats_below(value: &SettingValue, breaks: &[usize]) -> Vec<RepeatedKey> {
    match &value.data {
        SettingData::List(values) => values
            .iter()
            .flat_map(|value| repeats_below(value, breaks))
            .collect(),
        SettingData::Table(entries) => {
            let (mut found, mut known) = (Vec::new(), HashMap::new());
            for entry in entries {
                if let Some(earlier) = known.insert(&entry.key, entry.key_place) {
                    let start = earlier.map_or(0, |place: Place| place.start as usize);
                    found.push(RepeatedKey {
                        key: entry.key.clone(),
                        earlier_line: breaks.partition_point(|at| *at < start) + 1,
                        place: entry.key_place,
                    });
                }
                found.extend(repeats_below(&entry.value, breaks));
            }
            found
        }
        _ => Vec::new(),
    }
}

/// Keeps only the last entry of each key.
pub(super) fn without_repeats(value: SettingValue) -> SettingValue {
    let data = match value.data {
        SettingData::List(values) => {
            SettingData::List(values.into_iter().map(without_repeats).collect())
        }
        SettingData::Table(entries) => {
            let mut known = HashSet::new();
            let mut kept: Vec<_> = entries
                .into_iter()
                .rev()
                .filter(|entry| known.insert(entry.key.clone()))
                .map(|entry| SettingEntry {
                    value: without_repeats(entry.value),
                    ..entry
                })
                .collect();
            kept.reverse();
            SettingData::Table(kept)
        }
        data => data,
    };
    SettingValue { data, ..value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::located_values::Syntax;
    use crate::located_values::syntax::yaml_with_repeats;

    #[test]
    fn the_last_of_several_equal_keys_counts_and_the_others_are_found() {
        let text = "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n";
        let found = repeats_in(&yaml_with_repeats(text).expect("valid YAML"), text);
        let shown: Vec<_> = found
            .iter()
            .map(|key| {
                (
                    key.key.as_str(),
                    key.earlier_line,
                    key.place.map(|place| place.start),
                )
            })
            .collect();
        assert_eq!(shown, [("c", 3, Some(17)), ("a", 1, Some(22))]);
        let value = Syntax::Yaml
            .parse(text)
            .expect("repeated keys are accepted");
        let number = |value: Option<&SettingValue>| match value.map(|value| &value.data) {
            Some(SettingData::Whole(number)) => Some(*number),
            _ => None,
        };
        assert_eq!(number(value.get("a")), Some(3));
        assert_eq!(
            number(value.get("b").and_then(|table| table.get("c"))),
            Some(2)
        );
    }
}

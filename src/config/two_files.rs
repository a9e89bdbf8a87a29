//! Combines waypost's table in the generator's own settings with `waypost.toml`.
//!
//! Both are files of the same repository, so neither overrides the other: keys, levels and rules
//! are merged, arrays are appended, and two different values of one key are a mistake.

use super::draft_settings::DraftSettings;
use super::keys::{KEYS, SettingKey};
use super::mistake::{Mistake, SettingOrigin};
use site_paths::finding::Level;

/// What two different values of one key mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileConflict {
    /// One of the two files is wrong.
    Mistake,
    /// The user has named the second file, so it overrides the first.
    LaterWins,
}

/// Adds the settings of an earlier file to those of a later one.
pub(super) fn combine(
    earlier: &DraftSettings,
    later: &mut DraftSettings,
    conflict: FileConflict,
) -> Vec<Mistake> {
    let mut mistakes = add_keys(earlier, later);
    mistakes.extend(add_levels(earlier, later));
    let rules = std::mem::take(&mut later.settings.rules);
    later.settings.rules.clone_from(&earlier.settings.rules);
    later.settings.rules.extend(rules);
    match conflict {
        FileConflict::Mistake => mistakes,
        FileConflict::LaterWins => Vec::new(),
    }
}

fn add_keys(earlier: &DraftSettings, later: &mut DraftSettings) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for key in KEYS {
        let Some(first) = earlier.origins.get(key.name) else {
            continue;
        };
        let Some(second) = later.origins.get(key.name).cloned() else {
            (key.copy)(earlier, later);
            later.origins.insert(key.name, first.clone());
            continue;
        };
        if append(key.name, earlier, later) {
            let both = SettingOrigin::TwoFiles(Box::new([first.clone(), second]));
            later.origins.insert(key.name, both);
        } else if !is_equal(key, earlier, later) {
            mistakes.push(contradiction(key.name, first, second));
        }
    }
    mistakes
}

fn is_equal(key: &SettingKey<DraftSettings>, one: &DraftSettings, other: &DraftSettings) -> bool {
    let (secrets, other_secrets) = (&one.settings.submit, &other.settings.submit);
    match key.name {
        // Both are shown as a mask.
        "submit.key" => secrets.key == other_secrets.key,
        "submit.key_location" => secrets.key_location == other_secrets.key_location,
        _ => (key.show)(one) == (key.show)(other),
    }
}

/// Puts the elements of an array in the earlier file before those in the later one. Returns whether
/// the key is such an array: those of `lastmod.from` are an order of precedence, which two files
/// cannot share.
fn append(key: &str, earlier: &DraftSettings, later: &mut DraftSettings) -> bool {
    let (from, to) = (&earlier.settings, &mut later.settings);
    match key {
        "extensions" => prepend(&from.extensions, &mut to.extensions),
        "source_map" => prepend(&from.source_map, &mut to.source_map),
        "lastmod.ignore.revs" => prepend(&from.lastmod.ignore.revs, &mut to.lastmod.ignore.revs),
        "sitemap.formats" => prepend(&from.sitemap.formats, &mut to.sitemap.formats),
        "exclude" => {
            let added = std::mem::take(&mut later.exclude);
            later.exclude.clone_from(&earlier.exclude);
            later.exclude.extend(added);
        }
        _ => return false,
    }
    true
}

fn prepend<T: Clone + PartialEq>(from: &[T], to: &mut Vec<T>) {
    let added = std::mem::replace(to, from.to_vec());
    to.extend(added.into_iter().filter(|value| !from.contains(value)));
}

fn add_levels(earlier: &DraftSettings, later: &mut DraftSettings) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for (code, level) in &earlier.settings.levels.0 {
        let origin = |draft: &DraftSettings| draft.level_origins.get(code).cloned();
        let first = origin(earlier).unwrap_or(SettingOrigin::Default);
        let known: Option<Level> = later.settings.levels.0.get(code).copied();
        match (known, origin(later)) {
            (Some(known), Some(second)) if known != *level => {
                mistakes.push(contradiction(&format!("levels.{code}"), &first, second));
            }
            (Some(_), _) => {}
            (None, _) => {
                later.settings.levels.0.insert(code.clone(), *level);
                later.level_origins.insert(code.clone(), first);
            }
        }
    }
    mistakes
}

fn contradiction(key: &str, first: &SettingOrigin, second: SettingOrigin) -> Mistake {
    let file = match first {
        SettingOrigin::File(file, _) => file.display().to_string(),
        _ => "another file".to_owned(),
    };
    Mistake {
        // The lines of a secret key are not shown.
        origin: without_secret(key, second),
        other: Some(without_secret(key, first.clone())),
        message: format!("`{key}` has another value in `{file}`"),
        hint: Some("remove one of the two; only arrays and rules are combined".to_owned()),
    }
}

fn without_secret(key: &str, origin: SettingOrigin) -> SettingOrigin {
    match origin {
        SettingOrigin::File(file, _) if key.starts_with("submit.") => {
            SettingOrigin::File(file, None)
        }
        _ => origin,
    }
}

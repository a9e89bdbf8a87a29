//! Checks of the merged settings that concern more than one value.

use super::merged::MergedSettings;
use super::mistake::{Mistake, SettingOrigin, nearest};
use crate::settings::{Rule, SourceTemplate};
use page_sources::located_values::{SettingData, SettingEntry, SettingValue};

/// The keys whose values are paths below the site root.
const PATHS: [&str; 5] = [
    "output_dir",
    "source_map",
    "lastmod.ignore.revs_file",
    "lastmod.memory",
    "source",
];

/// Rejects unknown codes in `[levels]`.
pub(super) fn check_codes(merged: &MergedSettings, codes: &[&str]) -> Result<(), Mistake> {
    let levels = merged.root().get("levels");
    let Some(SettingData::Table(entries)) = levels.map(|levels| &levels.data) else {
        return Ok(());
    };
    let is_unknown = |entry: &&SettingEntry| !codes.contains(&entry.key.as_str());
    let Some(entry) = entries.iter().find(is_unknown) else {
        return Ok(());
    };
    let hint = match nearest(&entry.key, codes.iter().copied()) {
        Some(code) => format!("did you mean `{code}`?"),
        None => "codes are those of findings and reasons that waypost prints".to_owned(),
    };
    Err(Mistake {
        origin: merged.at(&format!("levels.{}", entry.key), entry.key_place),
        message: format!("unknown code `{}`", entry.key),
        hint: Some(hint),
    })
}

/// Rejects paths outside the site root that a file sets. Otherwise anyone who can change the
/// repository's settings could make waypost read or write other files of the machine. The user who
/// runs waypost may set any path.
pub(super) fn check_paths(merged: &MergedSettings) -> Result<(), Mistake> {
    check_paths_in(merged, merged.root(), "")
}

fn check_paths_in(
    merged: &MergedSettings,
    value: &SettingValue,
    path: &str,
) -> Result<(), Mistake> {
    match &value.data {
        SettingData::Table(entries) => {
            let dot = if path.is_empty() { "" } else { "." };
            entries.iter().try_for_each(|entry| {
                check_paths_in(merged, &entry.value, &format!("{path}{dot}{}", entry.key))
            })
        }
        SettingData::List(values) => values.iter().enumerate().try_for_each(|(index, value)| {
            check_paths_in(merged, value, &format!("{path}[{index}]"))
        }),
        SettingData::Text(text) if is_outside_site(text) => {
            let origin = merged.at(path, value.place);
            let name = merged.name_of(path);
            if !PATHS.contains(&name.as_str()) || !matches!(origin, SettingOrigin::File(..)) {
                return Ok(());
            }
            let hint = "only flags and environment variables may name paths outside the site root";
            Err(Mistake {
                origin,
                message: format!("`{name}` must be inside the site root, not `{text}`"),
                hint: Some(hint.to_owned()),
            })
        }
        _ => Ok(()),
    }
}

/// Whether a path is absolute or contains `..`, in the notation of any platform.
fn is_outside_site(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    has_drive || path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|part| part == "..")
}

/// Rejects rules whose keys contradict each other.
pub(super) fn check_rules(merged: &MergedSettings, rules: &[Rule]) -> Result<(), Mistake> {
    for (index, rule) in rules.iter().enumerate() {
        let Some((key, message, hint)) = contradiction(rule) else {
            continue;
        };
        let written = merged
            .root()
            .get("rule")
            .map_or(&[][..], SettingValue::items);
        let place = written.get(index).and_then(|rule| rule.get(key)?.place);
        return Err(Mistake {
            origin: merged.at(&format!("rule[{index}]"), place),
            message,
            hint: Some(hint),
        });
    }
    Ok(())
}

/// The key of a rule that contradicts another one, with the message and the hint.
fn contradiction(rule: &Rule) -> Option<(&'static str, String, String)> {
    if rule.lastmod.is_some() && rule.lastmod_from.is_some() {
        return Some((
            "lastmod_from",
            "a rule has both `lastmod` and `lastmod_from`".to_owned(),
            "remove one of the two; a fixed date has no source".to_owned(),
        ));
    }
    let highest = SourceTemplate::new(rule.source.as_ref()?).highest_wildcard();
    let mut patterns = rule.patterns.iter();
    let pattern = patterns.find(|pattern| pattern.wildcards() < highest)?;
    let (text, count) = (pattern.as_str(), pattern.wildcards());
    Some((
        "source",
        format!("`source` refers to wildcard `{{{highest}}}`, which `match` does not have"),
        format!(
            "`{text}` has {count}; each `*`, `**`, `?`, `[…]` and `{{…}}` counts as one wildcard"
        ),
    ))
}

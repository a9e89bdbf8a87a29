//! The layers of settings, merged key by key, and what `explain --settings` shows of them. Each value is
//! read alone before it is added, so a mistake in it has the origin of its key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::mistake::{Mistake, SettingOrigin, nearest, text_of};
use crate::files::located_values::{SettingData, SettingEntry, SettingValue};
use crate::settings::{Rule, Settings, SourceTemplate};
use sitemaps::site_paths::escaped;

/// Maximum number of globs of `exclude` and of rules. Each is some kilobytes when it is compiled.
const MAX_RULES: usize = 100_000;

/// The keys whose values are paths below the site root.
const PATHS: [&str; 5] = [
    "output_dir",
    "source_map",
    "lastmod.ignore.revs_file",
    "lastmod.memory",
    "source",
];

/// A setting as shown by `explain --settings`.
#[derive(Debug)]
pub struct ExplainedSetting {
    /// The key: `sitemap.file`, `levels.setting-unused`, or `rule[2]` with the index in
    /// [`Settings::rules`](crate::settings::Settings::rules).
    pub key: String,
    /// The value in TOML syntax, or `not set`.
    pub value: String,
    /// Where it was set. [`SettingsTexts::format_origin`](super::SettingsTexts::format_origin)
    /// formats it.
    pub origin: SettingOrigin,
}

/// The merged settings.
pub(super) struct MergedSettings {
    /// The codes that `[levels]` accepts.
    codes: Vec<&'static str>,
    /// The keys of all tables.
    known_keys: Vec<String>,
    /// All values but the rules.
    root: Json,
    /// A rule for each glob of `exclude`.
    excluding: Vec<Rule>,
    rules: Vec<Rule>,
    /// The origins of keys and of rules.
    origins: BTreeMap<String, SettingOrigin>,
}

impl MergedSettings {
    /// The defaults.
    pub(super) fn new(codes: Vec<&'static str>, known_keys: Vec<String>) -> Self {
        Self {
            codes,
            known_keys,
            root: json!({}),
            excluding: Vec::new(),
            rules: Vec::new(),
            origins: BTreeMap::new(),
        }
    }

    /// Adds the entries of a table of a file. `prefix` is its dotted path with a dot at the end.
    pub(super) fn add_table(
        &mut self,
        prefix: &str,
        entries: Vec<SettingEntry>,
        file: &SettingOrigin,
    ) -> Result<(), Mistake> {
        for entry in entries {
            // mdBook derives `base-url` from the variable `MDBOOK_OUTPUT__WAYPOST__BASE_URL`.
            let key = match prefix {
                "levels." => entry.key,
                _ => entry.key.replace('-', "_"),
            };
            let key = format!("{prefix}{key}");
            let origin = file.at(entry.key_place.or(entry.value.place));
            match entry.value.data {
                // A key of YAML without a value.
                SettingData::Nothing => {}
                SettingData::Table(entries) if !entries.is_empty() || self.is_table(&key) => {
                    self.add_table(&format!("{key}."), entries, &origin)?;
                }
                SettingData::List(rules) if key == "rule" => {
                    for rule in rules {
                        self.add_rule(rule, &origin)?;
                    }
                }
                SettingData::List(globs) if key == "exclude" => {
                    for glob in globs {
                        let origin = origin.at(glob.place);
                        self.set(&key, json!([Json::from(glob.data)]), &origin)?;
                    }
                }
                data => self.set(&key, data.into(), &origin)?,
            }
        }
        Ok(())
    }

    /// Sets the value of a key. Those of `exclude` add up.
    pub(super) fn set(
        &mut self,
        key: &str,
        value: Json,
        origin: &SettingOrigin,
    ) -> Result<(), Mistake> {
        self.check(key, &value, origin)?;
        self.check_size(origin)?;
        let known = key
            .split('.')
            .fold(&mut self.root, |table, name| &mut table[name]);
        match value {
            Json::Array(globs) if key == "exclude" => {
                let mut all = match known.take() {
                    Json::Array(all) => all,
                    _ => Vec::new(),
                };
                self.excluding.extend(globs.iter().map(|glob| Rule {
                    patterns: Deserialize::deserialize(json!([glob])).expect("it was read alone"),
                    exclude: Some(true),
                    written_in: origin.written_in(),
                    ..Rule::default()
                }));
                all.extend(globs);
                *known = Json::Array(all);
            }
            value => *known = value,
        }
        self.origins.insert(key.to_owned(), origin.clone());
        Ok(())
    }

    /// Reports more rules than fit in memory.
    fn check_size(&self, origin: &SettingOrigin) -> Result<(), Mistake> {
        if self.excluding.len() + self.rules.len() < MAX_RULES {
            return Ok(());
        }
        let message = format!("`exclude` and `rule` have more than {MAX_RULES} entries");
        let hint = "write globs: `drafts/**` matches all files below `drafts`";
        Err(origin.mistake((message, Some(hint.to_owned()))))
    }

    /// Reads a value alone.
    fn check(&self, key: &str, value: &Json, origin: &SettingOrigin) -> Result<(), Mistake> {
        let name = match origin {
            SettingOrigin::Environment(variable) => variable.as_str(),
            SettingOrigin::Flag(flag) => flag,
            SettingOrigin::File(..) | SettingOrigin::Generator(_) | SettingOrigin::Default => key,
        };
        if self.is_table(key) {
            return Err(origin.mistake((format!("`{name}` must be a table"), None)));
        }
        if let Some(code) = key.strip_prefix("levels.")
            && !self.codes.contains(&code)
        {
            let hint = match nearest(code, self.codes.iter().copied()) {
                Some(code) => format!("did you mean `{code}`?"),
                None => "codes are those of findings and reasons that waypost prints".to_owned(),
            };
            return Err(origin.mistake((format!("unknown code `{code}`"), Some(hint))));
        }
        check_paths(key, value, origin)?;
        let alone = key
            .rsplit('.')
            .fold(value.clone(), |value, name| json!({ name: value }));
        Settings::deserialize(alone)
            .map_err(|error| origin.mistake(text_of(&error, name, &self.known_keys)))?;
        Ok(())
    }

    /// Whether there are keys below a key.
    fn is_table(&self, key: &str) -> bool {
        self.known_keys
            .iter()
            .filter_map(|known| known.strip_prefix(key))
            .any(|rest| rest.starts_with('.'))
    }

    /// Adds a rule.
    fn add_rule(&mut self, rule: SettingValue, key: &SettingOrigin) -> Result<(), Mistake> {
        let place = rule.get("match").map_or(rule.place, |globs| globs.place);
        let origin = key.at(place);
        self.check_size(&origin)?;
        let SettingData::Table(entries) = rule.data else {
            return Err(origin.mistake(("each `rule` must be a table".to_owned(), None)));
        };
        let mut values = Map::new();
        for entry in entries {
            let (key, value) = (entry.key.replace('-', "_"), Json::from(entry.value.data));
            let origin = origin.at(entry.key_place);
            check_paths(&key, &value, &origin)?;
            // Each rule must have globs.
            let alone = json!({ "match": "**", &*key: value.clone() });
            Rule::deserialize(alone)
                .map_err(|error| origin.mistake(text_of(&error, &key, &self.known_keys)))?;
            values.insert(key, value);
        }
        let rule = Rule::deserialize(Json::Object(values))
            .map_err(|error| origin.mistake(text_of(&error, "rule", &self.known_keys)))?;
        if let Some((message, hint)) = contradiction(&rule) {
            return Err(origin.mistake((message, Some(hint))));
        }
        self.origins
            .insert(format!("rule[{}]", self.rules.len()), origin.clone());
        self.rules.push(Rule {
            written_in: origin.written_in(),
            ..rule
        });
        Ok(())
    }

    /// Returns the settings, and every key with its value and its origin.
    pub(super) fn finish(self) -> (Settings, Vec<ExplainedSetting>) {
        let mut settings = Settings::deserialize(self.root).expect("each value was read alone");
        settings.rules = self.rules;
        let excluded = self.excluding.len();
        let mut explained = Vec::new();
        for (key, value) in flattened(&settings) {
            let origin = self.origins.get(&key).cloned();
            let number = key
                .strip_prefix("rule[")
                .and_then(|end| end.strip_suffix(']')?.parse::<usize>().ok());
            explained.push(ExplainedSetting {
                value: shown(&value),
                origin: origin.unwrap_or(SettingOrigin::Default),
                key: number.map_or(key, |number| format!("rule[{}]", excluded + number)),
            });
        }
        settings.rules.splice(0..0, self.excluding);
        (settings, explained)
    }
}

/// Rejects paths outside the site root that a file sets. Otherwise anyone who can change the
/// repository's settings could make waypost read or write other files of the machine. The user who
/// runs waypost may set any path.
fn check_paths(key: &str, value: &Json, origin: &SettingOrigin) -> Result<(), Mistake> {
    if !PATHS.contains(&key) || origin.is_set_by_user() {
        return Ok(());
    }
    let texts = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    for text in texts.iter().filter_map(Json::as_str) {
        if is_outside_site(text) {
            let message = format!("`{key}` must be inside the site root, not `{text}`");
            let hint = "only flags and environment variables may name paths outside the site root";
            return Err(origin.mistake((message, Some(hint.to_owned()))));
        }
    }
    Ok(())
}

/// Whether a path is absolute or contains `..`, in the notation of any platform.
fn is_outside_site(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    has_drive || path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|part| part == "..")
}

/// The message and the hint for a rule whose keys contradict each other.
fn contradiction(rule: &Rule) -> Option<(String, String)> {
    if rule.lastmod.is_some() && rule.lastmod_from.is_some() {
        return Some((
            "a rule has both `lastmod` and `lastmod_from`".to_owned(),
            "remove one of the two; a fixed date has no source".to_owned(),
        ));
    }
    let highest = SourceTemplate::new(rule.source.as_ref()?).highest_wildcard();
    let pattern = rule
        .patterns
        .iter()
        .find(|pattern| pattern.wildcards() < highest)?;
    let (text, count) = (pattern.as_str(), pattern.wildcards());
    Some((
        format!("`source` refers to wildcard `{{{highest}}}`, which `match` does not have"),
        format!(
            "`{text}` has {count}; each `*`, `**`, `?`, `[…]` and `{{…}}` counts as one wildcard"
        ),
    ))
}

/// Every key of a struct and its tables in the order of the fields, with its value. An array of
/// tables has an entry for each.
pub(super) fn flattened(settings: &impl Serialize) -> Vec<(String, Json)> {
    let value = serde_json::to_value(settings).expect("the keys are strings");
    let mut found = Vec::new();
    flatten(String::new(), value, &mut found);
    found
}

fn flatten(key: String, value: Json, found: &mut Vec<(String, Json)>) {
    match value {
        Json::Object(table) if !key.ends_with(']') => {
            for (name, value) in table {
                let dot = if key.is_empty() { "" } else { "." };
                flatten(format!("{key}{dot}{name}"), value, found);
            }
        }
        Json::Array(tables) if key == "rule" => {
            for (index, table) in tables.into_iter().enumerate() {
                flatten(format!("{key}[{index}]"), table, found);
            }
        }
        value => found.push((key, value)),
    }
}

/// Formats a value in TOML syntax.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Null => "not set".to_owned(),
        Json::Array(values) => {
            let values: Vec<_> = values.iter().map(shown).collect();
            format!("[{}]", values.join(", "))
        }
        Json::Object(table) => {
            let set = table.iter().filter(|(_, value)| !value.is_null());
            let pairs = set.map(|(key, value)| format!("{key} = {}", shown(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        other => escaped(&other.to_string()).into_owned(),
    }
}

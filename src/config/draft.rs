//! Merges the layers of settings.
//!
//! A key of a later layer replaces that of an earlier one. Two tables accumulate instead:
//! `[levels]`, code by code, and `[[rule]]`, where the rules of earlier layers come first, so that
//! later ones take precedence in the cascade.

use std::path::{Path, PathBuf};

use super::draft_settings::DraftSettings;
use super::keys::{KEYS, RULE_KEYS, SettingKey};
use super::mistake::{SettingOrigin, nearest};
use super::reader::LayerReader;
use super::shape::{NOT_SET, Shape, WordShape};
use crate::settings::Settings;
use crate::settings::{Rule, SourceTemplate};
use located_values::{SettingData, SettingEntry, SettingValue};
use site_paths::finding::Level;

/// A setting as shown by `explain --settings`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedSetting {
    /// The key: `sitemap.file`, `levels.setting-unused`, or `rule[2]` with the index in
    /// [`Settings::rules`].
    pub key: String,
    /// The value in TOML syntax, or `not set`.
    pub value: String,
    /// Where it was set. [`SettingsTexts::format_origin`](super::SettingsTexts::format_origin)
    /// formats it.
    pub origin: SettingOrigin,
}

impl DraftSettings {
    /// Merges a table. `prefix` is empty or ends in a dot.
    pub(super) fn merge_table<'v>(
        &mut self,
        entries: impl IntoIterator<Item = &'v SettingEntry>,
        prefix: &str,
        reader: &mut LayerReader<'_>,
    ) {
        for entry in entries {
            let name = format!("{prefix}{}", entry.key);
            reader.set_key(&name);
            let is_plain = !entry.key.contains('.');
            if let Some(key) = KEYS.iter().find(|key| is_plain && key.name == name) {
                self.merge_key(key, &entry.value, reader);
            } else if name == "rule" {
                self.merge_rules(&entry.value, reader);
            } else if name == "levels" {
                self.merge_levels(&entry.value, reader);
            } else if tables().any(|table| table == name) {
                if let Some(entries) = reader.table(&entry.value) {
                    self.merge_table(entries, &format!("{name}."), reader);
                }
            } else {
                let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
                reader.unknown_key(entry, &name, &keys_of_table(prefix), &names);
            }
        }
    }

    /// Merges one key.
    pub(super) fn merge_key(
        &mut self,
        key: &SettingKey<Self>,
        value: &SettingValue,
        reader: &mut LayerReader<'_>,
    ) {
        if (key.set)(self, value, reader) {
            self.origins.insert(key.name, reader.origin(value.place));
        }
    }

    /// Merges `--output-dir`, which is an OS path and need not be UTF-8.
    pub(super) fn merge_output_dir(&mut self, dir: &Path) {
        self.settings.output_dir = Some(dir.to_owned());
        self.origins
            .insert("output_dir", SettingOrigin::Flag("--output-dir"));
    }

    /// Merges `--source-map`.
    pub(super) fn merge_source_map(&mut self, files: &[PathBuf]) {
        self.settings.source_map = files.to_vec();
        self.origins
            .insert("source_map", SettingOrigin::Flag("--source-map"));
    }

    fn merge_levels(&mut self, value: &SettingValue, reader: &mut LayerReader<'_>) {
        for entry in reader.table(value).unwrap_or_default() {
            reader.set_key(&format!("levels.{}", entry.key));
            self.merge_level(entry, reader);
        }
    }

    /// Merges the level of one code.
    pub(super) fn merge_level(&mut self, entry: &SettingEntry, reader: &mut LayerReader<'_>) {
        if !reader.codes.contains(&entry.key.as_str()) {
            let hint = match nearest(&entry.key, reader.codes.iter().copied()) {
                Some(code) => format!("did you mean `{code}`?"),
                None => "codes are those of findings and reasons that waypost prints".to_owned(),
            };
            reader.mistake(
                entry.key_place,
                format!("unknown code `{}`", entry.key),
                Some(hint),
            );
        } else if let Some(level) = WordShape(&Level::WORDS).read(&entry.value, reader) {
            self.settings.levels.0.insert(entry.key.clone(), level);
            self.level_origins
                .insert(entry.key.clone(), reader.origin(entry.value.place));
        }
    }

    fn merge_rules(&mut self, value: &SettingValue, reader: &mut LayerReader<'_>) {
        let SettingData::List(rules) = &value.data else {
            let hint = Some("begin each rule with `[[rule]]`, in double brackets".to_owned());
            return reader.invalid_value(
                value.place,
                format_args!("must be an array of tables, not {}", value.type_name()),
                hint,
            );
        };
        for rule in rules {
            reader.set_key("rule");
            self.settings.rules.extend(read_rule(rule, reader));
        }
    }

    /// Every key in documented order with its value and origin, then the levels that are set, then
    /// the rules.
    pub(super) fn explain(&self) -> Vec<ExplainedSetting> {
        let known =
            |origin: Option<&SettingOrigin>| origin.cloned().unwrap_or(SettingOrigin::Default);
        let keys = KEYS.iter().map(|key| ExplainedSetting {
            key: key.name.to_owned(),
            value: (key.show)(self),
            origin: known(self.origins.get(key.name)),
        });
        let levels = self
            .settings
            .levels
            .0
            .iter()
            .map(|(code, level)| ExplainedSetting {
                key: format!("levels.{code}"),
                value: WordShape(&Level::WORDS).show(level),
                origin: known(self.level_origins.get(code)),
            });
        let rules = self
            .settings
            .rules
            .iter()
            .enumerate()
            .map(|(index, rule)| ExplainedSetting {
                key: format!("rule[{}]", self.exclude.len() + index),
                value: show_rule(rule),
                origin: match &rule.written_in {
                    Some((file, place)) => SettingOrigin::File(file.clone(), Some(*place)),
                    None => SettingOrigin::Default,
                },
            });
        keys.chain(levels).chain(rules).collect()
    }

    /// Completes the settings, with the rules of `exclude` first.
    pub(super) fn finish(mut self) -> Settings {
        self.exclude.append(&mut self.settings.rules);
        self.settings.rules = self.exclude;
        self.settings
    }
}

fn show_rule(rule: &Rule) -> String {
    let set = RULE_KEYS
        .iter()
        .map(|key| (key.name, (key.show)(rule)))
        .filter(|(_, value)| value != NOT_SET);
    let pairs: Vec<_> = set
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

fn read_rule(value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Rule> {
    let entries = reader.table(value)?;
    let mut rule = Rule::default();
    let mut is_whole = true;
    let names: Vec<_> = RULE_KEYS.iter().map(|key| key.name).collect();
    for entry in entries {
        reader.set_key(&entry.key);
        match RULE_KEYS.iter().find(|key| key.name == entry.key) {
            Some(key) => is_whole &= (key.set)(&mut rule, &entry.value, reader),
            None => reader.unknown_key(entry, &entry.key, &names, &[]),
        }
    }
    if let Some(pages) = find_entry(entries, "match") {
        rule.written_in = reader.place_in_file(pages.value.place);
    }
    check_combination(value, entries, reader);
    check_wildcards(&rule, entries, reader);
    is_whole.then_some(rule)
}

/// Records a `{n}` in a rule's source that exceeds the number of wildcards in one of its globs.
fn check_wildcards(rule: &Rule, entries: &[SettingEntry], reader: &mut LayerReader<'_>) {
    let (Some(source), Some(entry)) = (&rule.source, find_entry(entries, "source")) else {
        return;
    };
    let highest = SourceTemplate::new(source).highest_wildcard();
    if let Some(pattern) = rule
        .patterns
        .iter()
        .find(|pattern| pattern.wildcards() < highest)
    {
        let (text, count) = (pattern.as_str(), pattern.wildcards());
        let hint = format!(
            "`{text}` has {count}; each `*`, `**`, `?`, `[…]` and `{{…}}` counts as one wildcard"
        );
        reader.mistake(
            entry.value.place,
            format!("`source` refers to wildcard `{{{highest}}}`, which `match` does not have"),
            Some(hint),
        );
    }
}

/// Records a missing `match` and combinations of keys that are not allowed.
fn check_combination(rule: &SettingValue, entries: &[SettingEntry], reader: &mut LayerReader<'_>) {
    if find_entry(entries, "match").is_none() {
        let hint = "`match = \"**\"` matches every page".to_owned();
        reader.mistake(
            rule.place,
            "a rule has no `match`, so it matches no page".to_owned(),
            Some(hint),
        );
    }
    if let (Some(_), Some(from)) = (
        find_entry(entries, "lastmod"),
        find_entry(entries, "lastmod_from"),
    ) {
        let message = "a rule has both `lastmod` and `lastmod_from`".to_owned();
        let hint = "remove one of the two; a fixed date has no source".to_owned();
        reader.mistake(from.key_place, message, Some(hint));
    }
}

fn find_entry<'v>(entries: &'v [SettingEntry], name: &str) -> Option<&'v SettingEntry> {
    entries.iter().find(|entry| entry.key == name)
}

/// The tables that contain keys: `lastmod`, `lastmod.ignore`, `sitemap`, ….
fn tables() -> impl Iterator<Item = &'static str> {
    KEYS.iter().flat_map(|key| {
        let dots = key.name.match_indices('.');
        dots.map(|(dot, _)| &key.name[..dot])
    })
}

/// The names of the keys and tables that a table accepts.
fn keys_of_table(prefix: &str) -> Vec<&'static str> {
    let keys = KEYS.iter().filter_map(|key| key.name.strip_prefix(prefix));
    let mut names: Vec<_> = keys.filter_map(|key| key.split('.').next()).collect();
    if prefix.is_empty() {
        names.extend(["levels", "rule"]);
    }
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

    #[test]
    fn an_unknown_key_is_reported_with_the_nearest_known_one() {
        let check = |text: &str, expected: &str| {
            assert_eq!(mistakes(text), format!("waypost.toml:1: {expected}\n"));
        };
        check(
            "sitemaps.file = 1",
            "unknown key `sitemaps` (did you mean `sitemap`?)",
        );
        check(
            "sitemap.fiel = 1",
            "unknown key `sitemap.fiel` (did you mean `file`?)",
        );
        check(
            "max_urls = 1",
            "unknown key `max_urls` (did you mean `sitemap.max_urls`?)",
        );
        check(
            "robots_txt.x = 1",
            "unknown key `robots_txt.x` (known keys are `update`, `obey`, `agents`)",
        );
        check(
            "rule = [{match = 'a', prioritty = 0.5}]",
            "unknown key `prioritty` (did you mean `priority`?)",
        );
        check(
            "lastmod.ignore.author = 1",
            "unknown key `lastmod.ignore.author` (did you mean `authors`?)",
        );
        check(
            "lastmod.ignored = 1",
            "unknown key `lastmod.ignored` (did you mean `ignore`?)",
        );
        check(
            "revs_file = 1",
            "unknown key `revs_file` (did you mean `lastmod.ignore.revs_file`?)",
        );
        check("sitemap = 1", "`sitemap` must be a table, not a number");
        check(
            "lastmod.ignore = []",
            "`lastmod.ignore` must be a table, not an array",
        );
        check(
            "levels.redirekt = 1",
            "unknown code `redirekt` \
             (codes are those of findings and reasons that waypost prints)",
        );
        check(
            "levels.noindex = 'off'",
            "`levels.noindex` must be one of `allow`, `note`, `warn`, `deny`, not `off` \
             (did you mean `allow`?)",
        );
        check(
            "levels.noindex = 'error'",
            "`levels.noindex` must be one of `allow`, `note`, `warn`, `deny`, not `error` \
             (did you mean `deny`?)",
        );
        check(
            "rule = {}",
            "`rule` must be an array of tables, not a table \
             (begin each rule with `[[rule]]`, in double brackets)",
        );
    }

    #[test]
    fn a_source_refers_only_to_wildcards_that_every_glob_has() {
        let check = |text: &str| {
            mistakes(format!(
                "[[rule]]\nmatch = ['a/*/**', 'b/*']\nsource = '{text}'"
            ))
        };
        let expected = "waypost.toml:3: \
            `source` refers to wildcard `{2}`, which `match` does not have \
            (`b/*` has 1; each `*`, `**`, `?`, `[…]` and `{…}` counts as one wildcard)\n";
        assert_eq!(check("{1}/{2}.md"), expected);
        assert!(read("[[rule]]\nmatch = ['a/*/**', 'b/?/*']\nsource = '{1}/{2}.md'").is_ok());
    }

    #[test]
    fn a_contradictory_rule_is_a_mistake() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                mistakes(format!("[[rule]]\n{text}")),
                format!("waypost.toml:{expected}\n")
            );
        };
        check(
            "exclude = true",
            "1: a rule has no `match`, so it matches no page \
             (`match = \"**\"` matches every page)",
        );
        check("match = []", "2: `match` must not be empty");
        check(
            "match = 'a'\nlastmod = 2024-01-02\nlastmod_from = []",
            "4: a rule has both `lastmod` and `lastmod_from` \
             (remove one of the two; a fixed date has no source)",
        );
    }
}

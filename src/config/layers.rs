//! Layers of settings, in increasing precedence: defaults, files, environment, flags.

use std::path::{Path, PathBuf};

use super::draft::{DraftSettings, ExplainedSetting};
use super::file::{SettingsFileError, read_site_file, read_text};
use super::keys::KEYS;
use super::mistake::{Mistake, Mistakes, SettingOrigin, SettingsTexts};
use super::reader::LayerReader;
use super::settings::Settings;
use super::syntax::Syntax;
use super::value::{SettingData, SettingEntry, SettingValue};
use super::variable::{hint_for, is_setting, variable_of};
use crate::finding::ALL;

/// The settings file that is read from the site root if it exists.
pub(crate) const SETTINGS_FILE: &str = "waypost.toml";

/// Report at most this many mistakes.
const MAX_MISTAKES: usize = 100;

/// Sources of settings, as collected by the command line.
#[derive(Debug)]
pub struct LayerInputs<'a> {
    /// The directory that paths in settings are relative to.
    pub site_root: &'a Path,
    /// Tables in the generator's own files; later ones take precedence. Missing files are skipped.
    pub generator_tables: &'a [SettingsTable],
    /// `--config`: a file that must exist. Without it, `waypost.toml` in the site root is read if
    /// it exists.
    pub config: Option<&'a Path>,
    /// The environment. Only names that begin with `WAYPOST_` are used.
    pub environment: &'a [(String, String)],
    /// Settings from command-line flags.
    pub flags: Flags,
    /// Codes that `[levels]` accepts in addition to finding codes: the reasons for excluding a
    /// page.
    pub reasons: &'a [&'static str],
}

/// The location of waypost's table in a generator's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsTable {
    /// The file, relative to the site root.
    pub file: PathBuf,
    /// The dotted path of the table, such as `extra.waypost`, or an empty string if the whole file
    /// is ours. Matched case-insensitively, like Hugo's keys.
    pub table: String,
    /// The language of the file.
    pub syntax: Syntax,
    /// Keys in the table that belong to the generator: mdBook's `command` and `optional`.
    pub foreign_keys: Vec<String>,
    /// How the words of a key are joined in this table.
    pub key_case: KeyCase,
    /// Text to read instead of the file's: the generator's own resolved settings.
    pub text: Option<String>,
}

/// How the words of a key are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyCase {
    /// `base_url`.
    #[default]
    Underscores,
    /// `base-url`, which mdBook derives from the variable `MDBOOK_OUTPUT__WAYPOST__BASE_URL`.
    /// `base_url` is accepted too.
    Hyphens,
}

impl SettingsTable {
    /// A table read from a file, without keys of the generator.
    pub fn new(file: PathBuf, table: String, syntax: Syntax) -> Self {
        Self {
            file,
            table,
            syntax,
            foreign_keys: Vec::new(),
            key_case: KeyCase::default(),
            text: None,
        }
    }
}

/// Flags that override settings.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--base-url`.
    pub base_url: Option<String>,
    /// `--output-dir`, absolute or relative to the site root. The caller converts it from a path
    /// relative to the working directory.
    pub output_dir: Option<PathBuf>,
    /// Every `--source-map`, converted like `--output-dir`.
    pub source_map: Vec<PathBuf>,
    /// The file name from `--to` of `waypost index`.
    pub sitemap_file: Option<String>,
}

/// The settings of a run and the origin of each.
#[derive(Debug)]
pub struct LoadedSettings {
    /// The settings.
    pub settings: Settings,
    /// Every key in documented order, then the levels that are set, then the rules.
    pub explained: Vec<ExplainedSetting>,
    /// The files that were read.
    pub texts: SettingsTexts,
}

impl LoadedSettings {
    /// The origin of a key's value.
    pub fn origin_of(&self, key: &str) -> Option<&SettingOrigin> {
        self.explained
            .iter()
            .find(|explained| explained.key == key)
            .map(|explained| &explained.origin)
    }
}

/// Reads all layers; each overrides the one before.
///
/// Returns the mistakes of all layers at once instead of stopping at the first.
pub fn load(inputs: &LayerInputs<'_>) -> Result<LoadedSettings, Mistakes> {
    let mut codes: Vec<_> = ALL.iter().map(|code| code.name).collect();
    codes.extend(inputs.reasons);
    let mut layers = Layers {
        draft: DraftSettings::default(),
        codes,
        mistakes: Vec::new(),
        texts: SettingsTexts::default(),
    };
    for home in inputs.generator_tables {
        layers.apply_generator_table(inputs.site_root, home);
    }
    layers.apply_own_file(inputs.site_root, inputs.config);
    layers.apply_environment(inputs.environment);
    layers.apply_flags(&inputs.flags);
    layers.finish()
}

struct Layers {
    draft: DraftSettings,
    codes: Vec<&'static str>,
    mistakes: Vec<Mistake>,
    texts: SettingsTexts,
}

impl Layers {
    fn apply_generator_table(&mut self, site_root: &Path, home: &SettingsTable) {
        let text = home.text.clone().map_or_else(
            || read_site_file(site_root, &site_root.join(&home.file)),
            Ok,
        );
        match text {
            Ok(text) => self.apply_text(text, home),
            Err(SettingsFileError::Missing) => {}
            Err(error) => self.mistake(
                SettingOrigin::File(home.file.clone(), None),
                error.to_string(),
                error.hint(),
            ),
        }
    }

    /// Reads `waypost.toml`, or the `--config` file instead.
    fn apply_own_file(&mut self, site_root: &Path, config: Option<&Path>) {
        let own = site_root.join(SETTINGS_FILE);
        let (path, shown) = config.map_or((own.as_path(), Path::new(SETTINGS_FILE)), |config| {
            (config, config)
        });
        let home = SettingsTable::new(shown.to_owned(), String::new(), Syntax::Toml);
        let text = if config.is_some() {
            read_text(path)
        } else {
            read_site_file(site_root, path)
        };
        match text {
            Ok(text) => self.apply_text(text, &home),
            Err(SettingsFileError::Missing) if config.is_none() => {}
            Err(error) => self.mistake(
                SettingOrigin::File(home.file, None),
                error.to_string(),
                error.hint(),
            ),
        }
    }

    fn apply_text(&mut self, text: String, home: &SettingsTable) {
        // A file that never mentions the table's name cannot contain it. Whether such a file is
        // well-formed is not our concern.
        if !mentions_table(&text, &home.table) {
            return;
        }
        let parsed = home.syntax.parse(&text);
        self.texts.insert(home.file.clone(), text);
        let origin = SettingOrigin::File(home.file.clone(), None);
        match parsed {
            Ok(value) => {
                let earlier = self.mistakes.len();
                let mut reader = LayerReader::new(origin, &self.codes, &mut self.mistakes);
                apply_table_at(&mut self.draft, &value, &home.table, home, &mut reader);
                self.mistakes[earlier..].sort_by_key(|mistake| mistake.origin.place());
            }
            Err(error) => {
                let origin = SettingOrigin::File(home.file.clone(), error.place);
                self.mistake(origin, error.message, None);
            }
        }
    }

    fn apply_environment(&mut self, environment: &[(String, String)]) {
        // Sorted, because the order of environment variables depends on the platform.
        let mut variables: Vec<_> = environment
            .iter()
            .filter(|(name, _)| is_setting(name))
            .collect();
        variables.sort();
        for (name, text) in variables {
            // CI systems set a variable without a value to the empty string.
            if !text.trim().is_empty() {
                self.apply_variable(name, text);
            }
        }
    }

    fn apply_variable(&mut self, name: &str, text: &str) {
        let mut reader = LayerReader::new(
            SettingOrigin::Environment(name.to_owned()),
            &self.codes,
            &mut self.mistakes,
        );
        reader.set_key(name);
        let value = SettingValue::text(text.trim());
        if let Some(key) = KEYS.iter().find(|key| variable_of(key.name) == name) {
            self.draft.merge_key(key, &value, &mut reader);
        } else if let Some(code) = name.strip_prefix("WAYPOST_LEVELS_") {
            let code = code.to_ascii_lowercase().replace('_', "-");
            self.draft.merge_level(
                &SettingEntry {
                    key: code,
                    key_place: None,
                    value,
                },
                &mut reader,
            );
        } else {
            reader.mistake(
                None,
                format!("unknown environment variable `{name}`"),
                Some(hint_for(name)),
            );
        }
    }

    fn apply_flags(&mut self, flags: &Flags) {
        self.apply_flag("--base-url", "base_url", flags.base_url.as_deref());
        self.apply_flag("--to", "sitemap.file", flags.sitemap_file.as_deref());
        if let Some(folder) = &flags.output_dir {
            self.draft.merge_output_dir(folder);
        }
        if !flags.source_map.is_empty() {
            self.draft.merge_source_map(&flags.source_map);
        }
    }

    /// Applies a flag that sets the same value as a key.
    fn apply_flag(&mut self, flag: &'static str, name: &str, text: Option<&str>) {
        let Some(text) = text else { return };
        let mut reader =
            LayerReader::new(SettingOrigin::Flag(flag), &self.codes, &mut self.mistakes);
        reader.set_key(name);
        let key = KEYS
            .iter()
            .find(|key| key.name == name)
            .expect("the key is in the table");
        self.draft
            .merge_key(key, &SettingValue::text(text), &mut reader);
    }

    fn mistake(&mut self, origin: SettingOrigin, message: String, hint: Option<String>) {
        self.mistakes.push(Mistake {
            origin,
            message,
            hint,
        });
    }

    fn finish(mut self) -> Result<LoadedSettings, Mistakes> {
        if !self.mistakes.is_empty() {
            let more = self.mistakes.len().saturating_sub(MAX_MISTAKES);
            self.mistakes.truncate(MAX_MISTAKES);
            return Err(Mistakes {
                list: self.mistakes,
                more,
                texts: self.texts,
            });
        }
        Ok(LoadedSettings {
            explained: self.draft.explain(),
            settings: self.draft.finish(),
            texts: self.texts,
        })
    }
}

/// Whether a text may contain a table: the last part of its path occurs somewhere in the text.
fn mentions_table(text: &str, table: &str) -> bool {
    let name = table.rsplit('.').next().unwrap_or_default().as_bytes();
    name.is_empty()
        || text
            .as_bytes()
            .windows(name.len())
            .any(|window| window.eq_ignore_ascii_case(name))
}

/// Applies the table at a dotted path. Does nothing if the path does not exist.
fn apply_table_at(
    draft: &mut DraftSettings,
    value: &SettingValue,
    path: &str,
    home: &SettingsTable,
    reader: &mut LayerReader<'_>,
) {
    if path.is_empty() {
        let respelled;
        let value = match home.key_case {
            KeyCase::Underscores => value,
            KeyCase::Hyphens => {
                respelled = with_underscores(value);
                &respelled
            }
        };
        let entries = reader.table(value).unwrap_or_default();
        let ours = entries
            .iter()
            .filter(|entry| !home.foreign_keys.contains(&entry.key));
        return draft.merge_table(ours, "", reader);
    }
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let SettingData::Table(entries) = &value.data else {
        return;
    };
    for entry in entries
        .iter()
        .filter(|entry| entry.key.eq_ignore_ascii_case(name))
    {
        reader.set_key(&entry.key);
        apply_table_at(draft, &entry.value, rest, home, reader);
    }
}

/// Replaces `-` by `_` in the keys of a table and its subtables, except in the codes of `levels`.
fn with_underscores(value: &SettingValue) -> SettingValue {
    let data = match &value.data {
        SettingData::Table(entries) => {
            SettingData::Table(entries.iter().map(entry_with_underscores).collect())
        }
        SettingData::List(values) => {
            SettingData::List(values.iter().map(with_underscores).collect())
        }
        other => other.clone(),
    };
    SettingValue {
        data,
        place: value.place,
    }
}

fn entry_with_underscores(entry: &SettingEntry) -> SettingEntry {
    let value = if entry.key == "levels" {
        entry.value.clone()
    } else {
        with_underscores(&entry.value)
    };
    SettingEntry {
        key: entry.key.replace('-', "_"),
        key_place: entry.key_place,
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GzipMode;
    use crate::config::settings_test::{SettingsTest, mistakes, read};

    fn home(file: &str, table: &str, syntax: Syntax) -> SettingsTable {
        SettingsTable::new(file.into(), table.to_owned(), syntax)
    }

    fn zola() -> SettingsTable {
        home("config.toml", "extra.waypost", Syntax::Toml)
    }

    /// The value and origin of a key.
    fn explained(loaded: &LoadedSettings, key: &str) -> String {
        let found = loaded
            .explained
            .iter()
            .find(|explained| explained.key == key)
            .expect("a known key");
        format!(
            "{} from {}",
            found.value,
            loaded.texts.format_origin(&found.origin)
        )
    }

    #[test]
    fn each_layer_overrides_the_one_before() {
        let check = |trial: SettingsTest, expected: &str| {
            let loaded = trial.load().expect("no mistake");
            assert_eq!(explained(&loaded, "base_url"), expected);
        };
        let site = || SettingsTest::new().home(zola());
        let config = "title = \"x\"\n[extra.waypost]\nbase_url = \"https://a.example\"\n";
        let own = "\n\nbase_url = \"https://b.example\"\n";
        let flags = || Flags {
            base_url: Some("https://d.example".to_owned()),
            output_dir: None,
            ..Flags::default()
        };
        check(site(), "not set from default");
        check(
            site().file("config.toml", config),
            "\"https://a.example/\" from config.toml:3",
        );
        let site = || {
            SettingsTest::new()
                .home(zola())
                .file("config.toml", config)
                .file("waypost.toml", own)
        };
        check(site(), "\"https://b.example/\" from waypost.toml:3");
        let site = || site().variable("WAYPOST_BASE_URL", "https://c.example");
        check(site(), "\"https://c.example/\" from WAYPOST_BASE_URL");
        check(
            site().flags(flags()),
            "\"https://d.example/\" from --base-url",
        );
    }

    #[test]
    fn rules_and_levels_of_all_layers_are_combined_and_exclude_comes_first() {
        let loaded = SettingsTest::new()
            .home(zola())
            .file(
                "config.toml",
                "[extra.waypost]\nexclude = [\"x\"]\n\
                 levels.unused-rule = \"deny\"\nlevels.noindex = \"warn\"\n\
                 [[extra.waypost.rule]]\nmatch = \"a\"\npriority = 0.1\n",
            )
            .file(
                "waypost.toml",
                "exclude = [\"y\", \"z\"]\nlevels.noindex = \"deny\"\n\
                 [[rule]]\nmatch = [\"b\", \"c\"]\nexclude = true\n",
            )
            .load()
            .expect("no mistake");
        let patterns = loaded
            .settings
            .rules
            .iter()
            .map(|rule| rule.patterns[0].as_str());
        assert_eq!(patterns.collect::<Vec<_>>(), ["y", "z", "a", "b"]);
        let text = loaded
            .texts
            .of(Path::new("waypost.toml"))
            .expect("the file was read");
        let (file, place) = loaded.settings.rules[0]
            .written_in
            .as_ref()
            .expect("the place is known");
        assert_eq!(
            (
                file.as_path(),
                &text[place.start as usize..place.end as usize]
            ),
            (Path::new("waypost.toml"), "\"y\"")
        );
        let shown = [
            "exclude",
            "levels.noindex",
            "levels.unused-rule",
            "rule[2]",
            "rule[3]",
        ];
        assert_eq!(
            shown.map(|key| explained(&loaded, key)),
            [
                "[\"y\", \"z\"] from waypost.toml:1",
                "\"deny\" from waypost.toml:2",
                "\"deny\" from config.toml:3",
                "{ match = [\"a\"], priority = 0.1 } from config.toml:6",
                "{ match = [\"b\", \"c\"], exclude = true } from waypost.toml:4",
            ]
        );
    }

    #[test]
    fn every_key_can_be_set_by_an_environment_variable() {
        let check = |name: &str, text: &str, key: &str, expected: &str| {
            let loaded = SettingsTest::new()
                .variable(name, text)
                .load()
                .expect("no mistake");
            assert_eq!(explained(&loaded, key), format!("{expected} from {name}"));
        };
        check(
            "WAYPOST_OUTPUT_DIR",
            "/srv/www",
            "output_dir",
            "\"/srv/www\"",
        );
        check(
            "WAYPOST_SITEMAP_FILE",
            "map.xml",
            "sitemap.file",
            "\"map.xml\"",
        );
        check("WAYPOST_SITEMAP_MAX_URLS", " 7 ", "sitemap.max_urls", "7");
        check(
            "WAYPOST_ROBOTS_TXT_OBEY",
            "false",
            "robots_txt.obey",
            "false",
        );
        check(
            "WAYPOST_LASTMOD_FROM",
            "page, git,",
            "lastmod.from",
            "[\"page\", \"git\"]",
        );
        check(
            "WAYPOST_EXCLUDE",
            "a/{b,c}/**,d",
            "exclude",
            "[\"a/{b,c}/**\", \"d\"]",
        );
        check(
            "WAYPOST_LEVELS_UNUSED_RULE",
            "deny",
            "levels.unused-rule",
            "\"deny\"",
        );
    }

    #[test]
    fn empty_and_foreign_variables_are_ignored() {
        let trial = SettingsTest::new()
            .variable("WAYPOST_SITEMAP_GZIP", "")
            .variable("WAYPOST_BIN", "/bin/x");
        let loaded = trial
            .variable("WAYPOST_LOG", "debug")
            .variable("PATH", "/bin")
            .load()
            .expect("no mistake");
        assert_eq!(loaded.settings.sitemap.gzip, GzipMode::Off);
    }

    #[test]
    fn an_invalid_variable_is_reported() {
        let mistakes = SettingsTest::new()
            .variable("WAYPOST_SITEMAP_GZP", "also")
            .variable("WAYPOST_SITEMAP_GZIP", "yes")
            .variable("WAYPOST_LEVELS_UNUSD_RULE", "deny")
            .variable("WAYPOST_SITEMAP_IMAGES", "1")
            .variable("WAYPOST_VERSION", "1")
            .variable("WAYPOST_EXCLUDE", "[\"a/**\", \"b\"]")
            .load()
            .expect_err("there are mistakes");
        let expected = "\
`WAYPOST_EXCLUDE` must not be enclosed in brackets
unknown code `unusd-rule`
`WAYPOST_SITEMAP_GZIP` must be one of `off`, `also`, `only`, not `yes`
unknown environment variable `WAYPOST_SITEMAP_GZP`
`WAYPOST_SITEMAP_IMAGES` must be `true` or `false`, not `1`
unknown environment variable `WAYPOST_VERSION`";
        assert_eq!(mistakes.to_string(), expected);
        let hints = mistakes
            .list
            .iter()
            .filter_map(|mistake| mistake.hint.as_deref());
        let expected = [
            "separate values with commas, without brackets and quotes: `a/**,b/**`",
            "did you mean `unused-rule`?",
            "did you mean `WAYPOST_SITEMAP_GZIP`?",
            "every variable that begins with `WAYPOST_` is read as a setting; unset or rename it",
        ];
        assert_eq!(hints.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn hugos_table_may_be_yaml_or_json_and_capitalized() {
        let check = |file: &str, table: &str, syntax: Syntax, text: &str| {
            let trial = SettingsTest::new()
                .home(home(file, table, syntax))
                .file(file, text);
            let loaded = trial
                .load()
                .unwrap_or_else(|mistakes| panic!("{file}: {mistakes}"));
            assert_eq!(
                explained(&loaded, "sitemap.max_urls"),
                format!("7 from {file}:4")
            );
            assert_eq!(
                explained(&loaded, "rule[0]"),
                format!("{{ match = [\"a\"], priority = 1.0 }} from {file}:6")
            );
        };
        let toml = "title = 'x'\n[Params.Waypost]\n[Params.Waypost.sitemap]\nmax_urls = 7\n\
                    [[Params.Waypost.rule]]\nmatch = 'a'\npriority = 1\n";
        check("hugo.toml", "params.waypost", Syntax::Toml, toml);
        let yaml = concat!(
            "params:\n  waypost:\n    sitemap:\n      max_urls: 7\n",
            "    rule:\n    - match: a\n      priority: 1\n",
        );
        check("hugo.yaml", "params.waypost", Syntax::Yaml, yaml);
        let json = "{\"waypost\": {\n\t\"sitemap\":\n\t{\n\t\t\"max_urls\": 7},\n\
                    \t\"rule\": [{\n\t\"match\": \"a\", \"priority\": 1 }]}}";
        check("params.json", "waypost", Syntax::Json, json);
    }

    #[test]
    fn keys_of_the_generator_in_our_table_are_ignored() {
        let foreign_keys = vec!["command".to_owned(), "optional".to_owned()];
        let book = SettingsTable {
            foreign_keys,
            ..home("book.toml", "output.waypost", Syntax::Toml)
        };
        let text = "[output.waypost]\ncommand = \"waypost\"\nurl_style = \"keep\"\n";
        assert!(
            SettingsTest::new()
                .home(book)
                .file("book.toml", text)
                .load()
                .is_ok()
        );
    }

    #[test]
    fn a_generators_file_without_our_table_need_not_be_well_formed() {
        let trial = || SettingsTest::new().home(zola());
        assert!(trial().file("config.toml", "base_url = [").load().is_ok());
        assert!(
            trial()
                .file("config.toml", "[extra]\nwaypost_theme = 1\n")
                .load()
                .is_ok()
        );
        let mistakes = trial()
            .file("config.toml", "[extra]\nwaypost = 1\n")
            .load()
            .expect_err("not a table");
        assert_eq!(
            mistakes.to_string(),
            "config.toml:2: `waypost` must be a table, not a number"
        );
    }

    #[test]
    fn a_config_file_must_exist() {
        let trial = SettingsTest::new()
            .file("other.toml", "url_style = \"keep\"")
            .file("waypost.toml", "url_style = \"clean\"");
        let loaded = trial
            .load_with(Some(&trial.root().join("other.toml")))
            .expect("no mistake");
        assert!(explained(&loaded, "url_style").starts_with("\"keep\""));
        let mistakes = trial
            .load_with(Some(Path::new("missing.toml")))
            .expect_err("the file is missing");
        assert_eq!(
            mistakes.to_string(),
            "missing.toml: the settings file does not exist"
        );
    }

    #[test]
    fn an_unreadable_file_is_a_mistake() {
        let broken = "broken.toml:2: the settings file is not UTF-8";
        assert_eq!(
            mistakes(b"a = \"\xff\""),
            "waypost.toml: the settings file is not UTF-8: invalid byte at offset 5 \
             (save it as UTF-8)\n",
            "{broken}"
        );
        let trial = SettingsTest::new();
        std::fs::create_dir(trial.root().join("waypost.toml")).expect("the directory is created");
        let shown = trial.load().expect_err("it is a directory").to_string();
        assert_eq!(
            shown,
            "waypost.toml: the settings file is not a regular file"
        );
        assert_eq!(
            mistakes(vec![b'#'; 5 << 20]),
            "waypost.toml: the settings file is larger than 4 MiB \
             (check that the path is correct)\n"
        );
    }

    #[test]
    fn an_empty_file_and_a_byte_order_mark_are_accepted() {
        assert!(read("").is_ok());
        assert!(read("\u{feff}").is_ok());
        let loaded = read("\u{feff}url_style = \"keep\"").expect("no mistake");
        assert_eq!(
            explained(&loaded, "url_style"),
            "\"keep\" from waypost.toml:1"
        );
    }

    #[test]
    fn a_megabyte_of_settings_is_read_and_the_list_of_mistakes_is_truncated() {
        let rules = "[[rule]]\nmatch = \"blog/**\"\npriority = 0.5\n".repeat(25_000);
        assert_eq!(
            read(&rules).expect("no mistake").settings.rules.len(),
            25_000
        );
        let wrong = rules.replace("0.5", "5.0");
        let mistakes = read(wrong).expect_err("there are mistakes");
        assert_eq!((mistakes.list.len(), mistakes.more), (100, 24_900));
        assert!(mistakes.to_string().ends_with("\nand 24900 more"));
    }
}

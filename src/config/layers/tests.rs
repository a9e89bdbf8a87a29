//! Tests of `layers`.

use super::*;
use crate::config::settings_test::{SettingsTest, mistake, read, shown};
use sitemaps::GzipMode;

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
        shown(&loaded.texts, &found.origin)
    )
}

/// Checks the values of keys with their origins.
#[track_caller]
fn check_explained(loaded: &LoadedSettings, rows: &[(&str, &str)]) {
    for (key, expected) in rows {
        assert_eq!(explained(loaded, key), *expected);
    }
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
            .file("config.toml", "title = \"x\"\n")
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
             levels.setting-unused = \"deny\"\nlevels.noindex = \"warn\"\n\
             [[extra.waypost.rule]]\nmatch = \"a\"\npriority = 0.1\n",
        )
        .file(
            "waypost.toml",
            "exclude = [\"y\", \"z\"]\nlevels.noindex = \"warn\"\n\
             [[rule]]\nmatch = [\"b\", \"c\"]\nexclude = true\n",
        )
        .load()
        .expect("no mistake");
    let patterns = loaded
        .settings
        .rules
        .iter()
        .map(|rule| rule.patterns[0].as_str());
    assert_eq!(patterns.collect::<Vec<_>>(), ["x", "y", "z", "a", "b"]);
    let (file, place) = loaded.settings.rules[1]
        .written_in
        .as_ref()
        .expect("the place is known");
    let text = loaded.texts.of(file).expect("the file was read");
    let written = &text[place.start as usize..place.end as usize];
    assert!(file.ends_with("waypost.toml"));
    assert_eq!(written, "\"y\"");
    let rows = [
        ("exclude", r#"["x", "y", "z"] from waypost.toml:1"#),
        ("levels.noindex", "\"warn\" from waypost.toml:2"),
        ("levels.setting-unused", "\"deny\" from config.toml:3"),
        (
            "rule[3]",
            r#"{ match = ["a"], priority = 0.1 } from config.toml:6"#,
        ),
        (
            "rule[4]",
            r#"{ match = ["b", "c"], exclude = true } from waypost.toml:4"#,
        ),
    ];
    check_explained(&loaded, &rows);
}

#[test]
fn our_own_file_overrides_the_generators_table_key_by_key() {
    let load = |config: Option<&str>| {
        let table = "url_style = 'keep'\nsitemap.gzip = 'also'\nlastmod.from = ['git']\n\
                     levels.noindex = 'deny'\nsubmit.key = 'abcdefgh1'\n";
        let own = "url_style = 'clean'\nlastmod.from = ['page']\nlevels.noindex = 'warn'\n";
        let trial = SettingsTest::new()
            .home(zola())
            .file("config.toml", format!("[extra.waypost]\n{table}"))
            .file("waypost.toml", own);
        let config = config.map(|name| trial.root().join(name));
        trial.load_with(config.as_deref()).expect("no mistake")
    };
    let both = load(None);
    let rows = [
        ("url_style", "\"clean\" from waypost.toml:1"),
        ("sitemap.gzip", "\"also\" from config.toml:3"),
        ("lastmod.from", "[\"page\"] from waypost.toml:2"),
        ("levels.noindex", "\"warn\" from waypost.toml:3"),
    ];
    check_explained(&both, &rows);
    assert!(both.settings.submit.key.is_some());
    let named = load(Some("waypost.toml"));
    assert_eq!(named.settings.url_style, both.settings.url_style);
}

#[test]
fn every_key_can_be_set_by_an_environment_variable() {
    let table = r#"
        OUTPUT_DIR            | /srv/www     | output_dir            | "/srv/www"
        SITEMAP_MAX_URLS      |  7           | sitemap.max_urls      | 7
        ROBOTS_TXT_OBEY       | false        | robots_txt.obey       | false
        LASTMOD_FROM          | page, git,   | lastmod.from          | ["page", "git"]
        EXCLUDE               | a/{b,c}/**,d | exclude               | ["a/{b,c}/**", "d"]
        EXCLUDE               | ["a", "b"]   | exclude               | ["a", "b"]
        LEVELS_SETTING_UNUSED | deny         | levels.setting-unused | "deny"
    "#;
    for row in table.trim().lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = format!("WAYPOST_{}", cells[0]);
        let loaded = SettingsTest::new().variable(&name, cells[1]).load();
        let shown = explained(&loaded.expect("no mistake"), cells[2]);
        assert_eq!(shown, format!("{} from {name}", cells[3]));
    }
}

#[test]
fn empty_and_foreign_variables_are_ignored() {
    let trial = SettingsTest::new()
        .variable("WAYPOST_SITEMAP_GZIP", "")
        .variable("WAYPOST_VERSION", "1.2.3")
        .variable("WAYPOST_BIN", "/bin/x");
    let loaded = trial.variable("PATH", "/bin").load().expect("no mistake");
    assert_eq!(loaded.settings.sitemap.gzip, GzipMode::Off);
}

#[test]
fn an_invalid_variable_is_reported() {
    let check = |name: &str, text: &str, expected: &str| {
        let error = SettingsTest::new().variable(name, text).load();
        let error = error.expect_err("the value is wrong");
        let hint = error.mistake.hint.clone().unwrap_or_default();
        assert_eq!(format!("{error} {hint}").trim(), expected);
    };
    let unknown = "unknown environment variable `WAYPOST_SITEMAP_GZP` \
                   did you mean `WAYPOST_SITEMAP_GZIP`?";
    check("WAYPOST_SITEMAP_GZP", "also", unknown);
    let code = "unknown code `setting-unusd` did you mean `setting-unused`?";
    check("WAYPOST_LEVELS_SETTING_UNUSD", "deny", code);
    let boolean = "`WAYPOST_SITEMAP_FEEDS` must be a boolean, not integer `1`";
    check("WAYPOST_SITEMAP_FEEDS", "1", boolean);
}

#[test]
fn hugos_table_may_be_yaml_or_json_and_capitalized() {
    let check = |file: &str, table: &str, syntax: Syntax, text: &str| {
        let trial = SettingsTest::new()
            .home(home(file, table, syntax))
            .file(file, text);
        let loaded = trial.load().expect(file);
        let most = format!("7 from {file}:4");
        let rule = format!("{{ match = [\"a\"], priority = 1.0 }} from {file}:6");
        check_explained(&loaded, &[("sitemap.max_urls", &most), ("rule[0]", &rule)]);
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
    let trial = SettingsTest::new().home(book).file("book.toml", text);
    assert!(trial.load().is_ok());
}

#[test]
fn a_generators_file_without_our_table_need_not_be_well_formed() {
    let load = |text: &str| {
        let trial = SettingsTest::new().home(zola());
        trial.file("config.toml", text).load()
    };
    assert!(load("base_url = [").is_ok());
    assert!(load("[extra]\nwaypost_theme = 1\n").is_ok());
    let shown = load("[extra]\nwaypost = 1\n").expect_err("not a table");
    let shown = shown.to_string();
    let expected = "/config.toml:2: `waypost` must be a table, not a number";
    assert!(shown.ends_with(expected), "{shown}");
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
    let missing = trial.load_with(Some(Path::new("missing.toml")));
    let shown = missing.expect_err("the file is missing").to_string();
    assert_eq!(shown, "missing.toml: the settings file does not exist");
}

#[test]
fn an_unreadable_file_is_a_mistake() {
    let check = |shown: &str, expected: &str| {
        let cannot = "waypost.toml: the settings file cannot be read:";
        assert!(
            shown.starts_with(&format!("{cannot} {expected}")),
            "{shown}"
        );
    };
    check(&mistake(b"a = \"\xff\""), "invalid utf-8 sequence");
    let trial = SettingsTest::new();
    std::fs::create_dir(trial.root().join("waypost.toml")).expect("the directory is created");
    let shown = trial.load().expect_err("it is a directory").to_string();
    let shown = shown.rsplit('/').next().unwrap_or_default();
    check(shown, "it is not a regular file");
}

#[test]
fn an_empty_file_and_a_byte_order_mark_are_accepted() {
    assert!(read("").is_ok());
    assert!(read("\u{feff}").is_ok());
    let loaded = read("\u{feff}url_style = \"keep\"").expect("no mistake");
    check_explained(&loaded, &[("url_style", "\"keep\" from waypost.toml:1")]);
}

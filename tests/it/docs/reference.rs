//! The reference of commands and settings is that of the program.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use super::generated_parts::{assert_page, page_text, with_head, with_part};
use crate::command_help::command_names;
use crate::contracts::manifest::manifest;
use crate::site_test::SiteTest;

/// A generated part: its name and its text.
type Part = (String, String);

#[test]
fn the_reference_of_commands_is_the_help_of_each_command() {
    let site = SiteTest::empty();
    let help = |arguments: &[&str]| site.waypost(arguments).succeeded().stdout;
    let overview = help(&["--help"]);
    let (overview, _) = overview.split_once("\nArguments:").expect("a blank line");
    let mut parts = vec![("waypost".to_owned(), block(overview))];
    let of_build = block(&help(&["help", "build"]));
    let names = command_names().into_iter();
    // One sentence says what these print.
    let names = names.filter(|name| !["completions", "schema"].contains(&&**name));
    parts.extend(names.map(|name| {
        let text = help(&["help", &name]);
        let text = if name == "build" {
            text
        } else {
            without_options_of(&of_build, &text)
        };
        (name, block(&text))
    }));
    parts.push(("exit codes".to_owned(), exit_code_rows()));
    parts.push(("variables".to_owned(), variable_rows()));
    assert_parts("reference/commands.md", parts);
}

/// A help text without the options and exit codes that another one describes in the same words, and
/// without those of most commands. The last line of the options names them.
fn without_options_of(described: &str, help: &str) -> String {
    let (before, options) = help.split_once("\nOptions:\n").expect("options");
    let (options, after) = options.split_once("\n\nExamples:").expect("examples");
    let is_start = |line: &str| line.trim_start().starts_with('-') && !line.starts_with("       ");
    let mut blocks: Vec<String> = Vec::new();
    for line in options.lines().map(str::trim_end) {
        if is_start(line) {
            blocks.push(String::new());
        }
        let block = blocks.last_mut().expect("the first line starts an option");
        block.extend([line, "\n"]);
    }
    let blocks = blocks.iter().map(|block| block.trim_end());
    let (same, own): (Vec<&str>, Vec<&str>) =
        blocks.partition(|block| described.contains(&format!("{block}\n")));
    let names = same.iter().filter_map(|block| {
        let flags = block.lines().next()?.trim();
        flags.split([' ', '[']).find(|name| name.starts_with("--"))
    });
    let names: Vec<&str> = names.collect();
    let rows: Vec<String> = names.chunks(6).map(|row| row.join(", ")).collect();
    let as_for_build = format!("      as for build: {}", rows.join(",\n        "));
    let own = [own, vec![&as_for_build]].concat().join("\n\n");
    let (examples, codes) = after.split_once("\n\nExit codes:").expect("exit codes");
    let is_plain = codes.trim_end() == "\n  0  success\n  2  could not run";
    let codes = if is_plain || described.contains(codes.trim_end()) {
        String::new()
    } else {
        format!("\n\nExit codes:{codes}")
    };
    format!("{before}\nOptions:\n{own}\n\nExamples:{examples}{codes}")
}

fn block(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n", lines.join("\n").trim_end())
}

fn exit_code_rows() -> String {
    let codes = manifest().exit_code.into_iter();
    let rows = codes.map(|row| format!("| {} | {} |\n", row.code, row.about));
    "| exit code | meaning |\n| --- | --- |\n".to_owned() + &rows.collect::<String>()
}

fn variable_rows() -> String {
    let variables = manifest().variable.into_iter();
    let rows = variables.map(|row| format!("| `{}` | {} |\n", row.names.join("`, `"), row.about));
    "| variable | effect |\n| --- | --- |\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn the_reference_of_settings_is_the_schema_of_the_settings() {
    let schema = SiteTest::empty().waypost(&["schema"]).succeeded().stdout;
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let settings = settings_of(&schema, "");
    let rules = settings_of(&schema["properties"]["rule"]["items"], "rule.");
    assert!(settings.len() > 30 && rules.len() > 7);
    let heads = [settings, rules].concat();
    assert_page("reference/settings.md", |text| {
        assert_eq!(text.matches("\n### `").count(), heads.len());
        heads.iter().fold(text.to_owned(), |text, (name, head)| {
            with_head(&text, head).unwrap_or_else(|| panic!("no section about `{name}`"))
        })
    });
}

#[test]
fn the_reference_of_the_action_is_its_file() {
    let action = include_str!("../../../action.yml");
    let action: Value = serde_saphyr::from_str(action).expect("the file is YAML");
    let parts = ["inputs", "outputs"].map(|kind| {
        let rows = action[kind].as_object().expect("a table").iter();
        let rows = rows.map(|(name, about)| {
            let about = about["description"].as_str().expect("a string");
            format!("| `{name}` | {about} |\n")
        });
        let head = format!("| {} | |\n| --- | --- |\n", kind.trim_end_matches('s'));
        (kind.to_owned(), head + &rows.collect::<String>())
    });
    assert_parts("hosts/github-pages.md", parts.to_vec());
}

#[test]
fn the_defaults_of_settings_are_those_of_a_run() {
    let site = SiteTest::empty();
    site.page("index.html", "");
    let shown = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    let page = page_text("reference/settings.md");
    // Facts about the site follow the settings, and `SiteTest` sets a level.
    let (settings, _) = shown.split_once("\n\n").expect("a blank line");
    let mut count = 0;
    for line in settings.lines().filter(|line| !line.starts_with("levels.")) {
        let (key, value) = line.split_once(" = ").expect("a line has a key");
        let value = value.strip_suffix("  # default").expect("nothing is set");
        let section = page.split_once(&format!("### `{key}`\n"));
        let (_, section) = section.expect("the setting has a section");
        let section = section.trim_start().split("\n\n").next();
        let stated = section.and_then(|text| text.split_once("; default: "));
        let stated = stated.map_or("not set", |(_, value)| value.trim_end().trim_matches('`'));
        assert_eq!(stated, value, "{key}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn every_key_of_the_json_results_is_described() {
    let page = page_text("reference/json.md");
    let (mut prose, mut results) = (String::new(), String::new());
    for (at, part) in page.split("```").enumerate() {
        match at % 2 {
            0 => prose.push_str(part),
            _ if part.starts_with("console\n") => results.push_str(part),
            _ => {}
        }
    }
    let key = Regex::new(r#""([a-z_]+)":"#).expect("a pattern");
    let keys = key.captures_iter(&results).map(|found| found[1].to_owned());
    let missing = keys.filter(|key| !prose.contains(&format!("`{key}`")));
    let missing: BTreeSet<String> = missing.collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Asserts that a page has these parts and no other.
fn assert_parts(page: &str, parts: Vec<Part>) {
    assert_page(page, |text| {
        let count = text.matches("<!-- generated: ").count();
        assert_eq!(count, parts.len(), "the generated parts of docs/src/{page}");
        parts
            .into_iter()
            .fold(text.to_owned(), |text, (name, part)| {
                with_part(&text, &name, &part)
                    .unwrap_or_else(|| panic!("docs/src/{page} lacks `<!-- generated: {name} -->`"))
            })
    });
}

/// A part for each key of a table and of the tables in it.
fn settings_of(table: &Value, prefix: &str) -> Vec<Part> {
    let keys = table["properties"].as_object().expect("an object");
    let parts = keys.iter().flat_map(|(key, schema)| {
        let name = format!("{prefix}{key}");
        match (key.as_str(), schema["description"].as_str()) {
            // `levels` has the codes, `rule` a section of its own, and `generator` a guide.
            ("levels" | "rule" | "generator", _) => Vec::new(),
            // A table; each of its keys has a section.
            _ if schema["properties"].is_object() => settings_of(schema, &format!("{name}.")),
            (_, about) => {
                let text = setting_text(&name, about.expect("every key has one"), schema);
                vec![(name, text)]
            }
        }
    });
    parts.collect()
}

fn setting_text(name: &str, about: &str, schema: &Value) -> String {
    let default = schema.get("default").map(|default| {
        let default = default.to_string().replace("\",\"", "\", \"");
        format!("; default: `{default}`")
    });
    let (value, default) = (value_text(schema), default.unwrap_or_default());
    format!("### `{name}`\n\n{about}\n- Value: {value}{default}\n")
}

/// The type of a setting in words.
fn value_text(schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    let limits = |unit: &str| match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => format!("{unit} from {least} to {most}"),
        _ => unit.to_owned(),
    };
    match schema["type"].as_str() {
        Some("array") => format!("array of {}", items_text(&schema["items"])),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("integer") => limits("integer"),
        Some("number") => limits("number"),
        Some("object") => format!("table with {}", keys_text(schema)),
        Some(other) => other.to_owned(),
        None => "string, or array of strings".to_owned(),
    }
}

fn items_text(items: &Value) -> String {
    match items["type"].as_str() {
        Some(one) => format!("{one}s"),
        None => value_text(items),
    }
}

fn keys_text(table: &Value) -> String {
    let keys = table["properties"].as_object().expect("an object").keys();
    let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}

//! Checks that README.md agrees with the program.

use std::fs;
use std::path::Path;

use serde_json::Value;
use site_paths::finding::{ALL, Code, Level};
use waypost::internals::REASONS;

use crate::expected::is_to_be_rewritten;
use crate::site_test::SiteTest;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The marker before the help text.
const HELP_MARK: &str = "<!-- help -->\n```\n";

/// The text of README.md.
pub(crate) fn readme() -> String {
    fs::read_to_string(README).expect("the README exists")
}

#[test]
fn the_readme_contains_the_help_text_of_the_program() {
    let help = SiteTest::empty().waypost(&["--help"]).succeeded().stdout;
    let readme = readme();
    let (before, rest) = readme
        .split_once(HELP_MARK)
        .expect("the README contains the marker");
    let (written, after) = rest.split_once("\n```").expect("the block ends");
    if is_to_be_rewritten() {
        fs::write(
            README,
            format!("{before}{HELP_MARK}{}\n```{after}", help.trim_end()),
        )
        .expect("the README can be written");
        return;
    }
    assert_eq!(
        written,
        help.trim_end(),
        "set UPDATE_EXPECTED=1 to rewrite it"
    );
}

#[test]
fn every_reason_and_every_finding_has_a_row_in_the_readme() {
    let readme = readme();
    let codes: Vec<&Code> = REASONS
        .iter()
        .map(|reason| reason.code)
        .chain(ALL.iter().copied())
        .collect();
    let rows: Vec<String> = codes.into_iter().map(row).collect();
    if is_to_be_rewritten() {
        return rewrite_rows(|line| {
            let (code, _) = line.split_once("` | ")?;
            let code = format!("{code}` | ");
            rows.iter().find(|row| row.starts_with(&code)).cloned()
        });
    }
    let missing: Vec<&String> = rows
        .iter()
        .filter(|row| !readme.lines().any(|line| line == *row))
        .collect();
    assert!(
        missing.is_empty(),
        "the README lacks these rows or differs: {missing:#?}"
    );
    let has_level = |line: &str| {
        Level::WORDS
            .iter()
            .any(|(word, _)| line.contains(&format!("` | {word} | ")))
    };
    let unknown: Vec<&str> = readme
        .lines()
        .filter(|line| has_level(line) && !rows.iter().any(|row| row == line))
        .collect();
    assert!(
        unknown.is_empty(),
        "the program does not know these codes: {unknown:#?}"
    );
}

/// Replaces the lines of the README that have a new row.
fn rewrite_rows(new_row: impl Fn(&str) -> Option<String>) {
    let lines: Vec<String> = readme()
        .lines()
        .map(|line| new_row(line).unwrap_or_else(|| line.to_owned()))
        .collect();
    fs::write(README, lines.join("\n") + "\n").expect("the README can be written");
}

/// The table row of a code.
fn row(code: &Code) -> String {
    let level = Level::WORDS
        .iter()
        .find(|(_, level)| *level == code.level)
        .expect("every level has a name")
        .0;
    let about: Vec<&str> = code.about.split_whitespace().collect();
    format!("| `{}` | {level} | {} |", code.name, about.join(" "))
}

#[test]
fn every_setting_has_a_row_in_the_readme() {
    let readme = readme();
    let schema = SiteTest::empty().waypost(&["schema"]).succeeded().stdout;
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let mut rows = Vec::new();
    push_rows(&schema, "", &mut rows);
    push_rows(&schema["properties"]["rule"]["items"], "", &mut rows);
    if is_to_be_rewritten() {
        return rewrite_rows(|line| {
            let mut named = rows.iter().filter(|(start, _)| line.starts_with(start));
            let start = &rows.iter().find(|(start, _)| line.starts_with(start))?.0;
            // A rule's key has no default, so its row has two cells. Those rows come last.
            match line[start.len()..].split_once(" | ") {
                Some((default, _)) => Some(format!("{start}{default} {}", named.next()?.1)),
                None => Some(format!(
                    "{start}{}",
                    named.next_back()?.1.strip_prefix("| ")?
                )),
            }
        });
    }
    let is_missing = |(start, end): &&(String, String)| {
        !readme
            .lines()
            .any(|line| line.starts_with(start.as_str()) && line.ends_with(end.as_str()))
    };
    let missing: Vec<_> = rows.iter().filter(is_missing).collect();
    assert!(
        rows.len() > 30 && missing.is_empty(),
        "the README lacks these rows or differs: {missing:#?}"
    );
}

#[test]
fn every_default_in_the_readme_is_that_of_the_program() {
    let site = SiteTest::empty();
    site.page("index.html", "");
    let shown = site.waypost(&["explain", "--settings"]).succeeded().stdout;
    // Facts about the site follow the settings.
    let (settings, _) = shown.split_once("\n\n").expect("a blank line");
    let readme = readme();
    let is_missing = |line: &&str| {
        let (key, value) = line.split_once(" = ").expect("a line has a key");
        let value = value
            .strip_suffix("  # default")
            .expect("no setting is set");
        let row = format!("| `{key}` | `{value}` | ");
        // Without a default, the README says in words what applies.
        value != "not set" && !readme.lines().any(|line| line.starts_with(&row))
    };
    // `SiteTest` sets a level.
    let settings: Vec<&str> = settings
        .lines()
        .filter(|line| !line.starts_with("levels."))
        .collect();
    let missing: Vec<&&str> = settings.iter().filter(|line| is_missing(line)).collect();
    assert!(
        settings.len() > 30 && missing.is_empty(),
        "the README has other defaults: {missing:#?}"
    );
}

/// Collects the first and the last cell of each setting's row: the key and the description.
fn push_rows(schema: &Value, table: &str, rows: &mut Vec<(String, String)>) {
    for (key, property) in schema["properties"].as_object().expect("an object") {
        match (key.as_str(), property["description"].as_str()) {
            // They have separate tables.
            ("levels" | "rule", _) => {}
            // Tables have no description; each of their keys has one.
            (_, None) => push_rows(property, &format!("{table}{key}."), rows),
            (_, Some(about)) => rows.push((format!("| `{table}{key}` | "), format!("| {about} |"))),
        }
    }
}

#[test]
fn links_within_the_project_are_not_broken() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "sample-site/README.md",
        "tests/cases/README.md",
    ] {
        let file = top.join(document);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{document}: {error}"));
        let targets = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.is_empty() && !target.contains(':')) {
            assert!(
                file.with_file_name(target).exists(),
                "{document} links to the missing file {target}"
            );
            links += 1;
        }
    }
    assert!(links > 0);
}

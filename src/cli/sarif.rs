//! Findings as SARIF 2.1.0 (OASIS), the format in which code hosts accept check results.
//!
//! A page with a known source is located in that file, because only the source is in the
//! repository. The rendered page, with line and column, is then a related location.

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::github_paths::workspace_path;
use super::places::PlaceResolver;
use crate::inventory::Inventory;
use crate::settings::LevelOverrides;
use site_paths::finding::{Code, Finding, Level};

/// The URL of the SARIF schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of one run, without findings at level `allow`.
pub(super) fn log(
    environment: &BTreeMap<String, String>,
    levels: &LevelOverrides,
    inventory: Option<&Inventory>,
    findings: &[Finding],
    pointers: &mut PlaceResolver<'_>,
) -> Value {
    let reported: Vec<&Finding> = findings
        .iter()
        .filter(|finding| levels.level_of(finding.code) > Level::Allow)
        .collect();
    let mut codes: Vec<&'static Code> = reported.iter().map(|finding| finding.code).collect();
    codes.sort_unstable_by_key(|code| code.name);
    codes.dedup_by_key(|code| code.name);
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| rule(code, levels.level_of(code)))
        .collect();
    let results: Vec<Value> = reported
        .into_iter()
        .map(|finding| {
            let rule = codes.binary_search_by_key(&finding.code.name, |code| code.name);
            let mut result = json!({
                "ruleId": finding.code.name,
                "ruleIndex": rule.expect("every code has a rule"),
                "level": word(levels.level_of(finding.code)),
                "message": { "text": message(finding) },
            });
            let in_repository = |path: String| workspace_path(environment, Path::new(&path));
            let (file, line_column) = pointers.resolve(finding);
            let source = inventory.and_then(|inventory| pointers.source_of(inventory, finding));
            let source = source.map(in_repository);
            locate(&mut result, source, (file.map(in_repository), line_column));
            result
        })
        .collect();
    let driver = json!({ "name": "waypost", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    })
}

fn rule(code: &Code, level: Level) -> Value {
    let about = code.description();
    let first_sentence = about
        .split_once(". ")
        .map_or(about.as_str(), |(first, _)| first)
        .trim_end_matches('.');
    json!({
        "id": code.name,
        "shortDescription": { "text": format!("{first_sentence}.") },
        "fullDescription": { "text": about },
        "help": { "text": about, "markdown": about },
        "defaultConfiguration": { "level": word(level) },
    })
}

fn message(finding: &Finding) -> String {
    let hint = finding
        .hint
        .as_ref()
        .map(|hint| format!(" (hint: {hint})"))
        .unwrap_or_default();
    format!("{}{hint}", finding.message)
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "none",
    }
}

fn locate(
    result: &mut Value,
    source: Option<String>,
    pointer: (Option<String>, Option<(usize, usize)>),
) {
    let (file, line_column) = pointer;
    let page = file.map(|file| location(&file, line_column));
    match (source, page) {
        (Some(source), page) => {
            result["locations"] = json!([location(&source, None)]);
            if let Some(page) = page {
                result["relatedLocations"] = json!([page]);
            }
        }
        (None, Some(page)) => result["locations"] = json!([page]),
        (None, None) => {}
    }
}

fn location(file: &str, line_column: Option<(usize, usize)>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some((line, column)) = line_column {
        physical["region"] = json!({ "startLine": line, "startColumn": column });
    }
    json!({ "physicalLocation": physical })
}

/// Everything but `/` and unreserved characters (RFC 3986 section 2.3). A `:` in the first segment
/// of a relative path would end a scheme.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Formats a path as a URI reference (RFC 3986). Relative paths stay relative to the repository or
/// the working directory.
fn uri(path: &str) -> String {
    let encoded = utf8_percent_encode(path, ENCODED);
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else {
        encoded.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("content/a b:c%.md"), "content/a%20b%3Ac%25.md");
        assert_eq!(uri("/srv/é"), "file:///srv/%C3%A9");
    }
}

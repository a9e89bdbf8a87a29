//! Findings as SARIF 2.1.0 (OASIS), the format in which code hosts accept check results.
//!
//! A page with a known source is located in that file, because only the source is in the
//! repository. The rendered page, with line and column, is then a related location.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::fingerprints::Fingerprints;
use super::github_step::StepFindings;
use super::places::PlaceResolver;
use super::workspace_paths::workspace_path;
use site_paths::finding::{Code, Finding, Level};
use site_paths::has_web_scheme;

/// The URL of the SARIF schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The documentation, from `homepage` in Cargo.toml; `None` as long as that names no owner.
pub(super) fn homepage() -> Option<&'static str> {
    let url = env!("CARGO_PKG_HOMEPAGE");
    (!url.contains("//OWNER.")).then_some(url)
}

/// The log of one run, without findings at level `allow`.
pub(super) fn log(reported: &StepFindings<'_>, pointers: &mut PlaceResolver<'_>) -> Value {
    let levels = reported.levels;
    let shown: Vec<&Finding> = reported
        .findings
        .iter()
        .filter(|finding| levels.level_of(finding.code) > Level::Allow)
        .collect();
    let mut codes: Vec<&'static Code> = shown.iter().map(|finding| finding.code).collect();
    codes.sort_unstable_by_key(|code| code.name);
    codes.dedup_by_key(|code| code.name);
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| rule(code, levels.level_of(code)))
        .collect();
    let mut fingerprints = Fingerprints::default();
    let results: Vec<Value> = shown
        .into_iter()
        .map(|finding| {
            let rule = codes.binary_search_by_key(&finding.code.name, |code| code.name);
            let mut result = json!({
                "ruleId": finding.code.name,
                "ruleIndex": rule.expect("every code has a rule"),
                "level": word(levels.level_of(finding.code)),
                "message": { "text": message(finding) },
            });
            let file = locate(&mut result, reported, finding, pointers);
            result["partialFingerprints"] = json!({
                // The only one that GitHub reads.
                "primaryLocationLineHash": fingerprints.of(finding, &file),
            });
            result
        })
        .collect();
    let mut driver =
        json!({ "name": "waypost", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    if let Some(homepage) = homepage() {
        driver["informationUri"] = homepage.into();
    }
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
    let mut rule = json!({
        "id": code.name,
        "shortDescription": { "text": format!("{first_sentence}.") },
        "fullDescription": { "text": about },
        "help": { "text": about, "markdown": about },
        "defaultConfiguration": { "level": word(level) },
    });
    if let Some(homepage) = homepage() {
        rule["helpUri"] = help_url(homepage, code).into();
    }
    rule
}

/// The URL of the page about a code in the documentation. The page of a reason is found among those
/// of findings too.
fn help_url(homepage: &str, code: &Code) -> String {
    let homepage = homepage.trim_end_matches('/');
    format!("{homepage}/findings/{}.html", code.name)
}

/// Returns the message of a finding with its remedy, as one text.
pub(super) fn message(finding: &Finding) -> String {
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
        Level::Note => "note",
        Level::Allow => "none",
    }
}

/// Adds the locations of a finding to its result, and returns the file of the first one.
fn locate(
    result: &mut Value,
    reported: &StepFindings<'_>,
    finding: &Finding,
    pointers: &mut PlaceResolver<'_>,
) -> String {
    let in_repository = |path: String| workspace_path(reported.environment, Path::new(&path));
    let (file, line_column) = pointers.resolve(finding);
    let source = reported
        .inventory
        .and_then(|inventory| pointers.source_of(inventory, finding));
    let source = source.map(in_repository);
    let file = file.map(in_repository);
    let page = file.as_deref().map(|file| location(file, line_column));
    match (&source, page) {
        (Some(source), page) => {
            result["locations"] = json!([location(source, None)]);
            if let Some(page) = page {
                result["relatedLocations"] = json!([page]);
            }
        }
        (None, Some(page)) => result["locations"] = json!([page]),
        (None, None) => {}
    }
    source.or(file).unwrap_or_default()
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
    if has_web_scheme(path) {
        return path.to_owned();
    }
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
    fn the_help_of_a_rule_is_its_page_in_the_book() {
        for homepage in [
            "https://example.com/waypost",
            "https://example.com/waypost/",
        ] {
            assert_eq!(
                help_url(homepage, site_paths::finding::code::CANONICAL_NOT_LISTED),
                "https://example.com/waypost/findings/canonical-chain.html"
            );
        }
    }

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("content/a b:c%.md"), "content/a%20b%3Ac%25.md");
        assert_eq!(uri("/srv/é"), "file:///srv/%C3%A9");
        assert_eq!(
            uri("https://example.com/%C3%A9"),
            "https://example.com/%C3%A9"
        );
    }
}

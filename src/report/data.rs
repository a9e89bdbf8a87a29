//! The data of a report, as compact JSON that is safe in a `<script>` element.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::contents::Report;
use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use site_paths::escape_json;
use site_paths::finding::{Finding, Level};
use sitemaps::{LastMod, Now};

/// How many findings of each code to include.
const FINDINGS_PER_CODE: usize = 200;

/// How many added, removed and re-dated URLs to include.
const NAMED_CHANGES: usize = 1_000;

/// A page: path below the base URL, file, reason, date in seconds, source of the date, source file,
/// evidence.
///
/// The reason and the source of the date are indices into tables of names, `-1` for none. For text,
/// `0` means that it follows from the path or is unknown.
#[derive(Serialize)]
struct PageRow<'a>(
    &'a str,
    TextOrZero<'a>,
    i64,
    Option<i64>,
    i64,
    TextOrZero<'a>,
    TextOrZero<'a>,
);

/// A text, or `0` for none.
#[derive(Serialize)]
#[serde(untagged)]
enum TextOrZero<'a> {
    None(u8),
    Some(std::borrow::Cow<'a, str>),
}

/// Serializes the data of a report. `place` formats the place of a finding.
pub(super) fn json(report: &Report<'_>, place: impl FnMut(&Finding) -> Option<String>) -> String {
    let mut reasons = NumberedNames::default();
    let mut dated_by = NumberedNames::default();
    let rows: Vec<PageRow<'_>> = report
        .inventory
        .pages
        .iter()
        .map(|line| row(report, line, &mut reasons, &mut dated_by))
        .collect();
    let data = json!({
        "base": report.inventory.base.as_str(),
        "reasons": reasons.names,
        "about": reason_descriptions(),
        "datedBy": dated_by.names,
        "findings": findings(report, place),
        "changes": changes(report),
    });
    let pages = serde_json::to_string(&rows).expect("strings and numbers can be serialized");
    let head = data.to_string();
    let head = head.strip_suffix('}').expect("an object ends with a brace");
    escape_for_script(&format!("{head},\"pages\":{pages}}}"))
}

/// Escapes JSON so that nothing in it can end its `<script>` element or begin a comment.
///
/// JSON never requires a literal `<`. Control characters and CI commands are escaped too, because a
/// report may be printed to a terminal or a log.
fn escape_for_script(json: &str) -> String {
    escape_json(json).replace('<', "\\u003c")
}

/// Formats a Unix time for display.
pub(super) fn moment(seconds: i64) -> String {
    LastMod::at(seconds, 0, Now(i64::MAX)).map_or_else(
        |_| "an unknown date".to_owned(),
        |date| date.to_string().replace('T', " at ").replace('Z', " UTC"),
    )
}

/// A table of names, referred to by index.
#[derive(Default)]
struct NumberedNames {
    names: Vec<&'static str>,
    numbers: BTreeMap<&'static str, i64>,
}

impl NumberedNames {
    fn number(&mut self, name: &'static str) -> i64 {
        let next = i64::try_from(self.names.len()).expect("there are few names");
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        })
    }
}

fn row<'a>(
    report: &Report<'a>,
    line: &'a InventoryPage,
    reasons: &mut NumberedNames,
    dated_by: &mut NumberedNames,
) -> PageRow<'a> {
    let path = report
        .inventory
        .base
        .path_below(&line.url)
        .unwrap_or_default();
    let file = line.file.to_text();
    let follows = file.strip_prefix(path).is_some_and(|rest| {
        if path.is_empty() || path.ends_with('/') {
            rest == "index.html"
        } else {
            rest.is_empty()
        }
    });
    let (reason, evidence) = match &line.verdict {
        Verdict::Listed => (-1, TextOrZero::None(0)),
        Verdict::Excluded(exclusion) => (
            reasons.number(exclusion.reason.code.name),
            TextOrZero::Some(exclusion.evidence.as_str().into()),
        ),
    };
    let source = line.source_path(&report.loaded.site, report.loaded.output_dir());
    let source = source.map_or(TextOrZero::None(0), |source| {
        TextOrZero::Some(source.to_text().into_owned().into())
    });
    PageRow(
        path,
        if follows {
            TextOrZero::None(0)
        } else {
            TextOrZero::Some(file)
        },
        reason,
        line.lastmod.map(LastMod::seconds),
        line.dated.name().map_or(-1, |name| dated_by.number(name)),
        source,
        evidence,
    )
}

/// The description of each reason.
fn reason_descriptions() -> BTreeMap<&'static str, String> {
    crate::decide::REASONS
        .iter()
        .map(|reason| (reason.code.name, reason.code.description()))
        .collect()
}

/// The findings that are not allowed, grouped by code: errors first, then the largest groups.
fn findings(report: &Report<'_>, mut place: impl FnMut(&Finding) -> Option<String>) -> Vec<Value> {
    let levels = &report.loaded.settings().levels;
    let mut kinds: BTreeMap<&'static str, (Level, &'static str, usize, Vec<Value>)> =
        BTreeMap::new();
    for finding in report.findings {
        let level = levels.level_of(finding.code);
        if level == Level::Allow {
            continue;
        }
        let kind =
            kinds
                .entry(finding.code.name)
                .or_insert((level, finding.code.about, 0, Vec::new()));
        kind.2 += 1;
        if kind.2 <= FINDINGS_PER_CODE {
            kind.3
                .push(json!([finding.message, finding.hint, place(finding)]));
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(name, (level, _, count, _))| (std::cmp::Reverse((*level, *count)), *name));
    let reported = |(code, (level, about, count, reported)): (
        _,
        (Level, &str, usize, Vec<Value>),
    )| {
        let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
        json!({ "code": code, "level": level.as_str(), "about": about, "count": count, "told": reported })
    };
    kinds.into_iter().map(reported).collect()
}

/// The changes since the existing sitemap; `None` if there is no sitemap.
fn changes(report: &Report<'_>) -> Option<Value> {
    let (changes, plan) = (report.changes, report.plan);
    let numbered = |numbers: &[u32]| {
        let urls: Vec<&str> = plan.urls(numbers).take(NAMED_CHANGES).collect();
        json!({ "count": numbers.len(), "urls": urls })
    };
    let removed: Vec<&String> = changes.removed.iter().take(NAMED_CHANGES).collect();
    changes.had_sitemap.then(|| {
        json!({
            "added": numbered(&changes.added),
            "removed": { "count": changes.removed.len(), "urls": removed },
            "redated": numbered(&changes.redated),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_its_script_element() {
        let hostile = json!(["</script><script>alert(1)</script>", "<!--<script>"]).to_string();
        let safe = escape_for_script(&hostile);
        assert!(!safe.contains('<'), "{safe}");
        assert_eq!(
            serde_json::from_str::<Value>(&safe).ok(),
            serde_json::from_str(&hostile).ok()
        );
    }
}

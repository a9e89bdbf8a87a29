//! The counts of a report in plain HTML: the findings by code, and bar charts of the reasons of pages and of
//! those for missing dates.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::contents::Report;
use super::escaping::{escaped, message_html};
use crate::decide::reason_named;
use crate::findings::{Code, Finding, Level, grouped};
use crate::pages::by_count;

/// How many findings of each code to list.
const LISTED_PER_CODE: usize = 200;

/// The findings of a code.
struct FindingGroup {
    code: &'static Code,
    level: Level,
    /// How many there are.
    count: usize,
    /// The first of them, as list items.
    items: Vec<String>,
}

/// Formats the findings by code, each code as an element that opens: errors first, then the largest
/// groups. `place` formats the place of a finding.
pub(super) fn findings_html(
    report: Report<'_>,
    mut place: impl FnMut(&Finding) -> Option<String>,
) -> String {
    let mut groups: BTreeMap<&'static str, FindingGroup> = BTreeMap::new();
    for (level, finding) in report.shown_findings() {
        let group = groups
            .entry(finding.code.name)
            .or_insert_with(|| FindingGroup {
                code: finding.code,
                level,
                count: 0,
                items: Vec::new(),
            });
        group.count += finding.count;
        if group.items.len() < LISTED_PER_CODE && finding.count == 1 {
            group.items.push(item(finding, place(finding)));
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by_key(|group| (Reverse((group.level, group.count)), group.code.name));
    if groups.is_empty() {
        return "<p>No findings.</p>".to_owned();
    }
    groups.iter().map(FindingGroup::to_html).collect()
}

fn item(finding: &Finding, place: Option<String>) -> String {
    let message = message_html(&finding.message);
    let below = |text: String| format!("<span class=\"place\">{text}</span>");
    let place = place.map_or_else(String::new, |place| below(escaped(&place)));
    let hint = finding.hint.as_ref().map_or_else(String::new, |hint| {
        below(format!("hint: {}", message_html(hint)))
    });
    format!("<li>{message}{place}{hint}</li>")
}

impl FindingGroup {
    fn to_html(&self) -> String {
        let (class, level) = match self.level {
            Level::Deny => ("error", "error"),
            Level::Warn => ("warn", "warning"),
            Level::Note | Level::Allow => ("note", "note"),
        };
        let (name, count) = (self.code.name, grouped(self.count));
        let about = message_html(&self.code.description());
        let more = match self.count - self.items.len().min(self.count) {
            0 => String::new(),
            more => format!("<li>{} more</li>", grouped(more)),
        };
        format!(
            "<details><summary><span class=\"badge {class}\">{level}</span> {name} ({count})</summary>\
             <p class=\"lead\">{about}</p><ul>{}{more}</ul></details>\n",
            self.items.concat()
        )
    }
}

/// The pages by reason: those that are listed, then the most frequent reasons.
pub(super) fn reasons_html(report: Report<'_>) -> String {
    let (total, listed) = (
        report.inventory.pages.len(),
        report.inventory.pages.listed().count(),
    );
    let mut bars = String::new();
    if listed > 0 {
        bars += &bar("listed", "listed", listed, total);
    }
    for (name, count) in by_count(&report.inventory.exclusion_counts()) {
        let meaning = reason_named(name).map_or(name, |reason| reason.meaning);
        bars += &bar(meaning, name, count, total);
    }
    format!("<ul class=\"bars\">{bars}</ul>")
}

/// Why listed pages have no date; empty if all have one.
pub(super) fn undated_html(report: Report<'_>) -> String {
    let listed = report.inventory.pages.listed().count();
    let mut bars = String::new();
    for (name, count) in by_count(&report.inventory.undated()) {
        bars += &bar(name, &format!("undated: {name}"), count, listed);
    }
    if bars.is_empty() {
        return bars;
    }
    format!(
        "<h3 id=\"undated-title\">Why listed pages have no date</h3><ul class=\"bars\">{bars}</ul>"
    )
}

/// A bar; by `filter`, the script finds the pages that it counts.
fn bar(name: &str, filter: &str, count: usize, total: usize) -> String {
    let percent = count * 100 / total.max(1);
    let class = if filter == "listed" { filter } else { "" };
    format!(
        "<li class=\"{class}\" data-filter=\"{}\"><span>{}</span>\
         <span class=\"track\" aria-hidden=\"true\"><span class=\"fill\" style=\"width:{percent}%\"></span></span>\
         <span class=\"number\">{}</span></li>",
        escaped(filter),
        message_html(name),
        grouped(count),
    )
}

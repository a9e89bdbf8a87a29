//! The counts of a report in plain HTML: the findings by code, and bar charts of the reasons of pages and of
//! those for missing dates.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::contents::Report;
use super::escaping::{escaped, message_html};
use crate::decide::reason_named;
use crate::pages::by_count;
use sitemaps::findings::{Code, Finding, Level, grouped};

/// How many findings of each code to list.
const LISTED_PER_CODE: usize = 200;

/// The value of the filter for listed pages.
const LISTED: &str = "listed";

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

/// A bar: what it counts, and how the script filters the pages that it counts.
struct Bar<'a> {
    name: &'a str,
    /// The value of the filter.
    filter: String,
    count: usize,
}

/// The pages by reason: those that are listed, then the most frequent reasons.
pub(super) fn reasons_html(report: Report<'_>) -> String {
    let listed = report.inventory.pages.listed().count();
    let counts = report.inventory.exclusion_counts();
    let mut bars = vec![Bar {
        name: LISTED,
        filter: LISTED.to_owned(),
        count: listed,
    }];
    bars.extend(by_count(&counts).into_iter().map(|(name, count)| {
        let reason = reason_named(name);
        Bar {
            name: reason.map_or(name, |reason| reason.meaning),
            filter: name.to_owned(),
            count,
        }
    }));
    bars.retain(|bar| bar.count > 0);
    list(&bars, report.inventory.pages.len())
}

/// Why listed pages have no date; empty if all have one.
pub(super) fn undated_html(report: Report<'_>) -> String {
    let counts = report.inventory.undated();
    if counts.is_empty() {
        return String::new();
    }
    let bars: Vec<Bar<'_>> = by_count(&counts)
        .into_iter()
        .map(|(name, count)| Bar {
            name,
            filter: format!("undated: {name}"),
            count,
        })
        .collect();
    let list = list(&bars, report.inventory.pages.listed().count());
    format!("<h3 id=\"undated-title\">Why listed pages have no date</h3>{list}")
}

fn list(bars: &[Bar<'_>], total: usize) -> String {
    let bars: String = bars.iter().map(|bar| bar.to_html(total)).collect();
    format!("<ul class=\"bars\">{bars}</ul>")
}

impl Bar<'_> {
    fn to_html(&self, total: usize) -> String {
        let percent = self.count * 100 / total.max(1);
        let class = if self.filter == LISTED { LISTED } else { "" };
        format!(
            "<li class=\"{class}\" data-filter=\"{}\"><span>{}</span>\
             <span class=\"track\" aria-hidden=\"true\"><span class=\"fill\" style=\"width:{percent}%\"></span></span>\
             <span class=\"number\">{}</span></li>",
            escaped(&self.filter),
            message_html(self.name),
            grouped(self.count),
        )
    }
}

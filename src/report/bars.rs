//! Bar charts in plain HTML: reasons of pages, and reasons for missing dates.

use super::contents::Report;
use super::escaping::{escaped, message_html};
use crate::decide::reason_named;
use crate::pages::by_count;
use sitemaps::findings::grouped;

/// The value of the filter for listed pages.
const LISTED: &str = "listed";

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

//! The changes since the existing sitemap, as lists in HTML of limited length.

use super::contents::Report;
use super::escaping::escaped;
use sitemaps::site_paths::finding::grouped;

/// How many changes of each kind to list.
const LISTED_CHANGES: usize = 1_000;

/// Formats the changes since the existing sitemap.
pub(super) fn sitemap_changes_html(report: Report<'_>) -> String {
    let (changes, plan) = (report.changes, report.plan);
    if !changes.had_sitemap {
        return "<p>There is no previous sitemap to compare with.</p>".to_owned();
    }
    let removed = changes.removed.iter().map(String::as_str);
    let lists = [
        list_html("Added", changes.added.len(), plan.urls(&changes.added)),
        list_html("Removed", changes.removed.len(), removed),
        list_html(
            "Re-dated",
            changes.redated.len(),
            plan.urls(&changes.redated),
        ),
    ]
    .concat();
    if lists.is_empty() {
        "<p>None: the existing sitemap is up to date.</p>".to_owned()
    } else {
        lists
    }
}

/// Formats the changes of one kind as an element that opens; empty if there are none.
fn list_html<'u>(title: &str, count: usize, urls: impl Iterator<Item = &'u str>) -> String {
    if count == 0 {
        return String::new();
    }
    let items = urls.take(LISTED_CHANGES);
    let items: Vec<String> = items
        .map(|url| format!("<li>{}</li>", escaped(url)))
        .collect();
    let items = items.concat();
    let more = match count.saturating_sub(LISTED_CHANGES) {
        0 => String::new(),
        more => format!("<li>{} more</li>", grouped(more)),
    };
    let count = grouped(count);
    format!("<details><summary>{title}: {count}</summary><ul>{items}{more}</ul></details>\n")
}

//! Lists of changes as HTML, limited in length.

use super::contents::Report;
use super::escaping::escaped;
use site_paths::finding::grouped;

/// How many changes of each kind to list.
const LISTED_CHANGES: usize = 1_000;

/// Changes of one kind: how many there are, and the first of them.
#[derive(Default)]
pub(super) struct ChangeList {
    count: usize,
    items: Vec<String>,
}

impl ChangeList {
    /// Counts a change, and lists it unless there are too many.
    pub(super) fn push(&mut self, item: impl FnOnce() -> String) {
        self.count += 1;
        if self.items.len() < LISTED_CHANGES {
            self.items.push(item());
        }
    }

    fn of<'u>(count: usize, urls: impl Iterator<Item = &'u str>) -> Self {
        let items = urls.take(LISTED_CHANGES).map(str::to_owned).collect();
        Self { count, items }
    }
}

/// Formats the kinds that have changes, each as an element that opens; `None` if none has any.
pub(super) fn change_lists_html(lists: &[(&str, &ChangeList)]) -> Option<String> {
    let mut out = String::new();
    for (title, list) in lists.iter().filter(|(_, list)| list.count > 0) {
        let items: Vec<String> = list.items.iter().map(|item| escaped(item)).collect();
        let items = match items.join("</li><li>") {
            items if items.is_empty() => items,
            items => format!("<li>{items}</li>"),
        };
        let more = match list.count - list.items.len() {
            0 => String::new(),
            more => format!("<li>{} more</li>", grouped(more)),
        };
        let count = grouped(list.count);
        let list = format!(
            "<details><summary>{title}: {count}</summary><ul>{items}{more}</ul></details>\n"
        );
        out.push_str(&list);
    }
    (!out.is_empty()).then_some(out)
}

/// Formats the changes since the existing sitemap.
pub(super) fn sitemap_changes_html(report: Report<'_>) -> String {
    let (changes, plan) = (report.changes, report.plan);
    if !changes.had_sitemap {
        return "<p>There is no previous sitemap to compare with.</p>".to_owned();
    }
    let removed = changes.removed.iter().map(String::as_str);
    let lists = [
        (
            "Added",
            &ChangeList::of(changes.added.len(), plan.urls(&changes.added)),
        ),
        ("Removed", &ChangeList::of(changes.removed.len(), removed)),
        (
            "Re-dated",
            &ChangeList::of(changes.redated.len(), plan.urls(&changes.redated)),
        ),
    ];
    change_lists_html(&lists)
        .unwrap_or_else(|| "<p>None: the existing sitemap is up to date.</p>".to_owned())
}

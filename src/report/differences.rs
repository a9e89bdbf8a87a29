//! The differences between this report and an earlier one, as HTML.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::change_list::{ChangeList, change_lists_html};
use super::contents::Report;
use super::escaping::escaped;
use super::finding_groups::FindingGroup;
use super::moment::moment;
use super::older_report::{OlderPage, OlderReport};
use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use sitemaps::LastMod;

/// What changed for the pages.
#[derive(Default)]
struct PageDifferences {
    new: ChangeList,
    gone: ChangeList,
    listed: ChangeList,
    excluded: ChangeList,
    redated: ChangeList,
}

/// Formats what changed since an earlier report; empty without one.
pub(super) fn differences_html(report: Report<'_>, groups: &[FindingGroup]) -> String {
    let Some(older) = report.older else {
        return String::new();
    };
    let pages = compare_pages(report, older);
    let lists = [
        ("New pages", &pages.new),
        ("Pages that are gone", &pages.gone),
        ("Newly listed", &pages.listed),
        ("No longer listed", &pages.excluded),
        ("Re-dated", &pages.redated),
        ("Findings", &compare_findings(older, groups)),
    ];
    let body = change_lists_html(&lists).unwrap_or_else(|| "<p>None.</p>".to_owned());
    format!(
        "<section aria-labelledby=\"since-title\"><h2 id=\"since-title\">Changes since the report of {}</h2>\
         {body}</section>",
        escaped(&moment(older.made))
    )
}

/// Compares all pages, in one pass over both lists in the order of their files.
fn compare_pages(report: Report<'_>, older: &OlderReport<'_>) -> PageDifferences {
    let pages = &report.inventory.pages;
    let (before, after) = (order_of_older(older), order_of(pages));
    let mut found = PageDifferences::default();
    let (mut old, mut new) = (before.into_iter().peekable(), after.into_iter().peekable());
    loop {
        let which = match (old.peek(), new.peek()) {
            (None, None) => return found,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(&old), Some(&new)) => compare_files(&older.pages[old], &pages[new]),
        };
        let old = if which.is_le() { old.next() } else { None };
        let new = if which.is_ge() { new.next() } else { None };
        match (old.map(|at| &older.pages[at]), new.map(|at| &pages[at])) {
            (Some(page), None) => found.gone.push(|| page.path.to_string()),
            (None, Some(page)) => found.new.push(|| with_reason(path_of(report, page), page)),
            (Some(old), Some(new)) => found.compare(report, old, new),
            (None, None) => {}
        }
    }
}

/// The indices of the pages in the order of their names. Names that are not UTF-8 may have another
/// order than their bytes.
fn order_of(pages: &[InventoryPage]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by(|&a, &b| pages[a].file.to_text().cmp(&pages[b].file.to_text()));
    order
}

fn order_of_older(older: &OlderReport<'_>) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..older.pages.len()).collect();
    sorted.sort_by(|&a, &b| older.pages[a].file_bytes().cmp(older.pages[b].file_bytes()));
    sorted
}

fn compare_files(old: &OlderPage<'_>, new: &InventoryPage) -> Ordering {
    old.file_bytes().cmp(new.file.to_text().bytes())
}

impl OlderPage<'_> {
    /// The bytes of the name of the file.
    fn file_bytes(&self) -> impl Iterator<Item = u8> {
        let (name, index) = match &self.file {
            Some(file) => (file, ""),
            None if self.path.is_empty() || self.path.ends_with('/') => (&self.path, "index.html"),
            None => (&self.path, ""),
        };
        name.bytes().chain(index.bytes())
    }
}

impl PageDifferences {
    fn compare(&mut self, report: Report<'_>, old: &OlderPage<'_>, new: &InventoryPage) {
        let is_listed = new.verdict == Verdict::Listed;
        let path = || path_of(report, new);
        match (old.reason < 0, is_listed) {
            (true, false) => self.excluded.push(|| with_reason(path(), new)),
            (false, true) => self.listed.push(|| {
                let reason = usize::try_from(old.reason).ok();
                let reason = reason.and_then(|at| report.older?.reasons.get(at));
                format!("{} (was {})", path(), reason.map_or("excluded", |r| r))
            }),
            (true, true) if old.seconds != new.lastmod.map(LastMod::seconds) => {
                self.redated.push(|| {
                    let date = |seconds: Option<i64>| {
                        seconds.map_or(Cow::Borrowed("no date"), |at| moment(at).into())
                    };
                    let now = new.lastmod.map(LastMod::seconds);
                    format!("{}: {}, was {}", path(), date(now), date(old.seconds))
                });
            }
            _ => {}
        }
    }
}

/// The path below the base URL, or the base URL itself for the home page.
fn path_of(report: Report<'_>, page: &InventoryPage) -> String {
    let path = report.inventory.base.path_below(&page.url);
    let path = path.filter(|path| !path.is_empty());
    path.unwrap_or(page.url.as_str()).to_owned()
}

fn with_reason(path: String, page: &InventoryPage) -> String {
    match &page.verdict {
        Verdict::Listed => path,
        Verdict::Excluded(exclusion) => format!("{path} ({})", exclusion.reason.code.name),
    }
}

/// The codes whose number of findings differs.
fn compare_findings(older: &OlderReport<'_>, groups: &[FindingGroup]) -> ChangeList {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for before in &older.findings {
        counts.entry(&before.code).or_default().0 = before.count;
    }
    for now in groups {
        counts.entry(now.code.name).or_default().1 = now.count;
    }
    let mut list = ChangeList::default();
    for (code, (before, now)) in counts {
        if before != now {
            list.push(|| format!("{code}: {now}, was {before}"));
        }
    }
    list
}

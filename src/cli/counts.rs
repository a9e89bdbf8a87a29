//! Counts of excluded pages and of dates in a summary, with the meaning of each name.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::numbers::grouped;
use super::printer::{FAINT, rows, styled};
use crate::decide::REASONS;
use crate::inventory::Inventory;

/// Adds the number of excluded pages for each reason.
pub(super) fn excluded_rows(out: &mut String, inventory: &Inventory) {
    count_rows(
        out,
        "excluded",
        &inventory.exclusion_counts(),
        reason_meaning,
    );
}

/// Adds the number of dates for each origin, and of undated pages for each cause.
pub(super) fn date_rows(out: &mut String, inventory: &Inventory) {
    count_rows(out, "dates", &dates(inventory), date_meaning);
}

/// Counts pages by the source of their date, and undated pages by reason.
fn dates(inventory: &Inventory) -> BTreeMap<String, usize> {
    let dated = inventory.dates().into_iter();
    let dated = dated.filter(|(by, _)| *by != "none");
    let dated = dated.map(|(by, count)| (by.to_owned(), count));
    let undated = inventory.undated().into_iter();
    let undated = undated.map(|(why, count)| (format!("none: {why}"), count));
    dated.chain(undated).collect()
}

/// The meaning of a reason for exclusion, in a few words.
fn reason_meaning(name: &str) -> &'static str {
    let reason = REASONS.iter().find(|reason| reason.code.name == name);
    reason.map_or("", |reason| reason.meaning)
}

/// The meaning of a date's origin, in a few words; empty where the name itself says it.
fn date_meaning(name: &str) -> &'static str {
    match name {
        "git" => "last commit that changed the source",
        "front_matter" => "stated by the source",
        "page" => "stated by the page",
        "mtime" => "modification time of the source",
        "members" => "last page added to the list, removed or renamed",
        "memory" => "its present content was first published by then",
        "pages_below" => "newest page that the list shows",
        "rule" => "set by a rule",
        _ => "",
    }
}

/// Adds a line for each name with its meaning, the largest count first.
fn count_rows(
    out: &mut String,
    label: &str,
    counts: &BTreeMap<impl AsRef<str> + Ord, usize>,
    meaning: fn(&str) -> &'static str,
) {
    let counts = counts.iter();
    let mut counts: Vec<_> = counts
        .map(|(name, &count)| (name.as_ref(), count, meaning(name.as_ref())))
        .collect();
    counts.sort_by_key(|&(name, count, _)| (Reverse(count), name));
    let widths = counts.iter().map(|&(_, count, _)| grouped(count).len());
    let width = widths.max().unwrap_or_default();
    let explained = counts.iter().filter(|(_, _, meaning)| !meaning.is_empty());
    let name_width = explained.map(|(name, ..)| name.len()).max();
    let name_width = name_width.unwrap_or_default();
    let texts = counts.into_iter().map(|(name, count, meaning)| {
        let (count, meaning) = (grouped(count), styled(FAINT, meaning));
        format!("{count:>width$} {name:name_width$}  {meaning}")
    });
    rows(out, label, texts);
}

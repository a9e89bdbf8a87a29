//! Dates of lists: home pages, sections and other folder pages show what lies below them.

use std::collections::HashMap;

use super::ledger::LedgerLine;
use crate::date::{DatedBy, LastMod};
use crate::decide::Verdict;

/// Gives each list the newest date of the listed pages below its folder, where that is newer than its own.
///
/// `is_list` says which lines are lists; `language_folders` are folders at the top that belong to another language than
/// the home page and do not count for it.
pub(super) fn date_lists(lines: &mut [LedgerLine], language_folders: &[String], is_list: impl Fn(&LedgerLine) -> bool) {
    let mut newest: HashMap<Vec<u8>, LastMod> = HashMap::new();
    for line in lines.iter().filter(|line| line.verdict == Verdict::Listed) {
        let Some(date) = line.lastmod else { continue };
        let file = line.file.as_bytes();
        for folder in folders_above(file) {
            if folder.is_empty() && is_below_language(file, language_folders) {
                continue;
            }
            // A list's own source says when the list changed, not when a page below the one above it did; it counts
            // there all the same, since the list is such a page.
            let entry = newest.entry(folder.to_vec()).or_insert(date);
            *entry = date.max(*entry);
        }
    }
    for line in lines.iter_mut().filter(|line| line.verdict == Verdict::Listed) {
        if !is_list(line) {
            continue;
        }
        if let Some(&below) = newest.get(line.file.folder())
            && line.lastmod.is_none_or(|own| own < below)
        {
            line.lastmod = Some(below);
            line.dated_by = Some(DatedBy::PagesBelow);
            line.commit = None;
        }
    }
}

/// Every folder that a file lies in, with its final `/`, the innermost first; the top as nothing.
fn folders_above(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = file.iter().enumerate().rev().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| at + 1);
    ends.chain([0]).map(|end| &file[..end])
}

fn is_below_language(file: &[u8], language_folders: &[String]) -> bool {
    let first = file.split(|&byte| byte == b'/').next().unwrap_or_default();
    language_folders.iter().any(|language| language.as_bytes().eq_ignore_ascii_case(first))
}

//! Dates of lists: home pages, sections and other folder pages show what lies below them.

use std::collections::HashMap;

use super::ledger::LedgerLine;
use super::survey::Survey;
use crate::date::{DatedBy, LastMod};
use crate::decide::Verdict;
use crate::generator::ContentIndex;
use crate::location::SitePath;

/// Dates the lists of a site whose generator makes them: home pages, sections and other folder pages.
pub(super) fn date_lists_of(survey: &Survey<'_>, content: &ContentIndex, lines: &mut [LedgerLine]) {
    let Some((_, generator)) = survey.site.generator else { return };
    if generator.branch_index.is_empty() {
        return;
    }
    let languages =
        generator.languages.as_ref().map(|keys| survey.site.config.keys(&keys.table_key)).unwrap_or_default();
    let languages: Vec<String> = languages.into_iter().map(str::to_owned).collect();
    date_lists(lines, &languages, |line| {
        let is_folder_page = line.file.file_name() == b"index.html";
        let own_source = line.source.as_ref().and_then(|(path, _)| content.file(path));
        is_folder_page
            && !is_pager(&line.file)
            && own_source.is_none_or(|source| source.is_list)
            && line.treatment.lastmod.is_none()
    });
}

/// Gives each list the newest date of the listed pages below its folder, where that is newer than its own.
///
/// `is_list` says which lines are lists; `language_folders` are folders at the top that belong to another language than
/// the home page and do not count for it.
fn date_lists(lines: &mut [LedgerLine], language_folders: &[String], is_list: impl Fn(&LedgerLine) -> bool) {
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

/// `…/page/2/index.html`: a further page of a list, which shows old entries.
pub(super) fn is_pager(file: &SitePath) -> bool {
    let parts: Vec<&[u8]> = file.as_bytes().split(|&byte| byte == b'/').collect();
    matches!(parts[..], [.., b"page", number, _] if number.iter().all(u8::is_ascii_digit))
}

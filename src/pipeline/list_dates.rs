//! Dates of lists: home pages, sections and terms show what lies below them, or what is marked with them.
//!
//! A list has no date of its own to speak of: it changes whenever a page that it lists does. Only what a generator makes is
//! taken for one, and only where its source is none or that of a section.

use std::collections::HashMap;

use super::dated::{Dated, Undated};
use super::inventory::InventoryPage;
use super::sources::PageSource;
use super::survey::Survey;
use crate::config::ListDates;
use crate::dates::LastMod;
use crate::decide::Verdict;
use crate::generator::{ContentIndex, Taxonomies};
use crate::site_paths::SitePath;

/// Dates the lists of a site whose generator makes them, as the settings want it.
pub(super) fn date_lists_of(
    survey: &Survey<'_>,
    content: &ContentIndex,
    lines: &mut [InventoryPage],
) {
    let Some(generator) = survey
        .site
        .generator
        .filter(|generator| !generator.branch_index.is_empty())
    else {
        return;
    };
    let config = &survey.site.config;
    let languages = generator
        .languages
        .as_ref()
        .map(|keys| config.keys(&keys.table_key))
        .unwrap_or_default();
    let languages: Vec<String> = languages.into_iter().map(str::to_owned).collect();
    let file_of = |source: &PageSource| content.file(source.file()?);
    let is_list = |line: &InventoryPage| {
        let is_own = line
            .source
            .as_ref()
            .is_none_or(|source| file_of(source).is_some_and(|file| file.is_list));
        let has_fixed_date =
            line.treatment.lastmod.is_some() || line.treatment.page.lastmod.is_some();
        line.file.file_name() == b"index.html" && is_own && !is_pager(&line.file) && !has_fixed_date
    };
    match survey.settings().lastmod.lists {
        ListDates::Own => {}
        ListDates::None => {
            for line in lines.iter_mut().filter(|line| is_list(line)) {
                (line.lastmod, line.dated) = (None, Dated::Not(Undated::List));
            }
        }
        ListDates::NewestBelow => {
            let taxonomies = Taxonomies::new(generator, config);
            let terms_of = |line: &InventoryPage| {
                let file = line.source.as_ref().and_then(file_of);
                let language = language_folder(line.file.as_bytes(), &languages);
                file.map(|file| taxonomies.pages_of(file, &String::from_utf8_lossy(language)))
                    .unwrap_or_default()
            };
            date_lists(lines, &languages, is_list, terms_of);
        }
    }
}

/// Gives each list the newest date of the listed pages below its folder, or of those that bear its term, where that is
/// newer than its own.
///
/// `is_list` says which lines are lists, `terms_of` the pages of the terms that a line bears; `languages` are folders at
/// the top that belong to another language than the home page and do not count for it.
fn date_lists(
    lines: &mut [InventoryPage],
    languages: &[String],
    is_list: impl Fn(&InventoryPage) -> bool,
    terms_of: impl Fn(&InventoryPage) -> Vec<SitePath>,
) {
    let mut newest: HashMap<Vec<u8>, (LastMod, usize)> = HashMap::new();
    let mut count = |folder: &[u8], date: LastMod, index: usize| {
        let entry = newest.entry(folder.to_vec()).or_insert((date, index));
        if entry.0 < date {
            *entry = (date, index);
        }
    };
    for (index, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.verdict == Verdict::Listed)
    {
        let Some(date) = line.lastmod else { continue };
        // A list's own source says when the list changed, not when a page below the one above it did; it counts
        // there all the same, since the list is such a page.
        let file = line.file.as_bytes();
        let is_of_home = language_folder(file, languages).is_empty();
        for folder in folders_above(file).filter(|folder| !folder.is_empty() || is_of_home) {
            count(folder, date, index);
        }
        for term in terms_of(line) {
            // The home page is above the page itself already.
            let is_there = lines.binary_search_by(|line| line.file.cmp(&term)).is_ok();
            for folder in
                folders_above(term.as_bytes()).filter(|folder| is_there && !folder.is_empty())
            {
                count(folder, date, index);
            }
        }
    }
    let mut dated = Vec::new();
    for (index, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.verdict == Verdict::Listed && is_list(line))
    {
        if let Some(&(date, by)) = newest.get(line.file.folder())
            && line.lastmod.is_none_or(|own| own < date)
        {
            dated.push((index, date, lines[by].file.clone()));
        }
    }
    for (index, date, by) in dated {
        (lines[index].lastmod, lines[index].dated) = (Some(date), Dated::ByPage(Box::new(by)));
    }
}

/// Every folder that a file lies in, with its final `/`, the innermost first; the top as nothing.
fn folders_above(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = file
        .iter()
        .enumerate()
        .rev()
        .filter(|&(_, &byte)| byte == b'/')
        .map(|(at, _)| at + 1);
    ends.chain([0]).map(|end| &file[..end])
}

/// The folder of another language in which a file lies, with its final `/`; nothing in the home page's language.
fn language_folder<'f>(file: &'f [u8], languages: &[String]) -> &'f [u8] {
    let first = file.split(|&byte| byte == b'/').next().unwrap_or_default();
    let is_language = languages
        .iter()
        .any(|language| language.as_bytes().eq_ignore_ascii_case(first));
    if is_language && first.len() < file.len() {
        &file[..=first.len()]
    } else {
        b""
    }
}

/// `…/page/2/index.html`: a further page of a list, which shows old entries.
pub(super) fn is_pager(file: &SitePath) -> bool {
    let parts: Vec<&[u8]> = file.as_bytes().split(|&byte| byte == b'/').collect();
    matches!(parts[..], [.., b"page", number, _] if number.iter().all(u8::is_ascii_digit))
}

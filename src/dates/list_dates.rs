//! Dates list pages: home pages, sections and terms take the newest date of the pages below them or
//! tagged with them.
//!
//! A list page changes whenever a page in it changes. Only pages made by a generator count as list
//! pages, and only if they have no source or that of a section.

use std::collections::HashMap;
use std::iter;

use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use crate::settings::ListDates;
use crate::sources::{DateOrigin, PageSource, is_pager};
use page_sources::generator::{ContentIndex, Site, Taxonomies};
use site_paths::SitePath;
use sitemaps::LastMod;

/// Dates the list pages of a site according to the settings.
pub(crate) fn date_lists_of(
    site: &Site<'_>,
    content: &ContentIndex,
    lists: ListDates,
    lines: &mut [InventoryPage],
) {
    let Some(generator) = site
        .generator
        .filter(|generator| !generator.branch_index.is_empty())
    else {
        return;
    };
    let config = &site.config;
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
            line.rule_outcome.lastmod.is_some() || line.rule_outcome.page.lastmod.is_some();
        line.file.file_name() == b"index.html" && is_own && !is_pager(&line.file) && !has_fixed_date
    };
    match lists {
        ListDates::Own => {}
        ListDates::None => {
            for line in lines.iter_mut().filter(|line| is_list(line)) {
                (line.lastmod, line.dated) = (None, DateOrigin::List);
            }
        }
        ListDates::NewestBelow => {
            let taxonomies = Taxonomies::new(generator, config);
            let terms_of = |line: &InventoryPage| {
                let file = line.source.as_ref().and_then(file_of);
                let language = language_dir(line.file.as_bytes(), &languages);
                file.map(|file| taxonomies.pages_of(file, &String::from_utf8_lossy(language)))
                    .unwrap_or_default()
            };
            date_lists(lines, &languages, is_list, terms_of);
        }
    }
}

/// Gives each list page the newest date of the listed pages below its directory, or of the pages
/// with its term, if that date is newer than its own.
///
/// `is_list` identifies list pages, and `terms_of` returns the term pages of a page. `languages`
/// are top-level directories of other languages, which do not count for the home page.
fn date_lists(
    lines: &mut [InventoryPage],
    languages: &[String],
    is_list: impl Fn(&InventoryPage) -> bool,
    terms_of: impl Fn(&InventoryPage) -> Vec<SitePath>,
) {
    let mut newest: HashMap<Vec<u8>, (LastMod, usize)> = HashMap::new();
    let mut count = |dir: &[u8], date: LastMod, index: usize| {
        let entry = newest.entry(dir.to_vec()).or_insert((date, index));
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
        // A list page's own date also counts for the list pages above it, because it is one of
        // their pages.
        let file = line.file.as_bytes();
        let is_of_home = language_dir(file, languages).is_empty();
        for dir in dirs_above(file).filter(|dir| !dir.is_empty() || is_of_home) {
            count(dir, date, index);
        }
        for term in terms_of(line) {
            // The home page is already among the directories above the page itself.
            let is_there = lines.binary_search_by(|line| line.file.cmp(&term)).is_ok();
            for dir in dirs_above(term.as_bytes()).filter(|dir| is_there && !dir.is_empty()) {
                count(dir, date, index);
            }
        }
    }
    let mut dated = Vec::new();
    for (index, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.verdict == Verdict::Listed && is_list(line))
    {
        if let Some(&(date, by)) = newest.get(line.file.dir())
            && line.lastmod.is_none_or(|own| own < date)
        {
            dated.push((index, date, lines[by].file.clone()));
        }
    }
    for (index, date, by) in dated {
        (lines[index].lastmod, lines[index].dated) =
            (Some(date), DateOrigin::PageBelow(Box::new(by)));
    }
    explain_undated(lines, &is_list, &terms_of);
}

/// Gives the list pages without a source and without a date their reason: the pages that they list
/// are all excluded, or have no date.
fn explain_undated(
    lines: &mut [InventoryPage],
    is_list: &impl Fn(&InventoryPage) -> bool,
    terms_of: &impl Fn(&InventoryPage) -> Vec<SitePath>,
) {
    let mut undated: HashMap<Vec<u8>, (usize, Option<DateOrigin>)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.verdict == Verdict::Listed && is_list(line))
        .filter(|(_, line)| line.dated == DateOrigin::NoSource)
        .map(|(index, line)| (line.file.dir().to_vec(), (index, None)))
        .collect();
    if undated.is_empty() {
        return;
    }
    for (index, line) in lines.iter().enumerate() {
        let is_listed = line.verdict == Verdict::Listed;
        let terms = terms_of(line);
        let files = iter::once(&line.file).chain(&terms);
        for dir in files.flat_map(|file| dirs_above(file.as_bytes())) {
            match undated.get_mut(dir) {
                Some((list, why)) if *list != index => {
                    if is_listed {
                        *why = Some(DateOrigin::ListedUndated);
                    } else if why.is_none() {
                        *why = Some(DateOrigin::ListedExcluded);
                    }
                }
                _ => {}
            }
        }
    }
    for (index, why) in undated.into_values() {
        if let Some(why) = why {
            lines[index].dated = why;
        }
    }
}

/// Returns the directories above a file, innermost first, each with its trailing `/`; the top level
/// is empty.
fn dirs_above(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = file
        .iter()
        .enumerate()
        .rev()
        .filter(|&(_, &byte)| byte == b'/')
        .map(|(at, _)| at + 1);
    ends.chain([0]).map(|end| &file[..end])
}

/// Returns the language directory that contains a file, with its trailing `/`; empty for the
/// language of the home page.
fn language_dir<'f>(file: &'f [u8], languages: &[String]) -> &'f [u8] {
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

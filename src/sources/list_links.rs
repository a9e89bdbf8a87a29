//! Finds the lists that show pages: those whose main text links to what is below them.

use super::file_history::SourceHistory;
use super::source_finder::SiteSources;
use crate::files::tree::Tree;
use crate::hosts::candidate_files;
use crate::pages::{Page, Pages};
use crate::site::read_again;
use page_signals::main_text_links;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// A list of many pages may show only a few of them.
const ENOUGH: usize = 3;

/// Removes the members of pages that list nothing: a home page or a section may have only a text of its
/// own.
pub(crate) fn keep_lists(
    history: &mut SourceHistory,
    pages: &Pages,
    sources: &SiteSources,
    base: &BaseUrl,
) {
    let members = &mut history.asked.members;
    members.retain(|index| is_list(index, pages, sources, base));
}

/// Whether the main text of a page links to three of the pages below it, or to half of them if they
/// are fewer than six. A further page of a list goes with the first one.
fn is_list(index: usize, pages: &Pages, sources: &SiteSources, base: &BaseUrl) -> bool {
    let file = &pages[index].file;
    let dir = sources.pagers.list_of(file).unwrap_or_else(|| file.dir());
    let first = SitePath::new([dir, b"index.html"].concat());
    let list = &pages[pages.index_of(&first).unwrap_or(index)];
    let start = pages.partition_point(|page| page.file.as_bytes() < dir);
    let (mut pages_of_list, mut below) = (vec![list], Vec::new());
    for page in &pages[start..] {
        let file = &page.file;
        if !file.as_bytes().starts_with(dir) {
            break;
        }
        if sources.pagers.list_of(file) == Some(dir) {
            pages_of_list.push(page);
        }
        if page.is_listed() && *file != list.file && !sources.pagers.contain(file) {
            below.push(file);
        }
    }
    let wanted = ENOUGH.min(below.len().div_ceil(2));
    if wanted == 0 {
        return false;
    }
    let all = below.len();
    for page in pages_of_list {
        for file in linked_files(page, &sources.dirs.output, base) {
            if let Ok(linked) = below.binary_search(&&file) {
                below.remove(linked);
            }
        }
        if all - below.len() >= wanted {
            return true;
        }
    }
    false
}

/// The files that the main text of a page may link to.
fn linked_files(page: &Page, output: &Tree, base: &BaseUrl) -> Vec<SitePath> {
    let read = read_again(output, &page.file, |page| main_text_links(&page)).unwrap_or_default();
    let from = read.base.and_then(|base| page.url.resolve(&base).ok());
    let from: &PageUrl = from.as_ref().unwrap_or(&page.url);
    read.links
        .iter()
        .filter_map(|href| from.resolve(href).ok())
        .flat_map(|url| candidate_files(base, &url))
        .collect()
}

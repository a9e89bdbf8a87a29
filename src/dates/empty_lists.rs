//! Finds listed pages that are known to list nothing: those of taxonomies without terms.
//!
//! Hugo and Zola write a page for each taxonomy of the settings, also if no page has a term of it.
//! Sections are not judged: a section without pages may have a text or a template of its own.

use super::list_dates::language_dir;
use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use crate::sources::SiteSources;
use page_sources::generator::{Site, Taxonomies};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// Reports the listed pages of taxonomies without terms.
pub(super) fn report_empty_lists(
    site: &Site<'_>,
    sources: &SiteSources,
    lines: &[InventoryPage],
) -> Option<Finding> {
    // Elsewhere a template may write its own list to such a URL.
    let generator = site.generator?;
    if generator.branch_index.is_empty() {
        return None;
    }
    let taxonomies = Taxonomies::new(generator, &site.config);
    let mut empty: Vec<&SitePath> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_of_taxonomy = line.verdict == Verdict::Listed
            && line.source.is_none()
            && taxonomies.have_list_at(&line.file);
        if is_of_taxonomy && !has_neighbour_below(lines, index) {
            empty.push(&line.file);
        }
    }
    if empty.is_empty() {
        return None;
    }
    // Pages of terms may be elsewhere: their URLs are settings.
    let languages = site.language_codes();
    for line in lines {
        let file = line.source.as_ref().and_then(|source| source.file());
        let Some(file) = file.and_then(|file| sources.content.file(file)) else {
            continue;
        };
        let language = language_dir(line.file.as_bytes(), &languages);
        for term in taxonomies.pages_of(file, &String::from_utf8_lossy(language)) {
            empty.retain(|list| !term.as_bytes().starts_with(list.dir()));
        }
    }
    finding(&empty)
}

/// Whether another page is below the directory of the page at this index. Pages are sorted by file.
fn has_neighbour_below(lines: &[InventoryPage], index: usize) -> bool {
    let dir = lines[index].file.dir();
    let is_below = |line: Option<&InventoryPage>| {
        line.is_some_and(|line| line.file.as_bytes().starts_with(dir))
    };
    is_below(index.checked_sub(1).and_then(|before| lines.get(before)))
        || is_below(lines.get(index + 1))
}

fn finding(empty: &[&SitePath]) -> Option<Finding> {
    let first = *empty.first()?;
    let message = match empty.len() {
        1 => format!("`{first}` is listed, but it lists nothing"),
        count => format!("{count} pages are listed, but list nothing, such as `{first}`"),
    };
    let globs: Vec<String> = empty.iter().map(|file| format!("\"{file}\"")).collect();
    let hint = format!(
        "disable the taxonomies that you do not use, or set `exclude = [{}]`",
        globs.join(", ")
    );
    let subject = Subject::Page(first.clone(), None);
    Some(Finding::new(code::EMPTY_LIST, subject, message).with_hint(hint))
}

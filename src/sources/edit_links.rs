//! Finds sources through "edit this page" links: the last step, for pages without any other source.
//!
//! A link counts only if it points to a file in the same repository or one of its submodules. Other
//! links look alike ("improve this theme" in every footer), so pages with a known source serve as a
//! check: if such a page links to a file other than its own source, that file is not accepted as a
//! source. A file that several pages link to dates one of them, with its other languages.

use std::collections::{BTreeMap, BTreeSet};

use super::file_history::HistoryOptions;
use super::forge_links::{Forge, LinkedFiles};
use super::source_finder::SiteSources;
use crate::decide::is_language_code;
use crate::pages::{DateOrigin, PageSource, Pages, SourceStep};
use git_last_modified::HistoryError;
use page_signals::EditLinkForm;
use sitemaps::site_paths::SitePath;

/// Number of pages with a known source to check, and minimum sample of those without one.
const SAMPLE: usize = 64;

/// Maximum step between sampled pages without a source. The others are read only if a sampled page
/// links to a file of the repository.
///
/// A section has such links on all pages or on none. Most sites have none, and then no page should
/// be read twice.
const STRIDE: usize = 16;

/// The listed pages whose links are read; `hinted` are those that name their source.
pub(super) struct LinkingPages<'p> {
    /// Those without any other source.
    wanted: Vec<usize>,
    /// Those with a known source.
    known: Vec<(usize, &'p PageSource)>,
}

impl<'p> LinkingPages<'p> {
    pub(super) fn of(
        sources: &SiteSources,
        pages: &'p Pages,
        hinted: &[(usize, PageSource)],
    ) -> Self {
        let (mut wanted, mut known) = (Vec::new(), Vec::new());
        for (index, page) in pages.iter().enumerate() {
            let hint = hinted.binary_search_by_key(&index, |named| named.0);
            if !page.is_listed() || hint.is_ok() {
                continue;
            }
            match &page.source {
                // The build copied or created the source.
                Some(PageSource::File(_, SourceStep::Convention | SourceStep::Copied))
                    if page.dated == DateOrigin::NotCommitted =>
                {
                    wanted.push(index);
                }
                Some(source @ PageSource::File(..)) => known.push((index, source)),
                // A page that is itself committed is its own source.
                Some(_) if page.dated != DateOrigin::NotCommitted => {}
                // Pagination pages show changes made elsewhere, whichever file they are made from.
                _ if sources.pagers.contain(&page.file) || !page.file.is_html() => {}
                _ => wanted.push(index),
            }
        }
        Self { wanted, known }
    }
}

/// Finds the sources that the wanted pages link to, each with the page's index.
pub(super) fn by_edit_links(
    forge: &Forge<'_>,
    pages: &Pages,
    LinkingPages { wanted, known }: &LinkingPages<'_>,
    options: &HistoryOptions<'_>,
) -> Result<Vec<(usize, PageSource)>, HistoryError> {
    let step = (wanted.len() / SAMPLE).clamp(1, STRIDE);
    let asked_first: Vec<usize> = wanted.iter().step_by(step).copied().collect();
    let wanted_links = match forge.links(pages, &asked_first) {
        none if none.is_empty() => return Ok(Vec::new()),
        all if step == 1 => all,
        _ => forge.links(pages, wanted),
    };
    let step = known.len().div_ceil(SAMPLE).max(1);
    let known: BTreeMap<usize, &PageSource> = known.iter().step_by(step).copied().collect();
    let known_links = forge.links(pages, &known.keys().copied().collect::<Vec<_>>());
    let count = wanted.len() + known.len();
    let counting = forge.counting(&[&wanted_links, &known_links], count, options)?;
    // Files linked from pages with a different source are not accepted as sources.
    let mut refuted = BTreeSet::new();
    // The most reliable form in which any page links to its own source.
    let mut confirmed = None;
    for (index, files) in forge.files(&known_links, &counting) {
        let own = known[&index].file();
        let form = own.and_then(|own| files.get(own).copied());
        confirmed = confirmed.max(form);
        refuted.extend(files.into_keys().filter(|file| Some(file) != own));
    }
    let linked = forge.files(&wanted_links, &counting);
    let form = confirmed.unwrap_or(EditLinkForm::Editor);
    Ok(believed(pages, &linked, &refuted, form))
}

/// Returns the file that each page links to as its source. A page's links of another form than the site's
/// edit links do not count if it has one of that form.
///
/// A file that several pages link to is their source if they are one page in several languages.
/// Otherwise, it may be a template or data of all of them, and dates none.
fn believed(
    pages: &Pages,
    linked: &[(usize, LinkedFiles)],
    refuted: &BTreeSet<SitePath>,
    form: EditLinkForm,
) -> Vec<(usize, PageSource)> {
    let mut claims = Vec::new();
    let mut claimed_by: BTreeMap<&SitePath, BTreeSet<&[u8]>> = BTreeMap::new();
    for (index, files) in linked {
        // All pages of a language are translated with a gettext catalogue.
        let believed = files
            .iter()
            .filter(|(file, _)| !refuted.contains(file) && file.extension() != Some(b"po"));
        if let Some(file) = only_file(believed, form) {
            let in_all_languages = without_language(&pages[*index].file);
            claimed_by.entry(file).or_default().insert(in_all_languages);
            claims.push((*index, file));
        }
    }
    claims.retain(|(_, file)| claimed_by[file].len() == 1);
    claims
        .into_iter()
        .map(|(index, file)| (index, PageSource::File(file.clone(), SourceStep::EditLink)))
        .collect()
}

/// Returns the only file linked in this form, or the only file linked at all if none is. A
/// documentation page may link to files and still have one edit link.
fn only_file<'f>(
    linked: impl Iterator<Item = (&'f SitePath, &'f EditLinkForm)>,
    form: EditLinkForm,
) -> Option<&'f SitePath> {
    let (exact, others): (Vec<_>, Vec<_>) = linked.partition(|(_, known)| **known == form);
    let candidates = if exact.is_empty() { others } else { exact };
    match candidates[..] {
        [(file, _)] => Some(file),
        _ => None,
    }
}

/// Returns the path of a page without the directory of a language at its start: `a/index.html` of
/// `pt-br/a/index.html`.
fn without_language(page: &SitePath) -> &[u8] {
    let whole = page.as_bytes();
    let Some(end) = memchr::memchr(b'/', whole) else {
        return whole;
    };
    let is_language = str::from_utf8(&whole[..end]).is_ok_and(|dir| {
        let code = dir.replace('_', "-");
        !code.starts_with("x-") && is_language_code(&code)
    });
    if is_language {
        &whole[end + 1..]
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_a_directory_at_the_start_of_a_path() {
        let check = |page: &str, expected: &str| {
            let page = SitePath::from(page);
            assert_eq!(without_language(&page), expected.as_bytes(), "{page}");
        };
        check("fr/docs/a/index.html", "docs/a/index.html");
        check("pt-BR/a.html", "a.html");
        check("zh_cn/a.html", "a.html");
        check("zh-Hant-TW/index.html", "index.html");
        check("docs/fr/a.html", "docs/fr/a.html");
        check("js/a.html", "js/a.html");
        check("api/a.html", "api/a.html");
        check("x-default/a.html", "x-default/a.html");
        check("fr.html", "fr.html");
    }
}

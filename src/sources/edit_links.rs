//! Finds sources through "edit this page" links: the last step, for pages without any other source.
//!
//! A link counts only if it points to a file in the same repository or one of its submodules. Other
//! links look alike ("improve this theme" in every footer), so pages with a known source serve as a
//! check: if such a page links to a file other than its own source, that file is not accepted as a
//! source. A file that several pages link to dates one of them, with its other languages.

use std::collections::{BTreeMap, BTreeSet};

use super::date_origin::DateOrigin;
use super::file_history::{HistoryOptions, SourceHistory};
use super::forge_links::{Forge, LinkedFiles};
use super::ruled_pages::JudgedPages;
use super::shared_files::{FileClaims, is_catalogue};
use super::source_finder::{PageSource, SiteSources, SourceStep};
use crate::decide::{JudgedPage, Verdict};
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
        pages: &'p JudgedPages,
        history: &SourceHistory,
        hinted: &[(usize, PageSource)],
    ) -> Self {
        let has_hint = |index: usize| hinted.binary_search_by_key(&index, |named| named.0).is_ok();
        let (mut wanted, mut known) = (Vec::new(), Vec::new());
        for (index, line) in pages.judged.iter().enumerate() {
            if line.verdict != Verdict::Listed || has_hint(index) {
                continue;
            }
            match &pages.ruled[index].source {
                // The build copied or created the source.
                Some(PageSource::File(_, SourceStep::Convention | SourceStep::Copied))
                    if history.page(index) == DateOrigin::NotCommitted =>
                {
                    wanted.push(index);
                }
                Some(source @ PageSource::File(..)) => known.push((index, source)),
                // A page that is itself committed is its own source.
                Some(_) if history.page(index) != DateOrigin::NotCommitted => {}
                // Pagination pages show changes made elsewhere, whichever file they are made from.
                _ if sources.pagers.contain(&line.file) || !line.file.is_html() => {}
                _ => wanted.push(index),
            }
        }
        Self { wanted, known }
    }
}

/// What pages with known sources show about edit links.
#[derive(Default)]
struct EditLinkExperience {
    /// Files linked from pages with a different source: these are not accepted as sources.
    of_others: BTreeSet<SitePath>,
    /// The most reliable form in which any page links to its own source.
    confirmed: Option<EditLinkForm>,
}

/// Finds the sources that the wanted pages link to, each with the page's index.
pub(super) fn by_edit_links(
    forge: &Forge<'_>,
    lines: &[JudgedPage],
    LinkingPages { wanted, known }: &LinkingPages<'_>,
    options: &HistoryOptions<'_>,
) -> Result<Vec<(usize, PageSource)>, HistoryError> {
    let step = (wanted.len() / SAMPLE).clamp(1, STRIDE);
    let asked_first: Vec<usize> = wanted.iter().step_by(step).copied().collect();
    let of_wanted = match forge.links(lines, &asked_first) {
        none if none.is_empty() => return Ok(Vec::new()),
        all if step == 1 => all,
        _ => forge.links(lines, wanted),
    };
    let step = known.len().div_ceil(SAMPLE).max(1);
    let known: BTreeMap<usize, &PageSource> = known.iter().step_by(step).copied().collect();
    let of_known = forge.links(lines, &known.keys().copied().collect::<Vec<_>>());
    let pages = wanted.len() + known.len();
    let counting = forge.counting(&[&of_wanted, &of_known], pages, options)?;
    let linked = forge.files(&of_wanted, &counting);
    let experience = EditLinkExperience::of(&known, forge.files(&of_known, &counting));
    Ok(experience.believed(lines, &linked))
}

impl EditLinkExperience {
    /// Evaluates the files that pages with known sources link to.
    fn of(known: &BTreeMap<usize, &PageSource>, linked: Vec<(usize, LinkedFiles)>) -> Self {
        let mut experience = Self::default();
        for (index, files) in linked {
            let own = known[&index].file();
            let form = own.and_then(|own| files.get(own).copied());
            experience.confirmed = experience.confirmed.max(form);
            let others = files.into_keys().filter(|file| Some(file) != own);
            experience.of_others.extend(others);
        }
        experience
    }

    /// Returns the file that each page links to as its source, unless other pages do too.
    ///
    /// If known sources confirm the form of the site's edit links, a page's other links do not
    /// count.
    fn believed(
        &self,
        lines: &[JudgedPage],
        linked: &[(usize, LinkedFiles)],
    ) -> Vec<(usize, PageSource)> {
        let may_be_source = |file: &SitePath| !self.of_others.contains(file) && !is_catalogue(file);
        let form = self.confirmed.unwrap_or(EditLinkForm::Editor);
        let claims = linked.iter().filter_map(|(index, files)| {
            let believed = files.iter().filter(|(file, _)| may_be_source(file));
            Some((*index, only_file(believed, form)?))
        });
        let claims: Vec<(usize, &SitePath)> = claims.collect();
        let owners = FileClaims::new(lines, claims.iter().copied());
        let own = claims.iter().filter(|(_, file)| owners.is_source(file));
        own.map(|&(index, file)| (index, PageSource::File(file.clone(), SourceStep::EditLink)))
            .collect()
    }
}

/// Returns the only file linked in this form, or the only file linked at all if none is. A
/// documentation page may link to files and still have one edit link.
fn only_file<'f>(
    linked: impl Iterator<Item = (&'f SitePath, &'f EditLinkForm)>,
    form: EditLinkForm,
) -> Option<&'f SitePath> {
    let (of_form, others): (Vec<_>, Vec<_>) = linked.partition(|(_, of)| **of == form);
    let candidates = if of_form.is_empty() { others } else { of_form };
    match candidates[..] {
        [(file, _)] => Some(file),
        _ => None,
    }
}

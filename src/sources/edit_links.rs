//! Finds sources through "edit this page" links: the last step, for pages without any other source.
//!
//! A link counts only if it points to a file in the same repository or one of its submodules. Other
//! links look alike ("improve this theme" in every footer), so pages with a known source serve as a
//! check: if such a page links to a file other than its own source, that file is not accepted as a
//! source. A file that several pages link to dates one of them, with its other languages.

use std::collections::{BTreeMap, BTreeSet};

use super::file_history::HistoryOptions;
use super::forge_links::{Forge, LinkedFiles};
use super::shared_files::{FileClaims, is_catalogue};
use super::source_finder::{PageSource, SourceStep};
use crate::decide::DecidedPage;
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

/// What pages with known sources show about edit links.
#[derive(Default)]
struct EditLinkExperience<'p> {
    /// Files linked from pages with a different source: these are not accepted as sources.
    of_others: BTreeSet<SitePath>,
    /// The subset that contradicts a page's source, each with one such page. A page that links to
    /// its own source as well does not contradict it: its other links are not edit links.
    contradicting: BTreeMap<SitePath, (&'p DecidedPage, &'p PageSource)>,
    /// The most reliable form in which any page links to its own source.
    confirmed: Option<EditLinkForm>,
}

/// A known source that an edit link contradicts.
pub(super) struct ContradictedSource<'p> {
    pub(super) line: &'p DecidedPage,
    pub(super) known: &'p PageSource,
    pub(super) linked: PageSource,
}

/// What edit links show about the sources of pages.
#[derive(Default)]
pub(super) struct EditLinkSources<'p> {
    /// The source of each page that has one, with the page's index.
    pub(super) found: Vec<(usize, PageSource)>,
    /// The known sources that such links contradict.
    pub(super) contradicted: Vec<ContradictedSource<'p>>,
}

/// Finds the files that the `wanted` pages link to, each with the page's index, and the known
/// sources that such links contradict.
pub(super) fn by_edit_links<'p>(
    forge: &Forge<'_>,
    lines: &'p [DecidedPage],
    wanted: &[usize],
    known: &[(usize, &'p PageSource)],
    options: &HistoryOptions<'_>,
) -> Result<EditLinkSources<'p>, HistoryError> {
    let step = (wanted.len() / SAMPLE).clamp(1, STRIDE);
    let asked_first: Vec<usize> = wanted.iter().step_by(step).copied().collect();
    let of_wanted = match forge.links(lines, &asked_first) {
        none if none.is_empty() => return Ok(EditLinkSources::default()),
        all if step == 1 => all,
        _ => forge.links(lines, wanted),
    };
    let step = known.len().div_ceil(SAMPLE).max(1);
    let known: BTreeMap<usize, &PageSource> = known.iter().step_by(step).copied().collect();
    let of_known = forge.links(lines, &known.keys().copied().collect::<Vec<_>>());
    let pages = wanted.len() + known.len();
    let counting = forge.counting(&[&of_wanted, &of_known], pages, options)?;
    let linked = forge.files(&of_wanted, &counting);
    let experience = experience(lines, &known, forge.files(&of_known, &counting));
    let linking: BTreeSet<&SitePath> = linked.iter().flat_map(|(_, files)| files.keys()).collect();
    let contradicted = experience.contradicting.iter();
    let contradicted = contradicted.filter(|(file, _)| linking.contains(file));
    let contradicted = contradicted.map(|(path, &(line, known))| ContradictedSource {
        line,
        known,
        linked: PageSource::File(path.clone(), SourceStep::EditLink),
    });
    Ok(EditLinkSources {
        found: experience.believed(lines, &linked),
        contradicted: contradicted.collect(),
    })
}

impl EditLinkExperience<'_> {
    /// Returns the only file that each page links to and that dates no other page.
    ///
    /// If known sources confirm the form of the site's edit links, a page's other links do not
    /// count. Otherwise each link may be an edit link.
    fn believed(
        &self,
        lines: &[DecidedPage],
        linked: &[(usize, LinkedFiles)],
    ) -> Vec<(usize, PageSource)> {
        let may_be_source = |file: &SitePath| !self.of_others.contains(file) && !is_catalogue(file);
        let answer = |files: &LinkedFiles, claims: Option<&FileClaims<'_>>, index: usize| {
            let believed = files.iter().filter(|(file, _)| may_be_source(file));
            let believed =
                believed.filter(|(file, _)| claims.is_none_or(|claims| claims.is_of(file, index)));
            only_file(believed, self.confirmed.unwrap_or(EditLinkForm::Editor)).cloned()
        };
        let claims: Vec<(usize, SitePath)> = if self.confirmed.is_some() {
            let claims = linked.iter();
            let claims =
                claims.filter_map(|(index, files)| Some((*index, answer(files, None, *index)?)));
            claims.collect()
        } else {
            let all = linked.iter();
            all.flat_map(|(index, files)| files.keys().map(|file| (*index, file.clone())))
                .collect()
        };
        let owners = FileClaims::new(lines, &claims);
        let found = linked.iter().filter_map(|(index, files)| {
            let path = answer(files, Some(&owners), *index)?;
            Some((*index, PageSource::File(path, SourceStep::EditLink)))
        });
        found.collect()
    }
}

/// Evaluates the files that pages with known sources link to.
fn experience<'p>(
    lines: &'p [DecidedPage],
    known: &BTreeMap<usize, &'p PageSource>,
    linked: Vec<(usize, LinkedFiles)>,
) -> EditLinkExperience<'p> {
    let mut experience = EditLinkExperience::default();
    for (index, files) in linked {
        let source = known[&index];
        let own = source.file().and_then(|own| files.get(own).copied());
        experience.confirmed = experience.confirmed.max(own);
        for file in files.into_keys().filter(|file| Some(file) != source.file()) {
            if own.is_none() {
                experience
                    .contradicting
                    .entry(file.clone())
                    .or_insert((&lines[index], source));
            }
            experience.of_others.insert(file);
        }
    }
    experience
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

//! Finds the sources that pages name in a hint or an "edit this page" link. They are known only
//! after reading the pages, so this queries the history a second time.

use std::collections::HashMap;
use std::path::Path;

use super::date_origin::DateOrigin;
use super::decided_pages::DecidedPages;
use super::edit_links::{ContradictedSource, EditLinkSources, by_edit_links};
use super::file_history::{FilesToDate, HistoryOptions, SourceHistory};
use super::forge_links::Forge;
use super::mapped_sources::path_from_root;
use super::own_repository::RepositoryEvidence;
use super::source_finder::{PageSource, SiteSources, SourceDirs, SourceStep, existing};
use crate::decide::{DecidedPage, Verdict};
use crate::settings::Settings;
use git_last_modified::{History, HistoryError};
use page_sources::generator::IncludeReader;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

/// Sources named by the pages, with their history.
pub(crate) struct HintedSources {
    found: HashMap<usize, (PageSource, DateOrigin)>,
    /// All files that these sources include.
    includes: HashMap<usize, Vec<SitePath>>,
    /// The history of the sources that no other step found.
    pub(crate) history: History,
}

/// A source named by a page.
struct NamedSource {
    index: usize,
    source: PageSource,
}

impl HintedSources {
    /// Finds the sources named by listed pages. `known` is the history of the sources that were
    /// known before reading.
    pub(crate) fn find(
        sources: &SiteSources,
        settings: &Settings,
        pages: &DecidedPages,
        known: &SourceHistory,
        options: &HistoryOptions<'_>,
        includes: Option<&mut IncludeReader<'_>>,
        repository: RepositoryEvidence<'_>,
    ) -> Result<WithFindings<Self>, HistoryError> {
        let mut findings = Vec::new();
        let dirs = &sources.dirs;
        let hinted = by_hints(dirs, pages).take_into(&mut findings);
        let linked = match Forge::of(dirs, repository) {
            Some(forge) => {
                let wanted = WantedLinks::new(sources, pages, known, &hinted);
                by_links(&forge, pages, &wanted, options)?.take_into(&mut findings)
            }
            None => Vec::new(),
        };
        let (mut found, mut all_files) = (HashMap::new(), HashMap::new());
        let (mut requested, mut to_date) = (FilesToDate::default(), Vec::new());
        for NamedSource { index, source } in hinted.into_iter().chain(linked) {
            let ruled = &pages.ruled()[index];
            let before = ruled.source.as_ref();
            if before.is_some_and(|before| before.file() == source.file()) {
                found.insert(index, (source, known.page(index)));
                continue;
            }
            requested.add_source(to_date.len());
            to_date.push(NamedSource { index, source });
        }
        let mut history = History::default();
        if !to_date.is_empty() {
            if let Some(reader) = includes {
                let sources = to_date.iter().map(|named| Some(&named.source));
                findings.append(&mut requested.add_included(reader, sources));
            }
            let answered = requested.query(options, |position| {
                let NamedSource { index, source } = &to_date[position];
                source.on_disk(dirs, &pages.decided()[*index].file)
            })?;
            let mut answers = Vec::new();
            for (position, NamedSource { index, source }) in to_date.into_iter().enumerate() {
                // A link counts only if it points to a committed file.
                if source.step() == SourceStep::EditLink && !answered.is_tracked(position) {
                    continue;
                }
                let rule_outcome = &pages.ruled()[index].rule_outcome;
                if rule_outcome.wants_history(&settings.lastmod) {
                    answers.extend(answered.answer(position).cloned());
                }
                found.insert(index, (source, answered.page(position)));
                all_files.insert(index, answered.includes(position));
            }
            history = History {
                files: answers,
                ..answered.history
            };
        }
        let hinted = Self {
            found,
            includes: all_files,
            history,
        };
        Ok(WithFindings::new(hinted, findings))
    }

    /// Returns all files that the source named by the page at an index includes, if it names one.
    pub(crate) fn includes(&self, index: usize) -> Option<Vec<SitePath>> {
        self.includes.get(&index).cloned()
    }

    /// Returns the source named by the page at an index, with its history.
    pub(crate) fn of(&self, index: usize) -> Option<(Option<PageSource>, DateOrigin)> {
        self.found
            .get(&index)
            .map(|(source, history)| (Some(source.clone()), history.clone()))
    }
}

/// Returns the sources in `<meta name="waypost:source">` of listed pages without a source by rule.
fn by_hints(dirs: &SourceDirs, pages: &DecidedPages) -> WithFindings<Vec<NamedSource>> {
    let (mut named, mut findings) = (Vec::new(), Vec::new());
    for (index, (line, stated)) in pages.decided().iter().zip(pages.unjudged()).enumerate() {
        let known = pages.ruled()[index].source.as_ref();
        let by_rule = known.is_some_and(|known| known.step() == SourceStep::Rule);
        if by_rule || line.verdict != Verdict::Listed {
            continue;
        }
        let hint = stated.source_hint().and_then(|hint| {
            let path = path_from_root(&dirs.site_root, Path::new(hint.trim()));
            existing(dirs, &line.file, &path, SourceStep::Hint).take_into(&mut findings)
        });
        // The first step wins; the first later step that disagrees is reported.
        let answers = [hint.as_ref(), known, pages.rival(index)];
        findings.extend(disagreement(line, answers.into_iter().flatten()));
        named.extend(hint.map(|source| NamedSource { index, source }));
    }
    WithFindings::new(named, findings)
}

/// The listed pages whose links are read.
struct WantedLinks<'p> {
    /// Those without any other source.
    wanted: Vec<usize>,
    /// Those with a known source.
    known: Vec<(usize, &'p PageSource)>,
}

impl<'p> WantedLinks<'p> {
    fn new(
        sources: &SiteSources,
        pages: &'p DecidedPages,
        history: &SourceHistory,
        hinted: &[NamedSource],
    ) -> Self {
        let has_hint = |index: usize| {
            hinted
                .binary_search_by_key(&index, |named| named.index)
                .is_ok()
        };
        let (mut wanted, mut known) = (Vec::new(), Vec::new());
        for (index, line) in pages
            .decided()
            .iter()
            .enumerate()
            .filter(|(_, line)| line.verdict == Verdict::Listed)
        {
            match &pages.ruled()[index].source {
                _ if has_hint(index) => {}
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

/// Returns the sources behind "edit this page" links, for listed pages without any other source.
fn by_links(
    forge: &Forge<'_>,
    pages: &DecidedPages,
    WantedLinks { wanted, known }: &WantedLinks<'_>,
    options: &HistoryOptions<'_>,
) -> Result<WithFindings<Vec<NamedSource>>, HistoryError> {
    let EditLinkSources {
        found,
        contradicted,
    } = by_edit_links(forge, pages.decided(), wanted, known, options)?;
    let findings = contradicted.iter().filter_map(
        |ContradictedSource {
             line,
             known,
             linked,
         }| disagreement(line, [*known, linked].into_iter()),
    );
    // A link to the page's own source adds nothing.
    let named = found.into_iter().filter(|(index, source)| {
        let before = pages.ruled()[*index].source.as_ref();
        before.and_then(PageSource::file) != source.file()
    });
    let mut named: Vec<NamedSource> = named
        .map(|(index, source)| NamedSource { index, source })
        .collect();
    named.sort_by_key(|named| named.index);
    Ok(WithFindings::new(named, findings.collect()))
}

fn disagreement<'s>(
    line: &DecidedPage,
    mut answers: impl Iterator<Item = &'s PageSource>,
) -> Option<Finding> {
    let believed = answers.next()?;
    let other =
        answers.find(|other| other.file() != believed.file() && **other != PageSource::Itself)?;
    let says = |source: &PageSource| {
        let path = source.file().unwrap_or(&line.file);
        format!("`{path}` ({})", source.step().as_str())
    };
    let message = format!(
        "two steps disagree on the source of `{}`: {}, {}",
        line.file,
        says(believed),
        says(other)
    );
    let finding = Finding::new(
        code::SOURCE_DISAGREEMENT,
        Subject::Page(line.file.clone(), None),
        message,
    );
    Some(finding.with_hint("the first one is used; set `source` in a rule to decide"))
}

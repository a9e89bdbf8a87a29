//! Finds the sources that pages name in a hint or an "edit this page" link. They are known only
//! after reading the pages, so this queries the history a second time.

use std::collections::HashMap;
use std::path::Path;

use super::date_origin::DateOrigin;
use super::edit_links::{LinkingPages, by_edit_links};
use super::file_history::{FilesToDate, HistoryOptions, SourceHistory};
use super::forge_links::Forge;
use super::mapped_sources::path_from_root;
use super::repository_name::RepositoryEvidence;
use super::ruled_pages::JudgedPages;
use super::source_finder::{PageSource, SiteSources, SourceDirs, SourceStep, existing};
use crate::decide::Verdict;
use git_last_modified::{History, HistoryError};
use page_sources::generator::IncludeReader;
use sitemaps::findings::WithFindings;
use sitemaps::site_paths::SitePath;

/// Sources named by the pages, with their history.
pub(crate) struct HintedSources {
    found: HashMap<usize, (PageSource, DateOrigin)>,
    /// All files that these sources include.
    includes: HashMap<usize, Vec<SitePath>>,
    /// The history of the sources that no other step found.
    pub(crate) history: History,
}

/// A source named by a page, with the page's index.
type NamedSource = (usize, PageSource);

impl HintedSources {
    /// Finds the sources named by listed pages. `known` is the history of the sources that were
    /// known before reading.
    pub(crate) fn find(
        sources: &SiteSources,
        pages: &JudgedPages,
        known: &SourceHistory,
        options: &HistoryOptions<'_>,
        includes: Option<&mut IncludeReader<'_>>,
        repository: RepositoryEvidence<'_>,
    ) -> Result<WithFindings<Self>, HistoryError> {
        let mut findings = Vec::new();
        let dirs = &sources.dirs;
        let mut named = by_hints(dirs, pages).take_into(&mut findings);
        if let Some(forge) = Forge::of(dirs, repository) {
            let linking = LinkingPages::of(sources, pages, known, &named);
            named.extend(by_edit_links(&forge, &pages.judged, &linking, options)?);
        }
        let (mut found, mut all_files) = (HashMap::new(), HashMap::new());
        let (mut requested, mut to_date) = (FilesToDate::default(), Vec::new());
        for (index, source) in named {
            let before = pages.ruled[index].source.as_ref();
            if before.is_none_or(|before| before.file() != source.file()) {
                requested.add_source(to_date.len());
                to_date.push((index, source));
            } else if source.step() == SourceStep::Hint {
                found.insert(index, (source, known.page(index)));
            }
        }
        let mut history = History::default();
        if !to_date.is_empty() {
            if let Some(reader) = includes {
                let sources = to_date.iter().map(|(_, source)| Some(source));
                findings.append(&mut requested.add_included(reader, sources));
            }
            let answered = requested.query(options, |position| {
                let (index, source) = &to_date[position];
                source.on_disk(dirs, &pages.judged[*index].file)
            })?;
            let mut answers = Vec::new();
            for (position, (index, source)) in to_date.into_iter().enumerate() {
                // A link counts only if it points to a committed file.
                if source.step() == SourceStep::EditLink && !answered.is_tracked(position) {
                    continue;
                }
                let rule_outcome = &pages.ruled[index].rule_outcome;
                if rule_outcome.wants_history(options.settings) {
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
fn by_hints(dirs: &SourceDirs, pages: &JudgedPages) -> WithFindings<Vec<NamedSource>> {
    let (mut named, mut findings) = (Vec::new(), Vec::new());
    for (index, line) in pages.judged.iter().enumerate() {
        let known = pages.ruled[index].source.as_ref();
        let by_rule = known.is_some_and(|known| known.step() == SourceStep::Rule);
        if by_rule || line.verdict != Verdict::Listed {
            continue;
        }
        let hint = line
            .rare
            .as_ref()
            .and_then(|rare| rare.source_hint.as_ref());
        let source = hint.and_then(|hint| {
            let path = path_from_root(&dirs.site_root, Path::new(hint.trim()));
            existing(dirs, &line.file, &path, SourceStep::Hint).take_into(&mut findings)
        });
        named.extend(source.map(|source| (index, source)));
    }
    WithFindings::new(named, findings)
}

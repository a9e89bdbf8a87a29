//! Finds the sources that pages name in a hint or an "edit this page" link. They are known only
//! after reading the pages, so this queries the history a second time.

use std::collections::HashMap;
use std::path::Path;

use super::edit_links::{ContradictedSource, by_edit_links};
use super::histories::{FilesToDate, PageHistory};
use super::list_dates::is_pager;
use super::mapped_sources::path_from_root;
use super::reading::UnjudgedFacts;
use super::rule_outcome::RuledPages;
use super::sources::{PageSource, SourceStep, existing, files_of};
use super::survey::{RunError, Survey};
use crate::decide::{DecidedPage, Verdict};
use git_last_modified::History;
use site_paths::finding::{Finding, Subject, code};

/// Sources named by the pages, with their history.
pub(super) struct HintedSources {
    found: HashMap<usize, (PageSource, PageHistory)>,
    /// The history of the sources that no other step found.
    pub(super) history: History,
}

/// A source named by a page.
struct NamedSource {
    index: usize,
    source: PageSource,
}

impl HintedSources {
    /// Finds the sources named by listed pages. `history` contains the results for the sources
    /// known before reading.
    pub(super) fn ask(
        survey: &Survey<'_>,
        treated: &RuledPages,
        (lines, stated): (&[DecidedPage], &[UnjudgedFacts]),
        history: &History,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, RunError> {
        let mut found = HashMap::new();
        let mut requested = FilesToDate::default();
        let mut to_date = Vec::new();
        let hinted = by_hints(survey, treated, lines, stated, findings);
        let linked = by_links(survey, treated, lines, history, &hinted, findings);
        for NamedSource { index, source } in hinted.into_iter().chain(linked) {
            let known = treated.pages[index].source.as_ref();
            if known.is_some_and(|known| known.file() == source.file()) {
                found.insert(index, (source, treated.files_to_date.page(index, history)));
                continue;
            }
            let also = treated.pages[index].treatment.also.as_deref();
            requested.add(files_of(
                &treated.folders,
                &lines[index].file,
                Some(&source),
                also,
            ));
            to_date.push(NamedSource { index, source });
        }
        if to_date.is_empty() {
            return Ok(Self {
                found,
                history: History::default(),
            });
        }
        let history = requested.query(survey)?;
        let mut answers = Vec::new();
        for (position, NamedSource { index, source }) in to_date.into_iter().enumerate() {
            // A link counts only if it points to a committed file.
            if source.step() == SourceStep::EditLink && !requested.is_tracked(position, &history) {
                continue;
            }
            if treated.pages[index]
                .treatment
                .wants_history(&survey.settings().lastmod)
            {
                answers.extend_from_slice(requested.answers(position, &history));
            }
            found.insert(index, (source, requested.page(position, &history)));
        }
        Ok(Self {
            found,
            history: History {
                files: answers,
                ..history
            },
        })
    }

    /// Returns the source named by the page at an index, with its history.
    pub(super) fn of(&self, index: usize) -> Option<(Option<PageSource>, PageHistory)> {
        self.found
            .get(&index)
            .map(|(source, history)| (Some(source.clone()), history.clone()))
    }
}

/// Returns the sources in `<meta name="waypost:source">` of listed pages without a source by rule.
fn by_hints(
    survey: &Survey<'_>,
    treated: &RuledPages,
    lines: &[DecidedPage],
    stated: &[UnjudgedFacts],
    findings: &mut Vec<Finding>,
) -> Vec<NamedSource> {
    let mut named = Vec::new();
    for (index, (line, stated)) in lines.iter().zip(stated).enumerate() {
        let known = treated.pages[index].source.as_ref();
        let by_rule = known.is_some_and(|known| known.step() == SourceStep::Rule);
        if by_rule || line.verdict != Verdict::Listed {
            continue;
        }
        let hint = stated.source_hint().and_then(|hint| {
            let path = path_from_root(&survey.site.root, Path::new(hint.trim()));
            existing(survey, &line.file, &path, SourceStep::Hint, findings)
        });
        // The first step wins; the first later step that disagrees is reported.
        let answers = [hint.as_ref(), known, treated.rivals.get(&index)];
        findings.extend(disagreement(line, answers.into_iter().flatten()));
        named.extend(hint.map(|source| NamedSource { index, source }));
    }
    named
}

/// Returns the sources behind "edit this page" links, for listed pages without any other source.
fn by_links(
    survey: &Survey<'_>,
    treated: &RuledPages,
    lines: &[DecidedPage],
    history: &History,
    hinted: &[NamedSource],
    findings: &mut Vec<Finding>,
) -> Vec<NamedSource> {
    if !survey.settings().edit_links {
        return Vec::new();
    }
    let has_hint = |index: usize| {
        hinted
            .binary_search_by_key(&index, |named| named.index)
            .is_ok()
    };
    let (mut wanted, mut known) = (Vec::new(), Vec::new());
    for (index, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.verdict == Verdict::Listed)
    {
        match &treated.pages[index].source {
            _ if has_hint(index) => {}
            Some(source @ PageSource::File(..)) => known.push((index, source)),
            // A page that is itself committed is its own source.
            Some(_) if treated.files_to_date.page(index, history) != PageHistory::Untracked(0) => {}
            // Pagination pages show changes made elsewhere, whichever file they are made from.
            _ if is_pager(&line.file) || !line.file.is_html() => {}
            _ => wanted.push(index),
        }
    }
    let (found, contradicted) = by_edit_links(survey, lines, &wanted, &known);
    findings.extend(contradicted.iter().filter_map(
        |ContradictedSource {
             line,
             known,
             linked,
         }| disagreement(line, [*known, linked].into_iter()),
    ));
    found
        .into_iter()
        .map(|(index, source)| NamedSource { index, source })
        .collect()
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

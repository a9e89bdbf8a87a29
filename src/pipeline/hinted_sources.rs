//! The sources that pages name themselves, in a hint or by an "edit this page" link: known only once the pages are read,
//! so the history is asked once more.

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
use crate::finding::{Finding, Subject, code};
use crate::history::History;

/// The sources that pages name themselves, dated.
pub(super) struct HintedSources {
    found: HashMap<usize, (PageSource, PageHistory)>,
    /// What the history says of the sources that nothing else had named.
    pub(super) history: History,
}

/// A source that a page names itself.
struct NamedSource {
    index: usize,
    source: PageSource,
}

impl HintedSources {
    /// Asks the listed pages; `history` has answered for what was known before they were read.
    pub(super) fn ask(
        survey: &Survey<'_>,
        treated: &RuledPages,
        (lines, said): (&[DecidedPage], &[UnjudgedFacts]),
        history: &History,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, RunError> {
        let mut found = HashMap::new();
        let mut asked = FilesToDate::default();
        let mut to_date = Vec::new();
        let hinted = by_hints(survey, treated, lines, said, findings);
        let linked = by_links(survey, treated, lines, history, &hinted, findings);
        for NamedSource { index, source } in hinted.into_iter().chain(linked) {
            let known = treated.pages[index].source.as_ref();
            if known.is_some_and(|known| known.file() == source.file()) {
                found.insert(index, (source, treated.asked.page(index, history)));
                continue;
            }
            let also = treated.pages[index].treatment.also.as_deref();
            asked.add(files_of(
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
        let history = asked.ask(survey)?;
        let mut answers = Vec::new();
        for (position, NamedSource { index, source }) in to_date.into_iter().enumerate() {
            // A link is believed only where it leads to what is in the repository.
            if source.step() == SourceStep::EditLink && !asked.is_tracked(position, &history) {
                continue;
            }
            if treated.pages[index]
                .treatment
                .wants_history(&survey.settings().lastmod)
            {
                answers.extend_from_slice(asked.answers(position, &history));
            }
            found.insert(index, (source, asked.page(position, &history)));
        }
        Ok(Self {
            found,
            history: History { answers, ..history },
        })
    }

    /// The source that the page at a position names, and what the history says of it.
    pub(super) fn of(&self, index: usize) -> Option<(Option<PageSource>, PageHistory)> {
        self.found
            .get(&index)
            .map(|(source, history)| (Some(source.clone()), history.clone()))
    }
}

/// What the listed pages say in `<meta name="waypost:source">`, unless a rule says otherwise.
fn by_hints(
    survey: &Survey<'_>,
    treated: &RuledPages,
    lines: &[DecidedPage],
    said: &[UnjudgedFacts],
    findings: &mut Vec<Finding>,
) -> Vec<NamedSource> {
    let mut named = Vec::new();
    for (index, (line, said)) in lines.iter().zip(said).enumerate() {
        let known = treated.pages[index].source.as_ref();
        let by_rule = known.is_some_and(|known| known.step() == SourceStep::Rule);
        if by_rule || line.verdict != Verdict::Listed {
            continue;
        }
        let hint = said.source_hint().and_then(|hint| {
            let path = path_from_root(&survey.site.root, Path::new(hint.trim()));
            existing(survey, &line.file, &path, SourceStep::Hint, findings)
        });
        // Whoever speaks first is believed, and told of the first who says otherwise.
        let answers = [hint.as_ref(), known, treated.rivals.get(&index)];
        findings.extend(disagreement(line, answers.into_iter().flatten()));
        named.extend(hint.map(|source| NamedSource { index, source }));
    }
    named
}

/// Where links "edit this page" lead, for the listed pages whose source nothing else tells.
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
            // A page that is committed as it is has itself as its source.
            Some(_) if treated.asked.page(index, history) != PageHistory::Untracked(0) => {}
            // The further pages of a list show what changes elsewhere, whatever file they are made from.
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
        "two ways to find the source of `{}` disagree: {}, {}",
        line.file,
        says(believed),
        says(other)
    );
    let finding = Finding::new(
        code::SOURCE_DISAGREEMENT,
        Subject::Page(line.file.clone(), None),
        message,
    );
    Some(finding.with_hint("the first is taken; a rule with `source` settles it"))
}

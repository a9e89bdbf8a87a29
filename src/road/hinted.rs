//! The sources that pages name themselves: known only once the pages are read, so the history is asked once more.

use std::collections::HashMap;

use super::histories::{Asked, PageHistory, absolute};
use super::reading::PageSaid;
use super::sources::{PageSource, SourceStep, existing, files_of};
use super::survey::{Fault, Survey};
use super::treatment::Treated;
use super::truths::path_from_root;
use crate::decide::{Line, Verdict};
use crate::finding::{Finding, Subject, code};
use crate::history::History;

/// The sources that pages name themselves, dated.
pub(super) struct Hinted {
    found: HashMap<usize, (PageSource, PageHistory)>,
}

/// A source that a page names itself.
struct Named {
    index: usize,
    source: PageSource,
}

impl Hinted {
    /// Asks the listed pages; `history` has answered for what was known before they were read.
    pub(super) fn ask(
        survey: &Survey<'_>,
        treated: &Treated,
        (lines, said): (&[Line], &[PageSaid]),
        history: &History,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Fault> {
        let root = absolute(&survey.site.root);
        let mut found = HashMap::new();
        let mut asked = Asked::default();
        let mut to_date = Vec::new();
        for Named { index, source } in by_hints(survey, treated, lines, said, findings) {
            let known = treated.sources[index].as_ref();
            if known.is_some_and(|known| known.path == source.path) {
                found.insert(index, (source, treated.asked.page(index, history)));
                continue;
            }
            asked.add(files_of(&root, Some(&source), treated.treatments[index].also.as_deref()));
            to_date.push(Named { index, source });
        }
        if !to_date.is_empty() {
            let history = asked.ask(survey)?;
            for (position, Named { index, source }) in to_date.into_iter().enumerate() {
                found.insert(index, (source, asked.page(position, &history)));
            }
        }
        Ok(Self { found })
    }

    /// The source that the page at a position names, and what the history says of it.
    pub(super) fn of(&self, index: usize) -> Option<(Option<PageSource>, PageHistory)> {
        self.found.get(&index).map(|(source, history)| (Some(source.clone()), *history))
    }
}

/// What the listed pages say in `<meta name="waypost:source">`, unless a rule says otherwise.
fn by_hints(
    survey: &Survey<'_>,
    treated: &Treated,
    lines: &[Line],
    said: &[PageSaid],
    findings: &mut Vec<Finding>,
) -> Vec<Named> {
    let mut named = Vec::new();
    for (index, (line, said)) in lines.iter().zip(said).enumerate() {
        let known = treated.sources[index].as_ref();
        let by_rule = known.is_some_and(|known| known.step == SourceStep::Rule);
        if by_rule || line.verdict != Verdict::Listed {
            continue;
        }
        let hint = said.source_hint.as_ref().and_then(|hint| {
            let path = path_from_root(&survey.site.root, hint.trim());
            existing(survey, &line.file, &path, SourceStep::Hint, findings)
        });
        // Whoever speaks first is believed, and told of the first who says otherwise.
        let answers = [hint.as_ref(), known, treated.rivals.get(&index)];
        findings.extend(disagreement(line, answers.into_iter().flatten()));
        named.extend(hint.map(|source| Named { index, source }));
    }
    named
}

fn disagreement<'s>(line: &Line, mut answers: impl Iterator<Item = &'s PageSource>) -> Option<Finding> {
    let believed = answers.next()?;
    let other = answers.find(|other| other.path != believed.path && other.step != SourceStep::Itself)?;
    let says = |source: &PageSource| format!("`{}` ({})", source.path, source.step.as_str());
    let message =
        format!("two ways to find the source of `{}` disagree: {}, {}", line.file, says(believed), says(other));
    let finding = Finding::new(code::SOURCE_DISAGREEMENT, Subject::Page(line.file.clone(), None), message);
    Some(finding.with_hint("the first is taken; a rule with `source` settles it"))
}

//! The sources that pages name themselves: known only once the pages are read, so the history is asked once more.

use std::collections::HashMap;

use super::histories::{Asked, PageHistory, absolute};
use super::reading::PageSaid;
use super::sources::{PageSource, SourceFinder, SourceStep, files_of};
use super::survey::{Fault, Survey};
use super::treatment::Treated;
use crate::decide;
use crate::finding::Finding;

/// The sources that pages name themselves, dated: known only once the pages are read.
pub(super) struct Hinted {
    found: HashMap<usize, (PageSource, PageHistory)>,
}

impl Hinted {
    pub(super) fn ask(
        survey: &Survey<'_>,
        treated: &Treated,
        lines: &[decide::Line],
        said: &[PageSaid],
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Fault> {
        let finder = SourceFinder::new(survey, &treated.content, None);
        let root = absolute(&survey.site.root);
        let mut asked = Asked::default();
        let mut sources = Vec::new();
        for (index, said) in said.iter().enumerate() {
            let Some(hint) = &said.source_hint else { continue };
            let known = treated.sources[index].as_ref();
            let by_rule = known.is_some_and(|source| source.step == SourceStep::Rule);
            if by_rule || lines[index].verdict != decide::Verdict::Listed {
                continue;
            }
            let Some(source) = finder.by_hint(&lines[index].file, hint, findings) else { continue };
            // What the conventions said is dated already.
            if known.is_some_and(|known| known.path == source.path) {
                continue;
            }
            asked.add(files_of(&root, Some(&source), treated.treatments[index].also.as_deref()));
            sources.push((index, source));
        }
        if sources.is_empty() {
            return Ok(Self { found: HashMap::new() });
        }
        let history = asked.ask(survey)?;
        let with_history = |(position, (index, source))| (index, (source, asked.page(position, &history)));
        Ok(Self { found: sources.into_iter().enumerate().map(with_history).collect() })
    }

    pub(super) fn of(&self, index: usize) -> Option<(Option<PageSource>, PageHistory)> {
        self.found.get(&index).map(|(source, history)| (Some(source.clone()), history.clone()))
    }
}

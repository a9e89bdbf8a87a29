//! Dates one listed page and reports the dates that could not be used.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dated::{Dated, Undated};
use super::histories::PageHistory;
use super::inventory::InventoryPage;
use super::reading::UnjudgedFacts;
use super::rule_outcome::RuledPages;
use super::sources::PageSource;
use super::survey::Survey;
use crate::dates::{DateCandidates, DateDoubt, DateDoubtKind, DatedBy, choose};
use crate::decide::Verdict;
use crate::settings::DateSource;
use page_sources::generator::ContentIndex;
use site_paths::SitePath;
use site_paths::containment;
use site_paths::finding::{Finding, Subject, code, quoted};

/// Dates one listed page.
pub(super) fn date(
    survey: &Survey<'_>,
    RuledPages {
        content,
        folders: dirs,
        ..
    }: &RuledPages,
    line: &mut InventoryPage,
    history: &PageHistory,
    stated: &UnjudgedFacts,
    findings: &mut Vec<Finding>,
) {
    let settings = &survey.settings().lastmod;
    let rule_outcome = Arc::clone(&line.rule_outcome);
    let order = rule_outcome.date_order(settings);
    let source = line.source.as_ref();
    // A source with uncommitted changes, or whose last change is beyond the boundary of a shallow
    // clone, may have changed after it was published, so its publication date does not count as the
    // date of its last change. Where front matter precedes Git in the order, it still decides.
    let first = order
        .iter()
        .find(|source| matches!(source, DateSource::Git | DateSource::FrontMatter));
    let is_changed_since = first == Some(&DateSource::Git)
        && matches!(history, PageHistory::Edited(_) | PageHistory::Unknown);
    let front_matter = survey
        .site
        .generator
        .zip(source.and_then(PageSource::file))
        .and_then(|(generator, path)| {
            let says_change =
                |key: &&String| !is_changed_since || !generator.published_keys.contains(key);
            content
                .file(path)?
                .front_matter
                .date(generator.lastmod_keys.iter().filter(says_change))
        });
    let change = match history {
        PageHistory::Changed(change) => Some(change),
        _ => None,
    };
    let unsure = stated.doubtful_date();
    let candidates = DateCandidates {
        page_override: rule_outcome.page.lastmod.as_deref(),
        fixed: rule_outcome.lastmod.as_deref(),
        git: change.map(|change| (change.seconds, change.offset_minutes)),
        front_matter: front_matter.as_deref(),
        page: stated
            .modified
            .map(Ok)
            .or(unsure.map(|stated| Err(stated.value.as_str()))),
        mtime: source
            .filter(|_| order.contains(&DateSource::Mtime))
            .and_then(|source| containment::modified(&source.on_disk(dirs, &line.file))),
    };
    let mut doubts = Vec::new();
    let chosen = choose(order, &candidates, survey.now, &mut doubts);
    let wants_history = rule_outcome.wants_history(settings);
    line.lastmod = chosen.map(|(date, _)| date);
    line.dated = match (chosen, change) {
        (Some((_, DatedBy::Git)), Some(change)) => Dated::ByCommit(Arc::clone(change)),
        (Some((_, by)), _) => Dated::By(by),
        (None, _) if !wants_history => Dated::Not(Undated::NotConfigured),
        (None, _) => Dated::Not(undated_reason(line, history)),
    };
    findings.extend(doubts.iter().map(|doubt| {
        // Only dates stated by the page have a place in it.
        let place = unsure
            .map(|stated| stated.place)
            .filter(|_| doubt.by == DatedBy::Page);
        doubtful(doubt, Subject::Page(line.file.clone(), place))
    }));
    if wants_history {
        findings.extend(not_committed(survey, line, history));
    }
}

fn undated_reason(line: &InventoryPage, history: &PageHistory) -> Undated {
    match history {
        _ if line.is_pager() => Undated::Pager,
        PageHistory::Nothing if line.source.is_none() => Undated::NoSource,
        PageHistory::Nothing => Undated::NoRepository,
        PageHistory::Untracked(_) => Undated::NotCommitted,
        PageHistory::Edited(_) => Undated::Edited,
        PageHistory::Unknown => Undated::OutOfReach,
        PageHistory::Changed(_) => Undated::InvalidDate,
    }
}

/// Returns the publication dates in the front matter of pages that a rule marks as news.
pub(super) fn published_by_source(
    survey: &Survey<'_>,
    content: &ContentIndex,
    lines: &[InventoryPage],
) -> BTreeMap<SitePath, String> {
    let Some(generator) = survey.site.generator else {
        return BTreeMap::new();
    };
    let news = lines
        .iter()
        .filter(|line| line.rule_outcome.news.is_some() && line.verdict == Verdict::Listed);
    let published = |line: &InventoryPage| {
        let date = content
            .file(line.source.as_ref()?.file()?)?
            .front_matter
            .date(&generator.published_keys)?;
        Some((line.file.clone(), date))
    };
    news.filter_map(published).collect()
}

fn doubtful(doubt: &DateDoubt, subject: Subject) -> Finding {
    let (text, by) = (quoted(&doubt.text), doubt.by.as_str());
    match doubt.kind {
        DateDoubtKind::Invalid(why) => Finding::new(
            code::LASTMOD_FALSE,
            subject,
            format!("the date `{text}` ({by}) {why}, so it is ignored"),
        ),
        DateDoubtKind::Unreadable => {
            let message = format!("the date `{text}` ({by}) cannot be parsed, so it is ignored");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message)
                .with_hint("write a full date: `2024-05-06` or `2024-05-06T07:08:09+02:00`")
        }
        DateDoubtKind::ZoneAssumed => {
            let message = format!("the date `{text}` ({by}) has no time zone; UTC is assumed");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message)
                .with_hint("add a time zone: `Z` or `+02:00`")
        }
    }
}

/// Reports an explicitly named source that is untracked or has uncommitted changes.
fn not_committed(
    survey: &Survey<'_>,
    line: &InventoryPage,
    history: &PageHistory,
) -> Option<Finding> {
    let (PageHistory::Untracked(at) | PageHistory::Edited(at)) = *history else {
        return None;
    };
    let own = line
        .source
        .iter()
        .map(|source| Some((source.file()?.to_text(), source.step().as_str())));
    let also = line
        .rule_outcome
        .also
        .iter()
        .flatten()
        .map(|path| Some((path.into(), "`also` of a rule")));
    let (path, step) = own.chain(also).nth(at)??;
    if survey.site.root.join(&*path).is_dir() {
        return None; // Already reported as not being a file.
    }
    let (code, is_how, remedy) = match history {
        PageHistory::Untracked(_) => (
            code::SOURCE_UNTRACKED,
            "is not committed",
            "commit it before the build",
        ),
        _ => (
            code::SOURCE_DIRTY,
            "has uncommitted changes",
            "commit them before the build",
        ),
    };
    let message = format!(
        "`{path}` ({step}) {is_how}, so `{}` gets no Git date",
        line.file
    );
    Some(Finding::new(code, Subject::Page(line.file.clone(), None), message).with_hint(remedy))
}

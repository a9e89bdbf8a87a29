//! The date of one listed page, and what is to be said of the dates it could not have.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dated::{Dated, Undated};
use super::histories::PageHistory;
use super::inventory::InventoryPage;
use super::reading::UnjudgedFacts;
use super::rule_outcome::RuledPages;
use super::sources::PageSource;
use super::survey::Survey;
use crate::bounds;
use crate::config::DateSource;
use crate::dates::{DateCandidates, DateDoubt, DateDoubtKind, DatedBy, choose};
use crate::decide::Verdict;
use crate::finding::{Finding, Subject, code, quoted};
use crate::generator::ContentIndex;
use crate::site_paths::SitePath;

/// Dates one listed page.
pub(super) fn date(
    survey: &Survey<'_>,
    RuledPages {
        content, folders, ..
    }: &RuledPages,
    line: &mut InventoryPage,
    history: &PageHistory,
    said: &UnjudgedFacts,
    findings: &mut Vec<Finding>,
) {
    let settings = &survey.settings().lastmod;
    let treatment = Arc::clone(&line.treatment);
    let order = treatment.date_order(settings);
    let source = line.source.as_ref();
    // A source that was changed since its last commit, or after what a shallow clone holds, was changed after it was
    // published. Where front matter is asked first, it decides all the same.
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
    let unsure = said.doubtful_date();
    let candidates = DateCandidates {
        own: treatment.page.lastmod.as_deref(),
        fixed: treatment.lastmod.as_deref(),
        git: change.map(|change| (change.seconds, change.offset_minutes)),
        front_matter: front_matter.as_deref(),
        page: said
            .modified
            .map(Ok)
            .or(unsure.map(|said| Err(said.value.as_str()))),
        mtime: source
            .filter(|_| order.contains(&DateSource::Mtime))
            .and_then(|source| bounds::modified(&source.on_disk(folders, &line.file))),
    };
    let mut doubts = Vec::new();
    let chosen = choose(order, &candidates, survey.now, &mut doubts);
    let wants_history = treatment.wants_history(settings);
    line.lastmod = chosen.map(|(date, _)| date);
    line.dated = match (chosen, change) {
        (Some((_, DatedBy::Git)), Some(change)) => Dated::ByCommit(Arc::clone(change)),
        (Some((_, by)), _) => Dated::By(by),
        (None, _) if !wants_history => Dated::Not(Undated::NotAsked),
        (None, _) => Dated::Not(why_undated(line, history)),
    };
    findings.extend(doubts.iter().map(|doubt| {
        // Only what the page says of itself has a place in it.
        let place = unsure
            .map(|said| said.place)
            .filter(|_| doubt.by == DatedBy::Page);
        doubtful(doubt, Subject::Page(line.file.clone(), place))
    }));
    if wants_history {
        findings.extend(not_committed(survey, line, history));
    }
}

fn why_undated(line: &InventoryPage, history: &PageHistory) -> Undated {
    match history {
        _ if line.is_pager() => Undated::Pager,
        PageHistory::Nothing if line.source.is_none() => Undated::NoSource,
        PageHistory::Nothing => Undated::NoRepository,
        PageHistory::Untracked(_) => Undated::NotCommitted,
        PageHistory::Edited(_) => Undated::Edited,
        PageHistory::Unknown => Undated::OutOfReach,
        PageHistory::Changed(_) => Undated::False,
    }
}

/// When the front matter of the sources of news says that it was published.
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
        .filter(|line| line.treatment.news.is_some() && line.verdict == Verdict::Listed);
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
        DateDoubtKind::False(why) => Finding::new(
            code::LASTMOD_FALSE,
            subject,
            format!("the date `{text}` ({by}) {why}, so it is left out"),
        ),
        DateDoubtKind::Unreadable => {
            let message = format!("the date `{text}` ({by}) cannot be read, so it is left out");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message)
                .with_hint("write a whole date: `2024-05-06` or `2024-05-06T07:08:09+02:00`")
        }
        DateDoubtKind::ZoneAssumed => {
            let message =
                format!("the date `{text}` ({by}) has a time without a zone; it is taken as UTC");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message)
                .with_hint("add the zone: `Z` or `+02:00`")
        }
    }
}

/// A source that somebody names and that is not as it was committed.
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
        .treatment
        .also
        .iter()
        .flatten()
        .map(|path| Some((path.into(), "`also` of a rule")));
    let (path, step) = own.chain(also).nth(at)??;
    if survey.site.root.join(&*path).is_dir() {
        return None; // That it is no file has been reported.
    }
    let (code, is_how, remedy) = match history {
        PageHistory::Untracked(_) => (
            code::SOURCE_UNTRACKED,
            "is not committed",
            "commit it before the build",
        ),
        _ => (
            code::SOURCE_DIRTY,
            "has changes that are not committed",
            "commit them before the build",
        ),
    };
    let message = format!(
        "`{path}` ({step}) {is_how}, so history does not date `{}`",
        line.file
    );
    Some(Finding::new(code, Subject::Page(line.file.clone(), None), message).with_hint(remedy))
}

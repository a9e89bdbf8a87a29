//! Dates one listed page and reports the dates that could not be used.

use super::choose::{ChosenDate, DateCandidates, StatedDate, choose};
use super::structured_data::modified_of;
use crate::decide::{JudgedPage, place_of};
use crate::inventory::InventoryPage;
use crate::settings::{DateSource, LastmodSettings};
use crate::sources::{DateOrigin, PageSource, SiteSources};
use page_signals::MetadataRequest;
use page_sources::generator::Site;
use sitemaps::site_paths::containment;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::{LastMod, Now, ParsedDate};

/// Dates pages, each from the sources of dates that apply to it.
pub(crate) struct PageDater<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) sources: &'s SiteSources,
    pub(crate) settings: &'s LastmodSettings,
    pub(crate) now: Now,
}

/// How much older a stated date must be than Git's to be worth a word, in seconds: 30 days.
const MUCH_OLDER: i64 = 30 * 24 * 60 * 60;

impl PageDater<'_> {
    /// Dates one listed page from the history of its sources and from its other dates.
    pub(crate) fn date(
        &self,
        line: &mut InventoryPage,
        history: DateOrigin,
        stated: &JudgedPage,
    ) -> Vec<Finding> {
        let ChosenDate { date, doubts } = self.choose(line, &history, stated);
        let doubtful = doubts.into_iter().map(|doubt| {
            // Only dates stated by the page have a place in it.
            let unsure = stated
                .doubtful_date()
                .filter(|_| doubt.origin == DateOrigin::Page);
            let place = unsure.map(|stated| place_of(stated.place));
            let subject = Subject::Page(line.file.clone(), place);
            Finding {
                hint: doubt.hint.map(str::to_owned),
                ..Finding::new(code::LASTMOD_OMITTED, subject, doubt.message)
            }
        });
        let mut findings: Vec<Finding> = doubtful.collect();
        let wants_history = line.rule_outcome.wants_history(self.settings);
        if wants_history {
            findings.extend(not_committed(self.site, line, &history));
        }
        (line.lastmod, line.dated) = match date {
            // The history also knows which file the commit changed.
            Some((lastmod, DateOrigin::Commit(_))) => (Some(lastmod), history),
            Some((lastmod, origin)) => (Some(lastmod), origin),
            None if wants_history => (None, self.absence(line, history)),
            None => (None, DateOrigin::NotConfigured),
        };
        findings
    }

    /// Whether a page is dated by Git, and its front matter states a modification date that is much
    /// older.
    pub(crate) fn overrules_stated_date(&self, line: &InventoryPage) -> bool {
        let stated = || {
            let keys = self.site.generator?.modification_keys();
            let source = line.source.as_ref()?.file()?;
            let text = self.sources.content.file(source)?.front_matter.date(keys)?;
            match LastMod::parse(&text, self.now) {
                ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
                ParsedDate::Invalid(_) | ParsedDate::Unreadable => None,
            }
        };
        let by_git = line.dated.commit().and(line.lastmod);
        by_git.is_some_and(|date| {
            stated().is_some_and(|stated| date.seconds() - stated.seconds() > MUCH_OLDER)
        })
    }

    /// Returns why a page whose history should date it has no date.
    fn absence(&self, line: &InventoryPage, history: DateOrigin) -> DateOrigin {
        match history {
            _ if self.sources.pagers.contain(&line.file) => DateOrigin::Pager,
            DateOrigin::Commit(_) | DateOrigin::CommitOfInclude(_) => DateOrigin::InvalidDate,
            DateOrigin::NoRepository if line.source.is_none() => DateOrigin::NoSource,
            DateOrigin::NotCommitted if line.source == Some(PageSource::Itself) => {
                DateOrigin::PageNotCommitted
            }
            absent => absent,
        }
    }

    /// Chooses between the dates of a page.
    fn choose(
        &self,
        line: &InventoryPage,
        history: &DateOrigin,
        stated: &JudgedPage,
    ) -> ChosenDate {
        let rule_outcome = &line.rule_outcome;
        let order = rule_outcome.date_order(self.settings);
        let source = line.source.as_ref();
        let front_matter = self.front_matter_date(source, order, history);
        let doubtful = || {
            let unsure = stated.doubtful_date()?;
            Some(StatedDate::Doubtful(&unsure.value))
        };
        let by_page = rule_outcome.page.lastmod.as_deref();
        let by_page = by_page.map(|text| (DateOrigin::FrontMatter, text));
        let by_rule = rule_outcome.lastmod.as_deref();
        let by_rule = by_rule.map(|text| (DateOrigin::Rule, text));
        let candidates = DateCandidates {
            fixed: by_page.or(by_rule),
            git: history.commit(),
            front_matter: front_matter.as_deref(),
            page: stated.exact_date.map(StatedDate::Exact).or_else(doubtful),
            mtime: source
                .filter(|_| order.contains(&DateSource::Mtime))
                .and_then(|source| {
                    containment::modified(&source.on_disk(&self.sources.dirs, &line.file))
                }),
        };
        let chosen = choose(order, &candidates, self.now);
        match self.structured_date(line, stated, &candidates, &chosen) {
            None => chosen,
            Some(text) => {
                let page = Some(StatedDate::Doubtful(&text));
                choose(order, &DateCandidates { page, ..candidates }, self.now)
            }
        }
    }

    /// Returns the date in the structured data of a page, if it would count. Only a page that may
    /// have such a date is read again.
    fn structured_date(
        &self,
        line: &InventoryPage,
        stated: &JudgedPage,
        candidates: &DateCandidates<'_>,
        chosen: &ChosenDate,
    ) -> Option<String> {
        if candidates.fixed.is_some() || candidates.page.is_some() || !stated.may_state_modified {
            return None;
        }
        let order = line.rule_outcome.date_order(self.settings);
        let better = order
            .iter()
            .position(|source| *source == DateSource::Page)?;
        let is_dated = chosen.date.as_ref().is_some_and(|date| {
            let mut better = order[..better].iter();
            better.any(|source| is_origin(*source, &date.1))
        });
        if is_dated {
            return None;
        }
        let metadata = self
            .sources
            .dirs
            .metadata(&line.file, MetadataRequest::Modified);
        modified_of(&metadata, &line.url, self.now)
    }

    /// Returns the date in the front matter of a source.
    ///
    /// A source with uncommitted changes, or whose last change is beyond the boundary of a shallow
    /// clone, may have changed after it was published, so its publication date does not count as
    /// the date of its last change. Where front matter precedes Git in the order, it still decides.
    fn front_matter_date(
        &self,
        source: Option<&PageSource>,
        order: &[DateSource],
        history: &DateOrigin,
    ) -> Option<String> {
        let generator = self.site.generator?;
        let first = order
            .iter()
            .find(|source| matches!(source, DateSource::Git | DateSource::FrontMatter));
        let is_changed_since = first == Some(&DateSource::Git)
            && matches!(
                history,
                DateOrigin::Edited
                    | DateOrigin::IncludeEdited(_)
                    | DateOrigin::OutOfReach
                    | DateOrigin::Unreadable
            );
        let comes_first = first == Some(&DateSource::FrontMatter);
        let only_modifications =
            is_changed_since || comes_first && self.settings.modifications_first;
        let front_matter = &self.sources.content.file(source?.file()?)?.front_matter;
        if only_modifications {
            front_matter.date(generator.modification_keys())
        } else {
            front_matter.date(&generator.lastmod_keys)
        }
    }
}

/// Whether a date comes from a source of dates.
fn is_origin(source: DateSource, origin: &DateOrigin) -> bool {
    match source {
        DateSource::Git => origin.commit().is_some(),
        DateSource::FrontMatter => *origin == DateOrigin::FrontMatter,
        DateSource::Page => *origin == DateOrigin::Page,
        DateSource::Mtime => *origin == DateOrigin::Mtime,
    }
}

/// Reports an explicitly named source that is untracked or has uncommitted changes.
fn not_committed(site: &Site<'_>, line: &InventoryPage, history: &DateOrigin) -> Option<Finding> {
    let of_source = || {
        let source = line.source.as_ref()?;
        Some((source.file()?.to_text(), source.step().as_str()))
    };
    let (path, step) = match history {
        DateOrigin::NotCommitted | DateOrigin::Edited => of_source()?,
        DateOrigin::IncludeNotCommitted(path) | DateOrigin::IncludeEdited(path) => {
            (path.to_text(), "included")
        }
        _ => return None,
    };
    if site.failures.is_dir(&site.root.join(&*path)) {
        return None; // Already reported as not being a file.
    }
    let is_edited = matches!(history, DateOrigin::Edited | DateOrigin::IncludeEdited(_));
    let (is_how, remedy) = if is_edited {
        ("has uncommitted changes", "commit them before the build")
    } else {
        (
            "is not committed",
            "commit it before the build, unless the build creates it",
        )
    };
    let message = format!(
        "`{path}` ({step}) {is_how}, so `{}` gets no Git date",
        line.file
    );
    let subject = Subject::Page(line.file.clone(), None);
    Some(Finding::new(code::SOURCE_UNCOMMITTED, subject, message).with_hint(remedy))
}

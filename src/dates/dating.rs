//! Dates one listed page and reports the dates that could not be used.

use std::sync::Arc;

use super::structured_data::modified_of;
use super::tried_date::{DateDoubt, TriedDate};
use crate::decide::{JudgedPage, place_of};
use crate::inventory::InventoryPage;
use crate::settings::{DateSource, LastmodSettings};
use crate::sources::{DateOrigin, PageSource, SiteSources, SourceStep};
use git_last_modified::LastChange;
use page_signals::MetadataRequest;
use page_sources::generator::Site;
use sitemaps::site_paths::containment;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::{LastMod, Now};

/// Dates pages, each from the sources of dates that apply to it.
pub(crate) struct PageDater<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) sources: &'s SiteSources,
    pub(crate) settings: &'s LastmodSettings,
    pub(crate) now: Now,
    /// The commits at the boundaries of shallow clones.
    pub(crate) boundary: Vec<LastChange>,
}

/// How much older a stated date must be than Git's to be worth a word, in seconds: 30 days.
const MUCH_OLDER: i64 = 30 * 24 * 60 * 60;

impl PageDater<'_> {
    /// Dates one listed page from the history of its sources and from its other dates.
    pub(crate) fn date(
        &self,
        line: &mut InventoryPage,
        history: DateOrigin,
        page: &JudgedPage,
    ) -> Vec<Finding> {
        let WithFindings {
            value: date,
            mut findings,
        } = self.choose(line, &history, page);
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
            LastMod::parse(&text, self.now).date()
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

    /// Returns the date that the front matter or a rule fixes, or else the first valid one in the
    /// configured order. An invalid fixed date leaves the page without a date.
    fn choose(
        &self,
        line: &InventoryPage,
        history: &DateOrigin,
        page: &JudgedPage,
    ) -> WithFindings<Option<(LastMod, DateOrigin)>> {
        let outcome = &line.rule_outcome;
        let by_page = outcome.page.lastmod.as_deref();
        let by_page = by_page.map(|text| (DateOrigin::FrontMatter, text));
        let by_rule = outcome.lastmod.as_deref();
        let by_rule = by_rule.map(|text| (DateOrigin::Rule, text));
        let fixed = by_page.or(by_rule);
        let order = match fixed {
            Some(_) => &[],
            None => outcome.date_order(self.settings),
        };
        let fixed = fixed.map(|(origin, text)| (origin, TriedDate::parse(text, self.now)));
        let others = order
            .iter()
            .filter_map(|source| self.try_source(*source, line, history, page));
        let mut findings = Vec::new();
        for (origin, tried) in fixed.into_iter().chain(others) {
            findings.extend(tried.doubt.map(|doubt| omitted(page, &origin, doubt)));
            if let Some(date) = tried.date {
                return WithFindings::new(Some((date, origin)), findings);
            }
        }
        WithFindings::new(None, findings)
    }

    /// Tries the date from one source, if it has one. Structured data is read only here, where no
    /// better source has a date.
    fn try_source(
        &self,
        source: DateSource,
        line: &InventoryPage,
        history: &DateOrigin,
        page: &JudgedPage,
    ) -> Option<(DateOrigin, TriedDate)> {
        let now = self.now;
        Some(match source {
            DateSource::Git => {
                let change = history.commit()?;
                let tried = TriedDate::at(change.seconds, change.offset_minutes, now);
                (DateOrigin::Commit(Arc::clone(change)), tried)
            }
            DateSource::Mtime => {
                let seconds = self.mtime_of(line)?;
                (DateOrigin::Mtime, TriedDate::at(seconds, 0, now))
            }
            DateSource::FrontMatter => {
                let text = self.front_matter_date(line, history)?;
                (DateOrigin::FrontMatter, TriedDate::parse(&text, now))
            }
            DateSource::Page => (DateOrigin::Page, self.page_date(line, history, page)?),
        })
    }

    /// Returns the date that a page states, unless its generator took it from the checkout.
    fn page_date(
        &self,
        line: &InventoryPage,
        history: &DateOrigin,
        page: &JudgedPage,
    ) -> Option<TriedDate> {
        let from = DateSource::Page;
        if self.states_file_times() || self.is_older_than_change(from, line, history) {
            return None;
        }
        let tried = match (page.exact_date, page.doubtful_date()) {
            (Some(date), _) => TriedDate::exact(date),
            (None, Some(doubtful)) => TriedDate::parse(&doubtful.value, self.now),
            (None, None) => TriedDate::parse(&self.structured_date(page)?, self.now),
        };
        let is_taken = |date| self.follows_git(from, line) && self.is_taken(date, line);
        (!tried.date.is_some_and(is_taken)).then_some(tried)
    }

    /// Returns the date in the structured data of a page. Only a page that may have such a date is
    /// read again.
    fn structured_date(&self, page: &JudgedPage) -> Option<String> {
        if !page.may_state_modified {
            return None;
        }
        let dirs = &self.sources.dirs;
        let metadata = dirs.metadata(&page.file, MetadataRequest::Modified);
        modified_of(&metadata, &page.url, self.now)
    }

    /// Returns the date in the front matter of a source. Where the source has changed since, only a
    /// modification date counts: its author set it.
    fn front_matter_date(&self, line: &InventoryPage, history: &DateOrigin) -> Option<String> {
        let generator = self.site.generator?;
        let from = DateSource::FrontMatter;
        let only_modifications = self.is_older_than_change(from, line, history)
            || !self.follows_git(from, line) && self.settings.modifications_first;
        let source = line.source.as_ref()?.file()?;
        let front_matter = &self.sources.content.file(source)?.front_matter;
        if only_modifications {
            front_matter.date(generator.modification_keys())
        } else {
            front_matter.date(&generator.lastmod_keys)
        }
    }

    /// Whether a source may have changed after a date from elsewhere: it has uncommitted changes, or
    /// its last change is beyond the boundary of a shallow clone. A generator that asks Git states
    /// the boundary itself then, and one that asks the file system the time of the checkout. A
    /// page that is its own source states what its author wrote.
    fn is_older_than_change(
        &self,
        from: DateSource,
        line: &InventoryPage,
        history: &DateOrigin,
    ) -> bool {
        let is_unseen = matches!(
            history,
            DateOrigin::Edited
                | DateOrigin::IncludeEdited(_)
                | DateOrigin::OutOfReach
                | DateOrigin::Unreadable
        );
        is_unseen && !is_own_source(line) && self.follows_git(from, line)
    }

    /// Whether a generator took a date from the checkout: from the time of the source file, or from
    /// the boundary of a shallow clone, which Git states for all older files, and so generators for
    /// lists and other pages without a known source.
    fn is_taken(&self, date: LastMod, line: &InventoryPage) -> bool {
        let span = date.seconds()..=date.last_second();
        let mut commits = self.boundary.iter();
        commits.any(|at| span.contains(&at.seconds) || span.contains(&at.other_seconds))
            || !is_own_source(line) && self.mtime_of(line) == Some(date.seconds())
    }

    fn mtime_of(&self, line: &InventoryPage) -> Option<i64> {
        let source = line.source.as_ref()?;
        containment::modified(&source.on_disk(&self.sources.dirs, &line.file))
    }

    fn states_file_times(&self) -> bool {
        let generator = self.site.generator;
        generator.is_some_and(|generator| generator.own.states_file_times)
    }

    /// Whether a source of dates follows Git in the order; one that precedes it decides.
    fn follows_git(&self, from: DateSource, line: &InventoryPage) -> bool {
        let mut order = line.rule_outcome.date_order(self.settings).iter();
        let first = order.find(|source| **source == DateSource::Git || **source == from);
        first == Some(&DateSource::Git)
    }
}

/// Whether a page was written as it is, not made from another file.
fn is_own_source(line: &InventoryPage) -> bool {
    let step = line.source.as_ref().map(PageSource::step);
    matches!(step, Some(SourceStep::Itself | SourceStep::Copied))
}

/// Reports a date that is not used, or on an assumption. Only dates stated by the page have a place
/// in it.
fn omitted(page: &JudgedPage, origin: &DateOrigin, doubt: DateDoubt) -> Finding {
    let stated = page.doubtful_date();
    let stated = stated.filter(|_| *origin == DateOrigin::Page);
    let subject = Subject::Page(
        page.file.clone(),
        stated.map(|stated| place_of(stated.place)),
    );
    let (text, name) = (doubt.text, origin.as_str());
    let message = format!("the date `{text}` ({name}) {}", doubt.problem);
    Finding {
        hint: doubt.hint.map(str::to_owned),
        ..Finding::new(code::LASTMOD_OMITTED, subject, message)
    }
}

/// Reports an explicitly named source that is untracked or has uncommitted changes.
fn not_committed(site: &Site<'_>, line: &InventoryPage, history: &DateOrigin) -> Option<Finding> {
    let of_source = || {
        let source = line.source.as_ref()?;
        Some((source.file()?.to_text(), source.step().word()))
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
    let subject = Subject::of_page(&line.file);
    Some(Finding::new(code::SOURCE_UNCOMMITTED, subject, message).with_hint(remedy))
}

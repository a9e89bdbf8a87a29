//! Dates one listed page and reports the dates that could not be used.

use std::fmt::Display;
use std::sync::Arc;

use super::structured_data::modified_of;
use crate::decide::place_of;
use crate::decide::rules::RuleOutcome;
use crate::files::tree;
use crate::findings::{Finding, Findings, Subject, code};
use crate::generators::{FrontMatter, Site, date_in_name, is_publication};
use crate::pages::{DateOrigin, Page, PageSource, SourceStep};
use crate::settings::{DateSource, LastmodSettings};
use crate::sources::SiteSources;
use git_last_modified::LastChange;
use page_signals::MetadataRequest;
use sitemaps::site_paths::SitePath;
use sitemaps::{LastMod, Now, ParsedDate, quoted};

/// Dates pages, each from the sources of dates that apply to it.
pub(crate) struct PageDater<'s> {
    pub(crate) site: &'s Site,
    pub(crate) sources: &'s SiteSources,
    pub(crate) settings: &'s LastmodSettings,
    pub(crate) now: Now,
    /// The commits at the boundaries of shallow clones.
    pub(crate) boundary: Vec<LastChange>,
}

/// The facts of a page, or of a source alone, by which its date is chosen.
pub(crate) struct DateQuestion<'p> {
    /// The page's output file.
    pub(crate) file: &'p SitePath,
    pub(crate) source: Option<&'p PageSource>,
    pub(crate) history: &'p DateOrigin,
    /// A date that front matter or a rule fixes, and which of them.
    pub(crate) fixed: Option<(DateOrigin, &'p str)>,
    /// The sources of dates, in order of precedence.
    pub(crate) order: &'p [DateSource],
    /// The page; `None` before the site is built.
    pub(crate) page: Option<&'p Page>,
}

/// How much older a stated date must be than Git's to be worth a word, in seconds: 30 days.
const MUCH_OLDER: i64 = 30 * 24 * 60 * 60;

impl PageDater<'_> {
    /// Dates one listed page from the history of its sources and from its other dates.
    pub(crate) fn date(&self, page: &mut Page, findings: &Findings) {
        let history = std::mem::replace(&mut page.dated, DateOrigin::Excluded);
        if history == DateOrigin::Translated && fixed_date(&page.rule_outcome).is_none() {
            page.dated = history;
            return;
        }
        let question = DateQuestion {
            file: &page.file,
            source: page.source.as_ref(),
            history: &history,
            fixed: fixed_date(&page.rule_outcome),
            order: page.rule_outcome.date_order(self.settings),
            page: Some(page),
        };
        let date = self.choose(&question, findings);
        let wants_history = page.rule_outcome.wants_history(self.settings);
        if wants_history {
            findings.extend(not_committed(self.site, page, &history));
        }
        (page.lastmod, page.dated) = match date {
            // The history also knows which file the commit changed.
            Some((lastmod, DateOrigin::Commit(_))) => (Some(lastmod), history),
            Some((lastmod, origin)) => (Some(lastmod), origin),
            None if wants_history => (None, self.absence(page, history)),
            None => (None, DateOrigin::NotConfigured),
        };
    }

    /// Whether Git precedes what a page states in the order of its dates, and no date is fixed.
    pub(crate) fn asks_git_first(&self, page: &Page) -> bool {
        let first = page
            .rule_outcome
            .date_order(self.settings)
            .iter()
            .find(|source| matches!(source, DateSource::Git | DateSource::Page));
        first == Some(&DateSource::Git) && fixed_date(&page.rule_outcome).is_none()
    }

    /// Whether a page is dated by Git, and its front matter states a modification date that is much
    /// older.
    pub(crate) fn overrules_stated_date(&self, page: &Page) -> bool {
        let Some(date) = page.dated.commit().and(page.lastmod) else {
            return false;
        };
        self.stated_modification(page)
            .is_some_and(|stated| date.seconds() - stated.seconds() > MUCH_OLDER)
    }

    /// Returns the modification date that the front matter of a page states.
    fn stated_modification(&self, page: &Page) -> Option<LastMod> {
        let keys = self.site.generator?.modification_keys();
        let source = page.source.as_ref()?.file()?;
        let text = self.sources.content.file(source)?.front_matter.date(keys)?;
        LastMod::parse(&text, self.now).date()
    }

    /// Returns why a page whose history should date it has no date.
    fn absence(&self, page: &Page, history: DateOrigin) -> DateOrigin {
        match history {
            _ if self.sources.pagers.contain(&page.file) => DateOrigin::Pager,
            DateOrigin::Commit(_) | DateOrigin::CommitOfInclude(_) => DateOrigin::InvalidDate,
            DateOrigin::NoRepository if page.source.is_none() => DateOrigin::NoSource,
            DateOrigin::NotCommitted if page.source == Some(PageSource::Itself) => {
                DateOrigin::PageNotCommitted
            }
            absent => absent,
        }
    }

    /// Returns the date that the front matter or a rule fixes, or else the first valid one in the
    /// configured order. An invalid fixed date leaves the page without a date.
    pub(crate) fn choose(
        &self,
        question: &DateQuestion<'_>,
        findings: &Findings,
    ) -> Option<(LastMod, DateOrigin)> {
        if let Some((origin, text)) = &question.fixed {
            let tried = TriedDate::parse(text, self.now);
            findings.extend(tried.doubt.map(|doubt| omitted(question, origin, doubt)));
            return tried.date.map(|date| (date, origin.clone()));
        }
        let mut follows_git = false;
        for source in question.order {
            if let Some((origin, tried)) = self.try_source(source, question, follows_git) {
                findings.extend(tried.doubt.map(|doubt| omitted(question, &origin, doubt)));
                if let Some(date) = tried.date {
                    return Some((date, origin));
                }
            }
            follows_git |= *source == DateSource::Git;
        }
        None
    }

    /// Tries the date from one source, if it has one. `follows_git` says whether Git had none before;
    /// a source that precedes Git decides. Structured data is read only here, where no better source has
    /// a date.
    fn try_source(
        &self,
        source: &DateSource,
        question: &DateQuestion<'_>,
        follows_git: bool,
    ) -> Option<(DateOrigin, TriedDate)> {
        let now = self.now;
        // A source that may have changed after a date from elsewhere.
        let has_changed = follows_git && is_unseen(question.history) && !is_own_source(question);
        Some(match source {
            DateSource::Git => {
                let change = question.history.commit()?;
                let tried = TriedDate::at(change.seconds, change.offset_minutes, now);
                (DateOrigin::Commit(Arc::clone(change)), tried)
            }
            DateSource::Mtime => {
                let seconds = self.mtime_of(question)?;
                (DateOrigin::Mtime, TriedDate::at(seconds, 0, now))
            }
            DateSource::FrontMatter => {
                let generator = self.site.generator?;
                let front_matter = self.front_matter(question)?;
                // The author has set a modification date.
                let text = if has_changed {
                    front_matter.date(generator.modification_keys())
                } else {
                    front_matter.date(&generator.lastmod_keys)
                };
                (DateOrigin::FrontMatter, TriedDate::parse(&text?, now))
            }
            DateSource::Key(key) => {
                let is_used = !(has_changed && is_publication(key));
                let front_matter = self.front_matter(question)?;
                let text = front_matter.date([key]).filter(|_| is_used)?;
                (DateOrigin::FrontMatter, TriedDate::parse(&text, now))
            }
            DateSource::FileName => {
                let text = date_in_name(question.source?.file()?).filter(|_| !has_changed)?;
                (DateOrigin::FrontMatter, TriedDate::parse(&text, now))
            }
            DateSource::Page if has_changed || self.states_file_times() => return None,
            DateSource::Page => (DateOrigin::Page, self.page_date(question, follows_git)?),
        })
    }

    fn front_matter(&self, question: &DateQuestion<'_>) -> Option<&FrontMatter> {
        let file = self.sources.content.file(question.source?.file()?)?;
        Some(&file.front_matter)
    }

    /// Returns the date that a page states, unless its generator took it from the checkout.
    fn page_date(&self, question: &DateQuestion<'_>, follows_git: bool) -> Option<TriedDate> {
        let page = question.page?;
        let tried = match (page.exact_date, page.doubtful_date()) {
            (Some(date), _) => TriedDate::exact(date),
            (None, Some(doubtful)) => TriedDate::parse(&doubtful.value, self.now),
            (None, None) => TriedDate::parse(&self.structured_date(page)?, self.now),
        };
        let is_taken = follows_git && tried.date.is_some_and(|date| self.is_taken(date, question));
        (!is_taken).then_some(tried)
    }

    /// Returns the date in the structured data of a page. Only a page that may have such a date is
    /// read again.
    fn structured_date(&self, page: &Page) -> Option<String> {
        if !page.may_state_modified {
            return None;
        }
        let dirs = &self.sources.dirs;
        let metadata = dirs.metadata(&page.file, MetadataRequest::Modified);
        modified_of(&metadata, &page.url, self.now)
    }

    /// Whether a generator took a date from the checkout: from the time of the source file, or from
    /// the boundary of a shallow clone, which Git states for all older files, and so generators for
    /// lists and other pages without a known source.
    fn is_taken(&self, date: LastMod, question: &DateQuestion<'_>) -> bool {
        let span = date.seconds()..=date.last_second();
        self.boundary
            .iter()
            .any(|at| span.contains(&at.seconds) || span.contains(&at.other_seconds))
            || !is_own_source(question) && self.mtime_of(question) == Some(date.seconds())
    }

    fn mtime_of(&self, question: &DateQuestion<'_>) -> Option<i64> {
        tree::modified(&question.source?.on_disk(&self.sources.dirs, question.file))
    }

    fn states_file_times(&self) -> bool {
        self.site
            .generator
            .is_some_and(|generator| generator.states_file_times)
    }
}

/// Returns the date that front matter or a rule fixes, and which of them.
fn fixed_date(outcome: &RuleOutcome) -> Option<(DateOrigin, &str)> {
    let by_page = outcome.page.lastmod.as_deref();
    let by_rule = outcome.lastmod.as_deref();
    by_page
        .map(|text| (DateOrigin::FrontMatter, text))
        .or_else(|| Some((DateOrigin::Rule, by_rule?)))
}

/// Whether the last change of a source is not known, so that it may be later than a date from elsewhere: it
/// has uncommitted changes, or no commit of a shallow clone after its boundary changed it. A generator that
/// asks Git states the boundary itself then, and one that asks the file system the time of the checkout.
fn is_unseen(history: &DateOrigin) -> bool {
    matches!(
        history,
        DateOrigin::Edited
            | DateOrigin::IncludeEdited(_)
            | DateOrigin::OutOfReach
            | DateOrigin::Unreadable
    )
}

/// Whether a page was written as it is, not made from another file: it states what its author wrote.
fn is_own_source(question: &DateQuestion<'_>) -> bool {
    let step = question.source.map(PageSource::step);
    matches!(step, Some(SourceStep::Itself | SourceStep::Copied))
}

/// Reports a date that is not used, or on an assumption. Only dates stated by the page have a place
/// in it.
fn omitted(question: &DateQuestion<'_>, origin: &DateOrigin, doubt: DateDoubt) -> Finding {
    let stated = question
        .page
        .filter(|_| *origin == DateOrigin::Page)
        .and_then(Page::doubtful_date);
    let subject = Subject::Page(
        question.file.clone(),
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
fn not_committed(site: &Site, page: &Page, history: &DateOrigin) -> Option<Finding> {
    let (path, step) = match history {
        DateOrigin::NotCommitted | DateOrigin::Edited => {
            let source = page.source.as_ref()?;
            (source.file()?.to_text(), source.step().word())
        }
        DateOrigin::IncludeNotCommitted(path) | DateOrigin::IncludeEdited(path) => {
            (path.to_text(), "included")
        }
        _ => return None,
    };
    if site.tree.is_dir(&site.root.join(&*path)) {
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
        page.file
    );
    let subject = Subject::for_page(&page.file);
    Some(Finding::new(code::SOURCE_UNCOMMITTED, subject, message).with_hint(remedy))
}

/// A date that was tried.
#[derive(Debug)]
pub(super) struct TriedDate {
    /// The date, if it can be true.
    pub(super) date: Option<LastMod>,
    /// Why it was rejected, or accepted on an assumption.
    pub(super) doubt: Option<DateDoubt>,
}

/// A problem with a date.
#[derive(Debug)]
pub(super) struct DateDoubt {
    /// The date as written.
    pub(super) text: String,
    /// What follows it in a message.
    pub(super) problem: String,
    pub(super) hint: Option<&'static str>,
}

impl TriedDate {
    /// A date that was tried before.
    pub(super) fn exact(date: LastMod) -> Self {
        Self {
            date: Some(date),
            doubt: None,
        }
    }

    /// Tries a date as written.
    pub(super) fn parse(text: &str, now: Now) -> Self {
        match LastMod::parse(text, now) {
            ParsedDate::Exact(date) => Self::exact(date),
            ParsedDate::ZoneAssumed(date) => Self {
                date: Some(date),
                doubt: Some(DateDoubt {
                    text: quoted(text),
                    problem: "has no time zone; UTC is assumed".to_owned(),
                    hint: Some("add a time zone: `Z` or `+02:00`"),
                }),
            },
            ParsedDate::Invalid(why) => Self::ignored(quoted(text), why, None),
            ParsedDate::Unreadable => Self::ignored(
                quoted(text),
                "cannot be parsed",
                Some("write a full date: `2024-05-06` or `2024-05-06T07:08:09+02:00`"),
            ),
        }
    }

    /// Tries a moment in seconds since 1970 UTC.
    pub(super) fn at(seconds: i64, offset_minutes: i16, now: Now) -> Self {
        LastMod::at(seconds, offset_minutes, now).map_or_else(
            |why| {
                let text = jiff::Timestamp::from_second(seconds).map_or_else(
                    |_| format!("{seconds} seconds since 1970"),
                    |moment| moment.to_string(),
                );
                Self::ignored(text, why, None)
            },
            Self::exact,
        )
    }

    fn ignored(text: String, why: impl Display, hint: Option<&'static str>) -> Self {
        let problem = format!("{why}, so it is ignored");
        Self {
            date: None,
            doubt: Some(DateDoubt {
                text,
                problem,
                hint,
            }),
        }
    }
}

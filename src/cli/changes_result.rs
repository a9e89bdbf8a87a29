//! What differs from the sitemaps that were there before: URLs, dates, language links and images.

use std::collections::BTreeMap;

use serde::Serialize;

use super::printer::Verbosity;
use super::text_layout::{FAINT, row, rows, styled};
use crate::pages::Inventory;
use crate::run::ComparedSet;
use sitemaps::findings::{counted, grouped};
use sitemaps::site_paths::escaped;
use sitemaps::{ContentChange, DateFormat, Plan, SitemapChanges, UnreadContent};

/// How many URLs and files of a kind to name without `--verbose`.
pub(super) const NAMED_CHANGES: usize = 3;

/// How many digits of a commit to show, as Git does.
const COMMIT_DIGITS: usize = 7;

/// Longer paths do not widen the column of all.
const MOST_PADDED: usize = 40;

/// How many characters of a date are its day.
const DAY_CHARS: usize = 10;

/// How the plan differs from the previous sitemaps.
#[derive(Serialize)]
pub(super) struct ChangesResult<'a> {
    added: usize,
    removed: usize,
    redated: usize,
    /// Pages in both sets that lost their date.
    undated: usize,
    /// Pages in both sets that have their first date.
    newly_dated: usize,
    language_links: ContentChange,
    images: ContentChange,
    /// Who wrote the sitemaps that were compared; `None` if there was none.
    since: Option<&'static str>,
    /// All changed URLs by the kind of their change; `None` if there was no previous sitemap.
    urls: Option<BTreeMap<&'static str, Vec<&'a str>>>,
    /// The dates that moved.
    moved_dates: Vec<MovedDate<'a>>,
    /// How many of the pages that lost their date have which reason.
    #[serde(skip)]
    undated_by: BTreeMap<&'static str, usize>,
    #[serde(skip)]
    compared: &'a ComparedSet,
    #[serde(skip)]
    is_planned: bool,
    #[serde(skip)]
    unread: Option<&'a UnreadContent>,
    #[serde(skip)]
    notes: &'a [String],
}

/// A page in both sets with another date.
#[derive(Serialize)]
struct MovedDate<'a> {
    url: &'a str,
    before: String,
    now: String,
    /// The commit that dates the page, if one does.
    commit: Option<String>,
    #[serde(skip)]
    path: &'a str,
}

impl MovedDate<'_> {
    /// Formats as `/notes/equinox/  2019-09-29 → 2019-09-30 (a835fdf)`, by day if the days differ.
    fn text(&self, width: usize) -> String {
        let [before, now] = [&self.before, &self.now];
        let [day_before, day] = [before, now].map(|date| date.get(..DAY_CHARS).unwrap_or(date));
        let (before, now) = if day_before == day {
            (before.as_str(), now.as_str())
        } else {
            (day_before, day)
        };
        let commit = self
            .commit
            .as_deref()
            .and_then(|id| id.get(..COMMIT_DIGITS));
        let commit = commit.map_or_else(String::new, |id| format!(" ({id})"));
        let path = escaped(self.path);
        format!("~ {path:width$}  {before} → {now}{}", styled(FAINT, commit))
    }
}

impl<'a> ChangesResult<'a> {
    pub(super) fn new(
        changes: &'a SitemapChanges,
        plan: &'a Plan,
        compared: &'a ComparedSet,
        inventory: &Inventory,
        format: DateFormat,
    ) -> Self {
        let page = |number: u32| {
            let url = &plan.entries()[number as usize].loc;
            (url, inventory.page_at(url))
        };
        let mut moved_dates = Vec::with_capacity(changes.redated.len());
        for &(number, before) in &changes.redated {
            let (url, page) = page(number);
            let now = plan.entries()[number as usize].lastmod;
            let commit = page.and_then(|page| page.dated.commit());
            moved_dates.push(MovedDate {
                url: url.as_str(),
                before: before.to_text(format),
                now: now.map(|now| now.to_text(format)).unwrap_or_default(),
                commit: commit.map(|change| change.commit.to_string()),
                path: url.path_and_query(),
            });
        }
        let mut undated_by = BTreeMap::new();
        for number in &changes.undated {
            let absence = page(*number).1.and_then(|page| page.dated.absence());
            *undated_by.entry(absence.unwrap_or_default()).or_default() += 1;
        }
        let urls = || {
            BTreeMap::from([
                ("added", plan.urls(&changes.added).collect()),
                (
                    "removed",
                    changes.removed.iter().map(String::as_str).collect(),
                ),
                (
                    "redated",
                    moved_dates.iter().map(|moved| moved.url).collect(),
                ),
                ("undated", plan.urls(&changes.undated).collect()),
                ("newly_dated", plan.urls(&changes.newly_dated).collect()),
            ])
        };
        let since = if changes.is_by_waypost {
            "waypost"
        } else {
            "another-program"
        };
        Self {
            added: changes.added.len(),
            removed: changes.removed.len(),
            redated: changes.redated.len(),
            undated: changes.undated.len(),
            newly_dated: changes.newly_dated.len(),
            language_links: changes.alternates,
            images: changes.images,
            since: changes.had_sitemap.then_some(since),
            urls: changes.had_sitemap.then(urls),
            moved_dates,
            undated_by,
            compared,
            is_planned: !plan.files().is_empty(),
            unread: (!changes.is_by_waypost).then_some(&changes.unread),
            notes: &changes.notes,
        }
    }

    /// The number of URLs that are not as before.
    pub(super) fn count(&self) -> usize {
        self.added + self.removed + self.redated
    }

    /// Adds the rows of a summary. `rewritten` says whether a file changes.
    pub(super) fn rows(&self, out: &mut String, rewritten: bool, volume: Verbosity) {
        let Some(urls) = self.urls.as_ref().filter(|_| self.is_planned) else {
            return;
        };
        let [added, removed, redated] = [self.added, self.removed, self.redated].map(grouped);
        let mut texts = named_urls("+", &urls["added"], volume);
        texts.extend(named_urls("-", &urls["removed"], volume));
        let shown = self.moved_dates.iter().take(volume.limit(NAMED_CHANGES));
        let widths = shown.clone().map(|moved| moved.path.len());
        let width = widths.filter(|width| *width <= MOST_PADDED).max();
        texts.extend(shown.map(|moved| moved.text(width.unwrap_or_default())));
        let more = self.redated.saturating_sub(volume.limit(NAMED_CHANGES));
        if more > 0 {
            texts.push(styled(FAINT, format!("~ and {} more", grouped(more))));
        }
        texts.extend(self.undated_row(&urls["undated"], volume));
        if self.newly_dated > 0 {
            texts.push(format!("{} gained", counted(self.newly_dated, "date")));
        }
        texts.extend(self.content_row(self.language_links, "language link"));
        texts.extend(self.content_row(self.images, "image"));
        texts.extend(self.unread_row());
        let (label, whose, since) = match self.compared {
            ComparedSet::Replaced { whose, other_base } => {
                let whose = match other_base {
                    Some(base) => format!("{whose} at {base}: "),
                    None => format!("{whose}: "),
                };
                ("replaces", whose, "")
            }
            ComparedSet::Own => ("changes", String::new(), "the previous sitemap"),
            ComparedSet::Named(name) => ("changes", String::new(), name.as_str()),
        };
        let is_replaced = since.is_empty();
        let text = if self.added + self.removed > 0 || self.redated > 0 && !is_replaced {
            format!("{added} added, {removed} removed, {redated} re-dated")
        } else if self.redated > 0 {
            format!("same pages, {redated} re-dated")
        } else if self.undated + self.newly_dated > 0 || !is_replaced && !texts.is_empty() {
            "same pages".to_owned()
        } else if is_replaced {
            "same pages and dates".to_owned()
        } else if rewritten {
            "none, in a new form".to_owned()
        } else {
            "none".to_owned()
        };
        let since = match since {
            "" => String::new(),
            name => styled(FAINT, format!(" since {name}")),
        };
        row(out, label, &format!("{whose}{text}{since}"));
        let notes = self.notes.iter();
        let notes = notes.map(|note| styled(FAINT, note.escape_debug()));
        rows(out, "", texts.into_iter().chain(notes));
    }

    /// Names the pages that lost their date. Those of another program may have been none of theirs, so
    /// the reasons are counted.
    fn undated_row(&self, urls: &[&str], volume: Verbosity) -> Vec<String> {
        if urls.is_empty() {
            return Vec::new();
        }
        let dates = counted(self.undated, "date");
        if !matches!(self.compared, ComparedSet::Replaced { .. }) {
            return named_urls(&format!("{dates} lost:"), urls, volume);
        }
        let reasons = self.undated_by.iter();
        let reasons: Vec<_> = reasons
            .map(|(why, count)| format!("{} {why}", grouped(*count)))
            .collect();
        vec![format!("{dates} not kept: {}", reasons.join(", "))]
    }

    /// Counts the content of another program's sitemap that has no equivalent.
    fn unread_row(&self) -> Option<String> {
        let unread = self
            .unread
            .filter(|_| matches!(self.compared, ComparedSet::Replaced { .. }))?;
        let known = [
            (unread.priorities, "priority", "priorities"),
            (unread.changefreqs, "changefreq", "changefreqs"),
            (unread.comments, "comment", "comments"),
        ];
        let elements = unread.elements.iter();
        let elements = elements.map(|(name, count)| (*count, &**name, &**name));
        let counts = known
            .into_iter()
            .chain(elements)
            .filter(|(count, ..)| *count > 0);
        let texts: Vec<String> = counts
            .map(|(count, one, many)| {
                format!("{} {}", grouped(count), if count == 1 { one } else { many })
            })
            .collect();
        (!texts.is_empty()).then(|| format!("not kept: {}", texts.join(", ")))
    }

    /// Describes what became of the language links or images of the sitemap on disk. That all are
    /// kept is only reported of another program's sitemap.
    fn content_row(&self, change: ContentChange, what: &str) -> Option<String> {
        let ContentChange {
            before, lost, now, ..
        } = change;
        let gained = now.saturating_sub(before);
        let of_all = |part: usize| format!("{} of {}", grouped(part), counted(before, what));
        let dropped = change.dropped > 0;
        let dropped = dropped.then(|| {
            format!(
                "{} dropped: their pages are not listed",
                of_all(change.dropped)
            )
        });
        let text = if lost > 0 {
            let lost = format!("{} lost", of_all(lost));
            dropped.map_or(lost.clone(), |dropped| format!("{lost}, {dropped}"))
        } else if let Some(dropped) = dropped {
            dropped
        } else if before > 0 && matches!(self.compared, ComparedSet::Replaced { .. }) {
            format!("{} kept", counted(before, what))
        } else if gained > 0 {
            format!("{} gained", counted(gained, what))
        } else {
            return None;
        };
        Some(text)
    }
}

/// The first of some URLs on one line, or with `--verbose` each on a line.
pub(super) fn named_urls(sign: &str, urls: &[impl AsRef<str>], volume: Verbosity) -> Vec<String> {
    let named = urls.iter().take(volume.limit(NAMED_CHANGES));
    let named: Vec<_> = named.map(|url| escaped(url.as_ref())).collect();
    if volume == Verbosity::Verbose || urls.is_empty() {
        return named.iter().map(|url| format!("{sign} {url}")).collect();
    }
    let more = match urls.len() - named.len() {
        0 => String::new(),
        more => styled(FAINT, format!(" and {} more", grouped(more))),
    };
    vec![format!("{sign} {}{more}", named.join(", "))]
}

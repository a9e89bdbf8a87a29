//! What differs from the sitemaps that were there before: URLs, dates, language links and images.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::printer::Verbosity;
use super::text_layout::{FAINT, Part, styled};
use crate::findings::{Level, code, counted, grouped};
use crate::pages::{Inventory, Page};
use crate::run::{ComparedSet, loss_of};
use crate::settings::Settings;
use crate::survey::{ContentChange, SitemapChanges};
use sitemaps::Plan;
use sitemaps::site_paths::{PageUrl, escaped};

/// How many URLs and files of a kind to name without `--verbose`.
pub(super) const NAMED_CHANGES: usize = 3;

/// How many digits of a commit to show, as Git does.
const COMMIT_DIGITS: usize = 7;

/// Longer paths do not widen the column of all.
const MOST_PADDED: usize = 40;

/// How many characters of a date are its day.
const DAY_CHARS: usize = 10;

/// How a plan differs from the previous sitemaps.
pub(super) struct ChangesResult<'a> {
    pub(super) changes: &'a SitemapChanges,
    pub(super) plan: &'a Plan,
    pub(super) compared: &'a ComparedSet,
    pub(super) inventory: &'a Inventory,
    pub(super) settings: &'a Settings,
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
        let (mut before, mut now) = (&*self.before, &*self.now);
        let [day_before, day] = [before, now].map(|date| date.get(..DAY_CHARS).unwrap_or(date));
        if day_before != day {
            (before, now) = (day_before, day);
        }
        let digits = self.commit.as_ref().and_then(|id| id.get(..COMMIT_DIGITS));
        let commit = digits.map_or_else(String::new, |id| format!(" ({id})"));
        let path = escaped(self.path);
        format!("~ {path:width$}  {before} → {now}{}", styled(FAINT, commit))
    }
}

impl Serialize for ChangesResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (changes, plan) = (self.changes, self.plan);
        let moved = self.moved_dates(usize::MAX);
        let urls: [(&str, Vec<&str>); 5] = [
            ("added", plan.urls(&changes.added).collect()),
            (
                "removed",
                changes.removed.iter().map(|url| &**url).collect(),
            ),
            ("redated", moved.iter().map(|moved| moved.url).collect()),
            ("undated", plan.urls(&changes.undated).collect()),
            ("newly_dated", plan.urls(&changes.newly_dated).collect()),
        ];
        let mut map = serializer.serialize_map(None)?;
        for (kind, urls) in &urls {
            map.serialize_entry(kind, &urls.len())?;
        }
        map.serialize_entry("language_links", &changes.alternates)?;
        map.serialize_entry("images", &changes.images)?;
        let since = if changes.is_by_waypost {
            "waypost"
        } else {
            "another-program"
        };
        let compared = changes.had_sitemap.then(|| BTreeMap::from(urls));
        map.serialize_entry("since", &compared.as_ref().map(|_| since))?;
        map.serialize_entry("urls", &compared)?;
        map.serialize_entry("moved_dates", &moved)?;
        map.end()
    }
}

impl<'a> ChangesResult<'a> {
    /// The number of URLs that are not as before.
    pub(super) fn count(&self) -> usize {
        let changes = self.changes;
        changes.added.len() + changes.removed.len() + changes.redated.len()
    }

    /// The URL of an entry of the plan, and its page.
    fn entry(&self, number: u32) -> (&'a PageUrl, Option<&'a Page>) {
        let url = &self.plan.entries()[number as usize].loc;
        (url, self.inventory.page_at(url))
    }

    /// The first of the dates that moved.
    fn moved_dates(&self, limit: usize) -> Vec<MovedDate<'a>> {
        let format = self.settings.lastmod.format;
        let mut moved = Vec::new();
        for &(number, before) in self.changes.redated.iter().take(limit) {
            let (url, page) = self.entry(number);
            let now = self.plan.entries()[number as usize].lastmod;
            let commit = page.and_then(|page| page.dated.commit());
            moved.push(MovedDate {
                url: url.as_str(),
                before: before.to_text(format),
                now: now.map(|date| date.to_text(format)).unwrap_or_default(),
                commit: commit.map(|change| change.commit.to_string()),
                path: url.path_and_query(),
            });
        }
        moved
    }

    /// The part of a summary. `rewritten` says whether a file changes.
    pub(super) fn part(&self, rewritten: bool, volume: Verbosity) -> Part {
        let (label, whose, since) = match self.compared {
            ComparedSet::Replaced { whose, other_base } => {
                let whose = match other_base {
                    Some(base) => format!("{whose} at {base}: "),
                    None => format!("{whose}: "),
                };
                ("replaces", whose, None)
            }
            ComparedSet::Own => ("changes", String::new(), Some("the previous sitemap")),
            ComparedSet::Named(name) => ("changes", String::new(), Some(&**name)),
        };
        let changes = self.changes;
        if !changes.had_sitemap || self.plan.files().is_empty() {
            return (label, Vec::new());
        }
        let details = self.details(volume);
        let [added, removed, redated] = [
            changes.added.len(),
            changes.removed.len(),
            changes.redated.len(),
        ]
        .map(grouped);
        let (is_replaced, is_redated) = (since.is_none(), !changes.redated.is_empty());
        let has_other_pages = !changes.added.is_empty() || !changes.removed.is_empty();
        let text = if has_other_pages || is_redated && !is_replaced {
            format!("{added} added, {removed} removed, {redated} re-dated")
        } else if is_redated {
            format!("same pages, {redated} re-dated")
        } else if !changes.undated.is_empty()
            || !changes.newly_dated.is_empty()
            || !is_replaced && !details.is_empty()
        {
            "same pages".to_owned()
        } else if is_replaced {
            "same pages and dates".to_owned()
        } else if rewritten {
            "none, in a new form".to_owned()
        } else {
            "none".to_owned()
        };
        let since = since.map(|name| styled(FAINT, format!(" since {name}")));
        let mut lines = vec![format!("{whose}{text}{}", since.unwrap_or_default())];
        lines.extend(details);
        for note in &changes.notes {
            lines.push(styled(FAINT, note.escape_debug()));
        }
        (label, lines)
    }

    /// The changes one by one, or counted by their kinds.
    fn details(&self, volume: Verbosity) -> Vec<String> {
        let (changes, limit) = (self.changes, volume.limit(NAMED_CHANGES));
        let added: Vec<&str> = self.plan.urls(&changes.added).collect();
        let mut texts = named_urls("+", &added, volume);
        let mut removed: Vec<_> = changes.removed.iter().collect();
        // A finding names those that are lost.
        removed.retain(|url| volume == Verbosity::Verbose || !self.is_lost(url));
        texts.extend(named_urls("-", &removed, volume));
        let moved = self.moved_dates(limit);
        let widths = moved.iter().map(|moved| moved.path.len());
        let width = widths.filter(|width| *width <= MOST_PADDED).max();
        for moved in &moved {
            texts.push(moved.text(width.unwrap_or_default()));
        }
        if changes.redated.len() > limit {
            let more = grouped(changes.redated.len() - limit);
            texts.push(styled(FAINT, format!("~ and {more} more")));
        }
        texts.extend(self.undated_rows(volume));
        if !changes.newly_dated.is_empty() {
            texts.push(format!(
                "{} gained",
                counted(changes.newly_dated.len(), "date")
            ));
        }
        texts.extend(self.content_row(changes.alternates, "language link"));
        texts.extend(self.content_row(changes.images, "image"));
        texts.extend(self.unread_row());
        texts
    }

    fn is_replaced(&self) -> bool {
        matches!(self.compared, ComparedSet::Replaced { .. })
    }

    /// Whether a finding that is shown reports a removed URL as lost.
    fn is_lost(&self, url: &str) -> bool {
        !self.is_replaced()
            && self.settings.levels.level_of(code::URLS_LOST) > Level::Allow
            && loss_of(self.inventory, url).is_some()
    }

    /// Names the pages that lost their date. Those of another program may have been none of theirs, so
    /// the reasons are counted.
    fn undated_rows(&self, volume: Verbosity) -> Vec<String> {
        let undated = &self.changes.undated;
        if undated.is_empty() {
            return Vec::new();
        }
        let dates = counted(undated.len(), "date");
        if !self.is_replaced() {
            let urls: Vec<&str> = self.plan.urls(undated).collect();
            return named_urls(&format!("{dates} lost:"), &urls, volume);
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for number in undated {
            let absence = self.entry(*number).1.and_then(|page| page.dated.absence());
            *counts.entry(absence.unwrap_or_default()).or_default() += 1;
        }
        let mut reasons = Vec::new();
        for (why, count) in counts {
            reasons.push(format!("{} {why}", grouped(count)));
        }
        vec![format!("{dates} not kept: {}", reasons.join(", "))]
    }

    /// Counts the content of another program's sitemap that has no equivalent.
    fn unread_row(&self) -> Option<String> {
        if !self.is_replaced() {
            return None;
        }
        let unread = &self.changes.unread;
        let mut counts = vec![
            (unread.priorities, "priority", "priorities"),
            (unread.changefreqs, "changefreq", "changefreqs"),
            (unread.comments, "comment", "comments"),
        ];
        for (name, count) in &unread.elements {
            counts.push((*count, name, name));
        }
        let mut texts = Vec::new();
        for (count, one, many) in counts {
            if count > 0 {
                let name = if count == 1 { one } else { many };
                texts.push(format!("{} {name}", grouped(count)));
            }
        }
        (!texts.is_empty()).then(|| format!("not kept: {}", texts.join(", ")))
    }

    /// Describes what became of the language links or images of the sitemap on disk. That all are
    /// kept is only reported of another program's sitemap.
    fn content_row(&self, change: ContentChange, what: &str) -> Option<String> {
        let ContentChange {
            before,
            lost,
            dropped,
            now,
            ..
        } = change;
        let all = counted(before, what);
        let mut gone = Vec::new();
        if lost > 0 {
            gone.push(format!("{} of {all} lost", grouped(lost)));
        }
        if dropped > 0 {
            let part = grouped(dropped);
            gone.push(format!(
                "{part} of {all} dropped: their pages are not listed"
            ));
        }
        if !gone.is_empty() {
            Some(gone.join(", "))
        } else if before > 0 && self.is_replaced() {
            Some(format!("{all} kept"))
        } else if now > before {
            Some(format!("{} gained", counted(now - before, what)))
        } else {
            None
        }
    }
}

/// The first of some URLs on one line, or with `--verbose` each on a line.
pub(super) fn named_urls(sign: &str, urls: &[impl AsRef<str>], volume: Verbosity) -> Vec<String> {
    let named: Vec<_> = urls
        .iter()
        .take(volume.limit(NAMED_CHANGES))
        .map(|url| escaped(url.as_ref()))
        .collect();
    if volume == Verbosity::Verbose || urls.is_empty() {
        return named.iter().map(|url| format!("{sign} {url}")).collect();
    }
    let more = match urls.len() - named.len() {
        0 => String::new(),
        more => styled(FAINT, format!(" and {} more", grouped(more))),
    };
    vec![format!("{sign} {}{more}", named.join(", "))]
}

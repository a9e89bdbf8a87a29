//! Compares a new set of sitemaps with the previous one: URLs added, removed or with another date, and the
//! language links and images that it keeps.
//!
//! The sitemaps on disk were read before they are replaced.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;

use super::set::text_files_in;
use super::surveyed::{StatedDate, Survey, SurveyedEntry};
use crate::files::tree::Tree;
use sitemaps::gzip::ENDING;
use sitemaps::site_paths::SitePath;
use sitemaps::{
    EntryExtent, LanguageLinks, LastMod, ListedEntry, Plan, SetFileNames, UnreadContent,
};

/// How much of one kind of content a plan has of what the entries on disk have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ContentChange {
    /// The number on disk.
    pub before: usize,
    /// The number in the plan.
    pub now: usize,
    /// The number of those on disk that the plan lacks, entry by entry.
    pub lost: usize,
    /// The number of those that are not lost, because the page that they are of or name is not listed.
    pub dropped: usize,
    /// The number of these in entries for which the page itself states others.
    #[serde(skip)]
    pub overruled: usize,
}

impl ContentChange {
    /// Counts this many of those that the plan lacks as dropped.
    pub fn drop_links(&mut self, count: usize) {
        self.dropped = count.min(self.lost);
        self.lost -= self.dropped;
    }

    /// Counts the content of an entry.
    pub(super) fn add(&mut self, before: usize, now: usize, is_overruled: bool) {
        let lost = before.saturating_sub(now);
        self.before += before;
        self.lost += lost;
        self.overruled += if is_overruled { lost } else { 0 };
    }

    /// Adds the counts of another file.
    pub(super) fn absorb(&mut self, other: Self) {
        self.before += other.before;
        self.lost += other.lost;
        self.overruled += other.overruled;
    }
}

/// Difference between the sitemaps on disk and a plan. Every list is sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SitemapChanges {
    /// Numbers of the plan's entries that no sitemap on disk lists.
    pub added: Vec<u32>,
    /// URLs that a sitemap on disk lists and the plan does not, as written on disk.
    pub removed: Vec<String>,
    /// Numbers of the plan's entries whose date is another instant than the one on disk, with that. An
    /// unknown date, on either side, does not differ.
    pub redated: Vec<(u32, LastMod)>,
    /// Numbers of the plan's entries without a date on disk that have one now, if it is later than
    /// every date on disk: they have changed since.
    pub changed_since: Vec<u32>,
    /// Whether any sitemap was found.
    pub had_sitemap: bool,
    /// Whether waypost wrote it.
    pub is_by_waypost: bool,
    /// The number of pages in both sets that had a date on disk.
    pub dated: usize,
    /// Numbers of those of them that have no date in the plan.
    pub undated: Vec<u32>,
    /// Numbers of the pages in both sets that have a date only in the plan.
    pub newly_dated: Vec<u32>,
    /// The links to language versions.
    pub alternates: ContentChange,
    /// The images.
    pub images: ContentChange,
    /// The content of the entries of sitemaps of other programs, and those of the plan for the same pages
    /// lack.
    pub unread: UnreadContent,
    /// Messages about files that could not be read completely. The lists cover only what was read.
    pub notes: Vec<String>,
    /// Files that were not read because they are links to a file outside the site.
    pub outside_site: Vec<SitePath>,
}

/// Finds the number of the entry for a page by another form of its URL, which a host redirects.
type FindRespelt<'f> = &'f (dyn Fn(&str) -> Option<usize> + Sync);

/// Maximum number of notes. A damaged index may name 50,000 files that do not exist.
const MAX_NOTES: usize = 20;

/// Whether sitemaps on disk list an entry of the plan, and with which date; of several, the last
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SeenEntry {
    NotListed,
    Undated,
    WithOtherDate(LastMod),
    WithItsDate,
}

impl SitemapChanges {
    /// Compares a plan with the set that begins with these files, of which the first is the root with
    /// this name. Language links and images of a page that it lists under another form of its URL are
    /// not lost.
    pub fn between(
        survey: &Survey,
        roots: &[SitePath],
        root: &str,
        plan: &Plan,
        respelt: FindRespelt<'_>,
    ) -> Self {
        let files = survey.files_of_sets(roots);
        let mut changes = Self::from_files(survey, plan, &files, respelt);
        let first = roots.first();
        changes.is_by_waypost = first.is_some_and(|first| survey.has_mark(first, root));
        changes.notes.sort_unstable();
        let more = changes.notes.len().saturating_sub(MAX_NOTES);
        if more > 0 {
            changes.notes.truncate(MAX_NOTES);
            changes
                .notes
                .push(format!("{more} more sitemaps could not be read completely"));
        }
        changes.without_dates_of_texts(plan, &files)
    }

    /// Compares a plan with the sitemaps in any directory. `root` is the file name of their root.
    pub fn since(dir: &Tree, root: &str, plan: &Plan) -> Self {
        let roots = [root, &format!("{root}{ENDING}")].map(SitePath::new);
        let files = roots.into_iter().chain(text_files_in(dir, root));
        let survey = Survey::read(dir, files, EntryExtent::All);
        let roots = survey.roots_of(root);
        Self::between(&survey, &roots, root, plan, &|_| None)
    }

    /// Compares a plan with these files.
    pub fn from_files(
        survey: &Survey,
        plan: &Plan,
        files: &BTreeSet<SitePath>,
        respelt: FindRespelt<'_>,
    ) -> Self {
        let known: Vec<_> = files
            .iter()
            .filter_map(|path| survey.file(path).map(|file| (path, file)))
            .collect();
        let seen = known.par_iter().map(|(_, file)| {
            let mut seen = SeenEntries::default();
            for entry in file.entries.iter() {
                seen.record(plan, &entry, respelt);
            }
            seen
        });
        let mut changes = Self::from_seen(plan, seen.collect());
        changes.had_sitemap = !files.is_empty();
        for (path, file) in known {
            changes.unread.comments += file.head.comments;
            changes.notes.extend(file.notes.iter().cloned());
            if file.is_outside {
                changes.outside_site.push(path.clone());
            }
        }
        changes
    }

    /// Adapts a comparison with `files` to a plan of text sitemaps, which have neither dates nor a
    /// mark: no date changes, and files with the same URLs are as good as waypost's own.
    #[must_use]
    pub fn without_dates_of_texts(mut self, plan: &Plan, files: &BTreeSet<SitePath>) -> Self {
        if plan.is_text_only() {
            let names = SetFileNames { root: plan.root() };
            self.redated.clear();
            self.changed_since.clear();
            self.newly_dated.clear();
            self.is_by_waypost |= self.had_sitemap
                && self.added.is_empty()
                && self.removed.is_empty()
                && files.iter().all(|file| names.is_text(&file.to_text()));
        }
        self
    }

    /// The difference from an empty set.
    pub fn all_new(plan: &Plan) -> Self {
        Self::from_seen(plan, Vec::new())
    }

    /// Compares a plan with pages from any source. `list` passes each page to its callback, in any
    /// order.
    pub fn from_pages<E>(
        plan: &Plan,
        list: impl FnOnce(&mut dyn FnMut(&ListedEntry)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut seen = SeenEntries::default();
        list(&mut |old| {
            let entry = SurveyedEntry {
                loc: Cow::Borrowed(&old.loc),
                date: StatedDate::of(&old.lastmod),
                alternates: old.alternates.len(),
                images: old.images.len(),
                unread: None,
            };
            seen.record(plan, &entry, &|_| None);
        })?;
        let mut changes = Self::from_seen(plan, vec![seen]);
        changes.had_sitemap = true;
        Ok(changes)
    }

    fn from_seen(plan: &Plan, files: Vec<SeenEntries>) -> Self {
        let mut states = vec![SeenEntry::NotListed; plan.entries().len()];
        let mut changes = Self::default();
        let mut newest = None;
        for mut file in files {
            for (number, state) in file.states {
                states[number] = states[number].max(state);
            }
            newest = newest.max(file.newest);
            changes.removed.append(&mut file.removed);
            changes.alternates.absorb(file.alternates);
            changes.images.absorb(file.images);
            changes.unread.absorb(&file.unread);
        }
        changes.removed.sort_unstable();
        changes.removed.dedup();
        for ((number, state), entry) in (0..).zip(states).zip(plan.entries()) {
            changes.alternates.now += entry.alternates().map_or(0, LanguageLinks::len);
            changes.images.now += entry.images().len();
            changes.dated += usize::from(state > SeenEntry::Undated);
            match (state, entry.lastmod) {
                (SeenEntry::NotListed, _) => changes.added.push(number),
                (SeenEntry::WithOtherDate(_) | SeenEntry::WithItsDate, None) => {
                    changes.undated.push(number);
                }
                (SeenEntry::WithOtherDate(before), Some(_)) => {
                    changes.redated.push((number, before));
                }
                (SeenEntry::Undated, Some(date)) => {
                    changes.newly_dated.push(number);
                    if newest.is_some_and(|newest| date.seconds() > newest) {
                        changes.changed_since.push(number);
                    }
                }
                (SeenEntry::Undated, None) | (SeenEntry::WithItsDate, Some(_)) => {}
            }
        }
        changes
    }
}

/// The pages of one file on disk, compared with a plan.
#[derive(Default)]
struct SeenEntries {
    /// Numbers of the plan's entries, and what was seen of each.
    states: Vec<(usize, SeenEntry)>,
    /// The URLs that are not in the plan.
    removed: Vec<String>,
    /// The last second of the newest date.
    newest: Option<i64>,
    alternates: ContentChange,
    images: ContentChange,
    unread: UnreadContent,
}

impl SeenEntries {
    /// Records a page of the previous set.
    fn record(&mut self, plan: &Plan, old: &SurveyedEntry<'_>, respelt: FindRespelt<'_>) {
        let number = plan.number_of_equivalent(&old.loc);
        let entry = number
            .or_else(|| respelt(&old.loc))
            .map(|number| &plan.entries()[number]);
        let links = entry.map_or(0, |entry| entry.alternates().map_or(0, LanguageLinks::len));
        let is_overruled = links > 0 && entry.is_some_and(|entry| !entry.has_kept_links());
        self.alternates.add(old.alternates, links, is_overruled);
        let images = entry.map_or(0, |entry| entry.images().len());
        self.images.add(old.images, images, false);
        if let Some((unread, entry)) = old.unread.zip(entry) {
            let mut unread = unread.clone();
            if entry.by_rule.priority.is_some() {
                unread.priorities = 0;
            }
            if entry.by_rule.changefreq.is_some() {
                unread.changefreqs = 0;
            }
            self.unread.absorb(&unread);
        }
        let listed = old.date.date();
        self.newest = self.newest.max(listed.map(LastMod::last_second));
        let Some((number, entry)) = number.zip(entry) else {
            return self.removed.push(old.loc.to_string());
        };
        let dates = listed.zip(entry.lastmod);
        let state = match dates {
            _ if old.date == StatedDate::Missing => SeenEntry::Undated,
            Some((listed, known)) if !listed.includes(known) => SeenEntry::WithOtherDate(listed),
            _ => SeenEntry::WithItsDate,
        };
        self.states.push((number, state));
    }
}

#[cfg(test)]
mod tests;

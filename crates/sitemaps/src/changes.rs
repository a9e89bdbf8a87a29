//! Compares a new set of sitemaps with the previous one: URLs added, removed or with another date.
//!
//! Reads the sitemaps on disk before they are replaced. An unchanged page takes one byte of memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use rayon::prelude::*;

use super::content_change::{ContentChange, ContentTally};
use super::gzip::name_without_gz;
use super::lastmod::{DateFormat, LastMod};
use super::listed_date::ListedDate;
use super::names::SetFileNames;
use super::plan::{Plan, PlannedFile};
use super::previous::{PreviousSet, read_pages};
use super::xml::ListedEntry;
use crate::SitemapEntry;
use crate::site_paths::SitePath;
use crate::site_paths::containment::SitemapDir;

/// Difference between the sitemaps on disk and a plan. Every list is sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SitemapChanges {
    /// Numbers of the plan's entries that no sitemap on disk lists.
    pub added: Vec<u32>,
    /// URLs that a sitemap on disk lists and the plan does not, as written on disk.
    pub removed: Vec<String>,
    /// Numbers of the plan's entries whose date is another instant than the one on disk. An unknown
    /// date, on either side, does not differ.
    pub redated: Vec<u32>,
    /// Numbers of the plan's entries without a date on disk that have one now, if it is later than
    /// every date on disk: they have changed since.
    pub newly_dated: Vec<u32>,
    /// Whether any sitemap was found.
    pub had_sitemap: bool,
    /// Whether waypost wrote it.
    pub is_by_waypost: bool,
    /// The number of pages in both sets that had a date on disk.
    pub dated: usize,
    /// Numbers of those of them that have no date in the plan.
    pub undated: Vec<u32>,
    /// Numbers of the pages in both sets that have a date only in the plan.
    pub first_dated: Vec<u32>,
    /// The links to language versions.
    pub alternates: ContentChange,
    /// The images.
    pub images: ContentChange,
    /// Messages about files that could not be read completely. The lists cover only what was read.
    pub notes: Vec<String>,
    /// Files that were not read because they are links to a file outside the site.
    pub outside_site: Vec<SitePath>,
}

/// Maximum number of notes. A damaged index may name 50,000 files that do not exist.
const MAX_NOTES: usize = 20;

/// What was seen of an entry in a comparison, as bits.
const NOT_SEEN: u8 = 0;
const SEEN: u8 = 1;
const SEEN_WITH_ITS_DATE: u8 = 2;
const SEEN_WITH_A_DATE: u8 = 4;

impl SitemapChanges {
    /// Compares a plan with the set in the output directory that it replaces.
    pub fn between(dir: &SitemapDir, plan: &Plan, previous: &PreviousSet) -> Self {
        let names = SetFileNames { root: &plan.root };
        let texts = plan
            .is_text_only()
            .then(|| PreviousSet::of_texts(dir, names));
        let texts = texts.filter(|texts| !texts.roots.is_empty());
        let previous = texts.as_ref().unwrap_or(previous);
        let files: Vec<_> = previous.page_files().into_iter().collect();
        Self::since_set(dir, previous, plan).without_dates_of_texts(plan, &files)
    }

    /// Compares a plan with the sitemaps in any directory. `root` is the file name of their root.
    pub fn since(dir: &SitemapDir, root: &str, plan: &Plan) -> Self {
        let previous = PreviousSet::find(dir, &plan.base, SetFileNames { root });
        Self::since_set(dir, &previous, plan)
    }

    fn since_set(dir: &SitemapDir, previous: &PreviousSet, plan: &Plan) -> Self {
        let files: Vec<_> = previous.page_files().into_iter().collect();
        let mut changes = Self::from_files(dir, plan, &files);
        changes.had_sitemap = !previous.roots.is_empty();
        changes.is_by_waypost = previous.has_mark;
        changes.notes.extend(previous.notes.iter().cloned());
        changes.notes.sort_unstable();
        changes.notes.dedup();
        let more = changes.notes.len().saturating_sub(MAX_NOTES);
        if more > 0 {
            changes.notes.truncate(MAX_NOTES);
            changes
                .notes
                .push(format!("{more} more sitemaps could not be read completely"));
        }
        changes
    }

    /// Compares a plan with these sitemaps of the output directory. Reads them in parallel.
    pub fn from_files(dir: &SitemapDir, plan: &Plan, files: &[SitePath]) -> Self {
        let comparison = PlanComparison::new(plan);
        let read: Vec<_> = files
            .par_iter()
            .map(|file| comparison.read(dir, file))
            .collect();
        let (removed, notes): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        let mut changes = comparison.finish(removed.into_iter().flatten().collect());
        changes.had_sitemap = !files.is_empty();
        // A link to a file outside the site cannot be opened, so there is a note about it.
        let in_part = files
            .iter()
            .zip(&notes)
            .filter(|(_, note)| note.is_some())
            .map(|(file, _)| file);
        changes.outside_site = in_part
            .filter(|file| dir.is_escaped_by(file))
            .cloned()
            .collect();
        changes.notes = notes.into_iter().flatten().collect();
        changes
    }

    /// Adapts a comparison with `files` to a plan of text sitemaps, which have neither dates nor a
    /// mark: no date changes, and files with the same URLs are as good as waypost's own.
    #[must_use]
    pub fn without_dates_of_texts(mut self, plan: &Plan, files: &[SitePath]) -> Self {
        if plan.is_text_only() {
            let names = SetFileNames { root: &plan.root };
            self.redated.clear();
            self.newly_dated.clear();
            self.first_dated.clear();
            self.is_by_waypost |= self.had_sitemap
                && self.added.is_empty()
                && self.removed.is_empty()
                && files.iter().all(|file| names.is_text(&file.to_text()));
        }
        self
    }

    /// The difference from an empty set.
    pub fn all_new(plan: &Plan) -> Self {
        PlanComparison::new(plan).finish(Vec::new())
    }

    /// Compares a plan with pages from any source. `list` passes each page to its callback, in any
    /// order.
    pub fn from_pages<E>(
        plan: &Plan,
        list: impl FnOnce(&mut dyn FnMut(&ListedEntry)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let comparison = PlanComparison::new(plan);
        let mut lookup = UrlLookup {
            plan,
            expected: &[],
        };
        let mut removed = Vec::new();
        list(&mut |old| comparison.record(&mut lookup, old, &mut removed))?;
        let mut changes = comparison.finish(removed);
        changes.had_sitemap = true;
        Ok(changes)
    }
}

/// A plan and the states of its entries, which the files that are read in parallel update.
struct PlanComparison<'a> {
    plan: &'a Plan,
    planned: HashMap<&'a str, &'a PlannedFile>,
    seen: Vec<AtomicU8>,
    /// The last second of the newest date on disk.
    newest: AtomicI64,
    alternates: ContentTally,
    images: ContentTally,
}

impl<'a> PlanComparison<'a> {
    fn new(plan: &'a Plan) -> Self {
        let planned = plan
            .files
            .iter()
            .map(|file| (name_without_gz(&file.name), file))
            .collect();
        Self {
            plan,
            planned,
            seen: plan
                .entries
                .iter()
                .map(|_| AtomicU8::new(NOT_SEEN))
                .collect(),
            newest: AtomicI64::new(i64::MIN),
            alternates: ContentTally::default(),
            images: ContentTally::default(),
        }
    }

    /// Reads one file. Returns its URLs that are not in the plan, and a note if the file could not
    /// be read completely.
    fn read(&self, dir: &SitemapDir, file: &SitePath) -> (Vec<String>, Option<String>) {
        let mut removed = Vec::new();
        let expected = self
            .planned
            .get(name_without_gz(&file.to_text()))
            .map_or(&[][..], |planned| planned.numbers());
        let mut lookup = UrlLookup {
            plan: self.plan,
            expected,
        };
        let note = read_pages(dir, file, &mut |old| {
            self.record(&mut lookup, old, &mut removed);
        });
        (removed, note)
    }

    /// Records a page of the previous set.
    fn record(&self, lookup: &mut UrlLookup<'_>, old: &ListedEntry, removed: &mut Vec<String>) {
        let number = lookup.number_of(&old.loc);
        let entry = number.map(|number| &self.plan.entries[number]);
        let is_overruled =
            entry.is_some_and(|entry| !entry.alternates().is_empty() && !entry.kept().alternates);
        let links = entry.map_or(0, |entry| entry.alternates().len());
        self.alternates.add(old.alternates, links, is_overruled);
        let images = entry.map_or(0, |entry| entry.images().len());
        self.images.add(old.images, images, false);
        let Some(number) = number else {
            return removed.push(old.loc.clone());
        };
        let state = SEEN | self.date_state(self.plan.entries[number].lastmod, &old.lastmod);
        self.seen[number].fetch_or(state, Ordering::Relaxed);
    }

    /// The state of an entry by its date in the plan and on disk.
    fn date_state(&self, known: Option<LastMod>, on_disk: &str) -> u8 {
        if on_disk.is_empty() {
            return NOT_SEEN;
        }
        // Equal texts are the usual case, and formatting is faster than parsing.
        let has_times = self.plan.dates == DateFormat::Datetime;
        let same = known
            .filter(|date| has_times && date.to_text(DateFormat::Datetime) == on_disk)
            .map(LastMod::last_second);
        let listed = same.is_none().then(|| ListedDate::parse(on_disk)).flatten();
        let last_second = same.or_else(|| listed.map(ListedDate::last_second));
        if last_second.is_some_and(|second| second > self.newest.load(Ordering::Relaxed)) {
            self.newest
                .fetch_max(last_second.unwrap_or(i64::MIN), Ordering::Relaxed);
        }
        let includes = |(known, listed): (LastMod, ListedDate)| listed.includes(known);
        if same.is_some() || known.zip(listed).is_some_and(includes) {
            SEEN_WITH_A_DATE | SEEN_WITH_ITS_DATE
        } else {
            SEEN_WITH_A_DATE
        }
    }

    fn finish(self, mut removed: Vec<String>) -> SitemapChanges {
        removed.sort_unstable();
        removed.dedup();
        let seen: Vec<u8> = self.seen.into_iter().map(AtomicU8::into_inner).collect();
        let newest = self.newest.into_inner();
        let entries = || (0..).zip(&seen).zip(&self.plan.entries);
        let dated_ones = |is_wanted: &dyn Fn(u8, LastMod) -> bool| -> Vec<u32> {
            entries()
                .filter(|((_, seen), entry)| {
                    entry.lastmod.is_some_and(|date| is_wanted(**seen, date))
                })
                .map(|((number, _), _)| number)
                .collect()
        };
        let added = entries().filter(|((_, seen), _)| **seen == NOT_SEEN);
        let dated = || entries().filter(|((_, seen), _)| **seen & SEEN_WITH_A_DATE != 0);
        let undated = dated().filter(|(_, entry)| entry.lastmod.is_none());
        let of_plan = |content: fn(&SitemapEntry) -> usize| -> usize {
            self.plan.entries.iter().map(content).sum()
        };
        SitemapChanges {
            added: added.map(|((number, _), _)| number).collect(),
            removed,
            redated: dated_ones(&|seen, _| {
                seen & SEEN_WITH_A_DATE != 0 && seen & SEEN_WITH_ITS_DATE == 0
            }),
            newly_dated: dated_ones(&|seen, date| {
                seen == SEEN && newest != i64::MIN && date.seconds() > newest
            }),
            dated: dated().count(),
            undated: undated.map(|((number, _), _)| number).collect(),
            first_dated: dated_ones(&|seen, _| seen == SEEN),
            alternates: self
                .alternates
                .finish(of_plan(|entry| entry.alternates().len())),
            images: self.images.finish(of_plan(|entry| entry.images().len())),
            ..SitemapChanges::default()
        }
    }
}

/// Looks up the URLs of one file on disk. Most of them are in the planned file of the same name, in
/// the same order.
struct UrlLookup<'a> {
    plan: &'a Plan,
    /// Numbers of the entries that are still expected.
    expected: &'a [u32],
}

impl UrlLookup<'_> {
    /// The number of the entry with this URL, which may be spelled differently from the plan's.
    fn number_of(&mut self, url: &str) -> Option<usize> {
        let is_it = |&number: &u32| self.plan.entries[number as usize].loc.as_str() == url;
        if let Some((number, rest)) = self
            .expected
            .split_first()
            .filter(|(number, _)| is_it(number))
        {
            self.expected = rest;
            return Some(*number as usize);
        }
        let found = self.plan.number_of_equivalent(url)?;
        let passed = self
            .expected
            .partition_point(|&number| number as usize <= found);
        self.expected = &self.expected[passed..];
        Some(found)
    }
}

#[cfg(test)]
mod tests;

//! Compares a new set of sitemaps with the previous one: URLs added, removed or with another date.
//!
//! Reads the sitemaps on disk before they are replaced.

use rayon::prelude::*;

use super::content_change::ContentChange;
use super::names::SetFileNames;
use super::plan::Plan;
use super::previous::{PreviousSet, read_pages};
use super::xml::ListedEntry;
use crate::files::tree::Tree;
use crate::lastmod::LastMod;
use crate::site_paths::SitePath;

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
    WithOtherDate,
    WithItsDate,
}

impl SitemapChanges {
    /// Compares a plan with the set in the output directory that it replaces. Language links and images
    /// of a page that it lists under another form of its URL are not lost.
    pub fn between(
        dir: &Tree,
        plan: &Plan,
        previous: &PreviousSet,
        respelt: FindRespelt<'_>,
    ) -> Self {
        let texts = plan.is_text_only();
        let texts = texts.then(|| PreviousSet::of_texts(dir, &plan.root));
        let texts = texts.filter(|texts| !texts.roots.is_empty());
        let previous = texts.as_ref().unwrap_or(previous);
        let files: Vec<_> = previous.page_files().into_iter().collect();
        Self::since_set(dir, previous, plan, respelt).without_dates_of_texts(plan, &files)
    }

    /// Compares a plan with the sitemaps in any directory. `root` is the file name of their root.
    pub fn since(dir: &Tree, root: &str, plan: &Plan) -> Self {
        let previous = PreviousSet::find(dir, &plan.base, root);
        Self::since_set(dir, &previous, plan, &|_| None)
    }

    fn since_set(
        dir: &Tree,
        previous: &PreviousSet,
        plan: &Plan,
        respelt: FindRespelt<'_>,
    ) -> Self {
        let files: Vec<_> = previous.page_files().into_iter().collect();
        let mut changes = Self::from_files(dir, plan, &files, respelt);
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
    pub fn from_files(
        dir: &Tree,
        plan: &Plan,
        files: &[SitePath],
        respelt: FindRespelt<'_>,
    ) -> Self {
        let read = |file: &SitePath| {
            let mut seen = SeenEntries::default();
            let note = read_pages(dir, file, &mut |old| seen.record(plan, old, respelt));
            (seen, note)
        };
        let (seen, notes): (Vec<_>, Vec<_>) = files.par_iter().map(read).unzip();
        let mut changes = Self::of_seen(plan, seen);
        changes.had_sitemap = !files.is_empty();
        // A link to a file outside the site cannot be opened, so there is a note about it.
        let outside = files.iter().zip(&notes);
        let outside = outside.filter(|(file, note)| {
            note.is_some() && dir.is_escaped_by(&file.below_dir(dir.path()))
        });
        changes.outside_site = outside.map(|(file, _)| file.clone()).collect();
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
        Self::of_seen(plan, Vec::new())
    }

    /// Compares a plan with pages from any source. `list` passes each page to its callback, in any
    /// order.
    pub fn from_pages<E>(
        plan: &Plan,
        list: impl FnOnce(&mut dyn FnMut(&ListedEntry)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut seen = SeenEntries::default();
        list(&mut |old| seen.record(plan, old, &|_| None))?;
        let mut changes = Self::of_seen(plan, vec![seen]);
        changes.had_sitemap = true;
        Ok(changes)
    }

    fn of_seen(plan: &Plan, files: Vec<SeenEntries>) -> Self {
        let mut states = vec![SeenEntry::NotListed; plan.entries.len()];
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
        }
        changes.removed.sort_unstable();
        changes.removed.dedup();
        for ((number, state), entry) in (0..).zip(states).zip(&plan.entries) {
            changes.alternates.now += entry.alternates().len();
            changes.images.now += entry.images().len();
            changes.dated += usize::from(state >= SeenEntry::WithOtherDate);
            match (state, entry.lastmod) {
                (SeenEntry::NotListed, _) => changes.added.push(number),
                (SeenEntry::WithOtherDate | SeenEntry::WithItsDate, None) => {
                    changes.undated.push(number);
                }
                (SeenEntry::WithOtherDate, Some(_)) => changes.redated.push(number),
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
}

impl SeenEntries {
    /// Records a page of the previous set.
    fn record(&mut self, plan: &Plan, old: &ListedEntry, respelt: FindRespelt<'_>) {
        let number = plan.number_of_equivalent(&old.loc);
        let entry = number.or_else(|| respelt(&old.loc));
        let entry = entry.map(|number| &plan.entries[number]);
        let links = entry.map_or(0, |entry| entry.alternates().len());
        let is_overruled = links > 0 && entry.is_some_and(|entry| !entry.kept().alternates);
        self.alternates
            .add(old.alternates.len(), links, is_overruled);
        let images = entry.map_or(0, |entry| entry.images().len());
        self.images.add(old.images.len(), images, false);
        let listed = LastMod::parse_listed(&old.lastmod);
        self.newest = self.newest.max(listed.map(LastMod::last_second));
        let Some((number, entry)) = number.zip(entry) else {
            return self.removed.push(old.loc.clone());
        };
        let dates = listed.zip(entry.lastmod);
        let state = match dates {
            _ if old.lastmod.is_empty() => SeenEntry::Undated,
            Some((listed, known)) if !listed.includes(known) => SeenEntry::WithOtherDate,
            _ => SeenEntry::WithItsDate,
        };
        self.states.push((number, state));
    }
}

#[cfg(test)]
mod tests;

//! Compares a new set of sitemaps with the previous one: URLs added, removed or with another date.
//!
//! Reads the sitemaps on disk before they are replaced. An unchanged page takes one byte of memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use rayon::prelude::*;

use super::gzip::name_without_gz;
use super::lastmod::{DateFormat, LastMod};
use super::listed_date::ListedDate;
use super::names::SetFileNames;
use super::plan::{Plan, PlannedFile};
use super::previous::{PreviousSet, read_pages};
use super::xml::ListedEntry;
use site_paths::SitePath;
use site_paths::containment::SitemapDir;

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
    /// The number of them that have no date in the plan.
    pub undated: usize,
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
    /// Compares a plan with the sitemaps in the output directory that it replaces.
    pub fn between(dir: &SitemapDir, plan: &Plan) -> Self {
        let names = SetFileNames { root: &plan.root };
        let texts = plan
            .is_text_only()
            .then(|| PreviousSet::of_texts(dir, names));
        let texts = texts.filter(|texts| !texts.roots.is_empty());
        let previous = texts.unwrap_or_else(|| PreviousSet::find(dir, &plan.base, names));
        let files: Vec<_> = previous.page_files().into_iter().collect();
        Self::since_set(dir, previous, plan).without_dates_of_texts(plan, &files)
    }

    /// Compares a plan with the sitemaps in any directory. `root` is the file name of their root.
    pub fn since(dir: &SitemapDir, root: &str, plan: &Plan) -> Self {
        let previous = PreviousSet::find(dir, &plan.base, SetFileNames { root });
        Self::since_set(dir, previous, plan)
    }

    fn since_set(dir: &SitemapDir, previous: PreviousSet, plan: &Plan) -> Self {
        let files: Vec<_> = previous.page_files().into_iter().collect();
        let spelling = if previous.has_mark {
            UrlSpelling::Normalized
        } else {
            UrlSpelling::Any
        };
        let mut changes = Self::from_files(dir, plan, &files, spelling);
        changes.had_sitemap = !previous.roots.is_empty();
        changes.is_by_waypost = previous.has_mark;
        changes.notes.extend(previous.notes);
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
        dir: &SitemapDir,
        plan: &Plan,
        files: &[SitePath],
        spelling: UrlSpelling,
    ) -> Self {
        let comparison = PlanComparison::new(plan, spelling);
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
            self.is_by_waypost |= self.had_sitemap
                && self.added.is_empty()
                && self.removed.is_empty()
                && files.iter().all(|file| names.is_text(&file.to_text()));
        }
        self
    }

    /// The difference from an empty set.
    pub fn all_new(plan: &Plan) -> Self {
        PlanComparison::new(plan, UrlSpelling::Any).finish(Vec::new())
    }

    /// Compares a plan with pages from any source. `list` passes each page to its callback, in any
    /// order.
    pub fn from_pages<E>(
        plan: &Plan,
        list: impl FnOnce(&mut dyn FnMut(&ListedEntry)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let comparison = PlanComparison::new(plan, UrlSpelling::Any);
        let mut lookup = UrlLookup {
            plan,
            expected: &[],
            spelling: UrlSpelling::Any,
        };
        let mut removed = Vec::new();
        list(&mut |old| comparison.record(&mut lookup, old, &mut removed))?;
        let mut changes = comparison.finish(removed);
        changes.had_sitemap = true;
        Ok(changes)
    }
}

/// Spelling of the URLs on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlSpelling {
    /// The normal form that waypost writes.
    Normalized,
    /// Any form that identifies the same page.
    Any,
}

/// A plan and the states of its entries, which the files that are read in parallel update.
struct PlanComparison<'a> {
    plan: &'a Plan,
    planned: HashMap<&'a str, &'a PlannedFile>,
    spelling: UrlSpelling,
    seen: Vec<AtomicU8>,
    /// The last second of the newest date on disk.
    newest: AtomicI64,
}

impl<'a> PlanComparison<'a> {
    fn new(plan: &'a Plan, spelling: UrlSpelling) -> Self {
        let planned = plan
            .files
            .iter()
            .map(|file| (name_without_gz(&file.name), file))
            .collect();
        Self {
            plan,
            planned,
            spelling,
            seen: plan
                .entries
                .iter()
                .map(|_| AtomicU8::new(NOT_SEEN))
                .collect(),
            newest: AtomicI64::new(i64::MIN),
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
            spelling: self.spelling,
        };
        let note = read_pages(dir, file, &mut |old| {
            self.record(&mut lookup, old, &mut removed);
        });
        (removed, note)
    }

    /// Records a page of the previous set.
    fn record(&self, lookup: &mut UrlLookup<'_>, old: &ListedEntry, removed: &mut Vec<String>) {
        let Some(number) = lookup.number_of(&old.loc) else {
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
        let last_second = same.or_else(|| listed?.last_second());
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
        let had_date = |(_, seen): &(_, &u8)| **seen & SEEN_WITH_A_DATE != 0;
        let dated = || self.plan.entries.iter().zip(&seen).filter(had_date);
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
            undated: dated().filter(|(entry, _)| entry.lastmod.is_none()).count(),
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
    spelling: UrlSpelling,
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
        let found = match self.spelling {
            UrlSpelling::Normalized => self.plan.number_of(url),
            UrlSpelling::Any => self.plan.number_of_equivalent(url),
        }?;
        let passed = self
            .expected
            .partition_point(|&number| number as usize <= found);
        self.expected = &self.expected[passed..];
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::super::fixture::{at_most, date, entries, entry, plan};
    use super::super::gzip::FileCompression;
    use super::*;
    use crate::SitemapEntry;
    use crate::settings::{GzipMode, SitemapSettings};

    fn write(plan: &Plan, dir: &std::path::Path) {
        for file in plan.files() {
            let bytes = FileCompression::of_name(&file.name)
                .encode(&plan.render(file))
                .into_owned();
            fs::write(dir.join(&file.name), bytes).expect("a file");
        }
    }

    #[test]
    fn a_sitemap_of_any_tool_can_be_compared() {
        let check = |files: &[(&str, &[u8])], expected: (&[u32], &[&str], &[u32], usize)| {
            let dir = TempDir::new().expect("a temporary directory");
            for (name, bytes) in files {
                fs::write(dir.path().join(name), bytes).expect("a file");
            }
            let pages = vec![
                entry("a"),
                SitemapEntry {
                    lastmod: date(1_700_000_000),
                    ..entry("b&c")
                },
            ];
            let changes = SitemapChanges::between(
                &SitemapDir::named_by_user(dir.path()),
                &plan(pages, &SitemapSettings::default()),
            );
            let removed: Vec<_> = changes.removed.iter().map(String::as_str).collect();
            let found = (
                &changes.added[..],
                &removed[..],
                &changes.redated[..],
                changes.notes.len(),
            );
            assert_eq!(found, expected, "{files:?}");
        };
        check(&[], (&[0, 1], &[], &[], 0));
        let whole = "\u{feff}\n<urlset><url><loc>https://EXAMPLE.com/a</loc></url>\
                     <url><loc>https://example.com/b&amp;c</loc>\
                     <lastmod>2023-11-14T23:13:20+01:00</lastmod></url></urlset>";
        check(&[("sitemap.xml", whole.as_bytes())], (&[], &[], &[], 0));
        check(
            &[("sitemap.xml.gz", &FileCompression::Gzip.encode(whole))],
            (&[], &[], &[], 0),
        );
        check(
            &[(
                "sitemap.txt",
                b"\xef\xbb\xbfhttps://example.com/b&c\r\nhttps://example.com/z",
            )],
            (&[0], &["https://example.com/z"], &[], 0),
        );
        let index = b"<sitemapindex><sitemap><loc>https://other.example/s1.xml</loc></sitemap>\
                      <sitemap><loc>https://example.com/gone.xml</loc></sitemap>\
                      <sitemap><loc>https://example.com/sitemap.xml</loc></sitemap></sitemapindex>";
        let cut = b"<urlset><url><loc>https://example.com/a</loc></url><url><loc>https://exam";
        check(
            &[("sitemap.xml", index), ("s1.xml", cut)],
            (&[1], &[], &[], 2),
        );
    }

    #[test]
    fn a_first_date_is_a_change_if_it_is_later_than_every_date_on_disk() {
        let check = |on_disk: &str, expected: &[u32]| {
            let pages = ["a", "b", "c"].map(entry).into_iter().zip(1..);
            let dated = pages.map(|(page, number)| SitemapEntry {
                lastmod: date(1_700_000_000 + number * 100_000),
                ..page
            });
            let plan = plan(dated.collect(), &SitemapSettings::default());
            let listed = |loc: &str, lastmod: &str| ListedEntry {
                loc: format!("https://example.com/{loc}"),
                lastmod: lastmod.to_owned(),
                ..ListedEntry::default()
            };
            let changes = SitemapChanges::from_pages(&plan, |visit| {
                visit(&listed("a", ""));
                visit(&listed("b", on_disk));
                visit(&listed("c", ""));
                Ok::<(), ()>(())
            });
            assert_eq!(
                changes.map(|changes| changes.newly_dated),
                Ok(expected.to_vec())
            );
        };
        check("2023-11-17T06:46:40+01:00", &[2]);
        check("2023-11-17", &[2]);
        check("2023", &[]);
        check("2024-01-01", &[]);
        check("", &[]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn a_written_set_is_read_back_completely(
            old in prop::collection::btree_map("[a-e&']{1,3}", 0_i64..3, 1..30),
            new in prop::collection::btree_map("[a-e&']{1,3}", 0_i64..3, 1..30),
            max_urls in 1_usize..20,
            gzip in prop::sample::select(vec![GzipMode::Off, GzipMode::Also, GzipMode::Only]),
        ) {
            let dir = TempDir::new().expect("a temporary directory");
            let settings = SitemapSettings { gzip, ..at_most(max_urls) };
            let pages = |days: &std::collections::BTreeMap<String, i64>| {
                let page = |(name, &day): (&String, &i64)| SitemapEntry {
                    lastmod: date(day),
                    ..entry(name)
                };
                plan(days.iter().map(page).collect(), &settings)
            };
            write(&pages(&old), dir.path());
            let new_plan = pages(&new);
            let changes = SitemapChanges::between(&SitemapDir::named_by_user(dir.path()), &new_plan);
            let url = |name: &String| entry(name).loc.to_string();
            let named = |numbers: &[u32]| -> Vec<String> {
                let entries = numbers.iter().map(|&number| &new_plan.entries()[number as usize]);
                entries.map(|entry| entry.loc.to_string()).collect()
            };
            let sorted = |mut urls: Vec<String>| { urls.sort(); urls };
            let added = new.keys().filter(|name| !old.contains_key(*name)).map(url).collect();
            let removed = old.keys().filter(|name| !new.contains_key(*name)).map(url).collect();
            // `date(0)` is an unknown date.
            let is_other = |old: &i64, new: i64| *old != 0 && new != 0 && *old != new;
            let redated = new
                .iter()
                .filter(|(name, day)| old.get(*name).is_some_and(|old| is_other(old, **day)))
                .map(|(name, _)| url(name));
            prop_assert_eq!(named(&changes.added), sorted(added));
            prop_assert_eq!(&changes.removed, &sorted(removed));
            prop_assert_eq!(named(&changes.redated), sorted(redated.collect()));
            prop_assert_eq!(changes.notes, [""; 0]);
        }
    }

    #[test]
    fn an_unchanged_set_has_no_changes() {
        let dir = TempDir::new().expect("a temporary directory");
        let plan = plan(entries(9), &at_most(2));
        write(&plan, dir.path());
        assert_eq!(
            SitemapChanges::between(&SitemapDir::named_by_user(dir.path()), &plan),
            SitemapChanges {
                had_sitemap: true,
                is_by_waypost: true,
                dated: 9,
                ..SitemapChanges::default()
            }
        );
    }
}

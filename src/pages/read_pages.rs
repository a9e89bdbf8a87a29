//! Reads and judges every page on all cores, with several threads per core if pages come from disk.

use std::fs;
use std::mem;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::page::{Page, Pages};
use crate::decide::{LanguageVersion, PageCase, SiteView, Verdict, judge, versions};
use crate::files::tree::Tree;
use crate::findings::{Finding, code};
use crate::pages::feeds::NamedFeeds;
use crate::progress;
use page_signals::{PageFacts, PageReader, ReadOptions};
use sitemaps::LinkNames;
use sitemaps::site_paths::SitePath;

/// Threads per core while pages come from disk. Measured on two cores: eight threads take 0.7 times
/// as long as two, and sixteen are no faster than eight. With pages in memory, eight threads use a
/// sixth more processor time than two.
const READERS_PER_CORE: usize = 4;

/// Sample size for deciding whether pages come from disk or the page cache.
const SAMPLE_PAGES: usize = 512;

/// Pages count as coming from disk from this many bytes per page.
const BYTES_FROM_DISK: u64 = 1024;

/// Minimum number of consecutive pages that a thread reads with one reader.
const MIN_PAGES_PER_THREAD: usize = 16;

/// Reads and judges the pages of a site. `feeds` collects the feeds that pages link to.
pub(crate) fn read_all(
    pages: &mut Pages,
    site: &SiteView<'_>,
    output: &Tree,
    options: &ReadOptions,
    feeds: Option<&NamedFeeds>,
) {
    let link_names = Mutex::new(mem::take(&mut pages.link_names));
    let read_one = |reader: &mut PageReader, page: &mut Page| {
        // Excluded pages need not be read.
        let facts = if page.file.is_html() && page.excluded_by().is_none() {
            read_page(reader, output, &page.file)
        } else {
            PageFacts::default()
        };
        fill_in(page, site, &facts, feeds, &link_names);
        progress::advance();
    };
    progress::begin("reading pages", pages.len());
    read_with_enough_threads(pages.len(), |some| {
        pages[some]
            .par_iter_mut()
            .with_min_len(MIN_PAGES_PER_THREAD)
            .for_each_init(|| PageReader::new(options.clone()), read_one);
    });
    pages.link_names = mem::take(&mut locked(&link_names));
}

/// What threads share. One that panics ends the run.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Judges a page by the facts that it states, and keeps those that later steps need.
pub(super) fn fill_in(
    page: &mut Page,
    site: &SiteView<'_>,
    facts: &PageFacts,
    feeds: Option<&NamedFeeds>,
    link_names: &Mutex<LinkNames>,
) {
    let case = PageCase::new(site, &page.file, facts, page.excluded_by());
    let verdict = judge(&case);
    let is_listed = verdict == Verdict::Listed;
    let alternates = if is_listed {
        versions(&case)
    } else {
        Vec::new()
    };
    if let Some(why) = &facts.cut_short {
        let message = format!("`{}` was read only in part: {why}", page.file);
        let finding = Finding::new(code::PAGE_DOUBTFUL, &page.file, message);
        site.findings.add(finding);
    }
    if let Some(feeds) = feeds {
        feeds.record(&case);
    }
    let two_slashes = case.doubled_link().filter(|_| is_listed);
    page.url = case.url;
    page.verdict = verdict;
    if !alternates.is_empty() {
        let mut names = locked(link_names);
        let numbered = alternates
            .into_iter()
            .map(|(code, url, place)| LanguageVersion {
                link: names.link(&code, url),
                place: Some(place),
            });
        page.alternates = numbered.collect();
    }
    page.note_facts(facts, two_slashes, site.now);
}

/// Reads a page. After a failure of the machine, the result of the run is unknown, so no page is read.
fn read_page(reader: &mut PageReader, output: &Tree, page: &SitePath) -> PageFacts {
    if output.has_failure() {
        return PageFacts::default();
    }
    output
        .open_page(page)
        .and_then(|file| reader.read(&file))
        .unwrap_or_else(|error| {
            output.note_error(&page.below_dir(output.path()), &error);
            PageFacts::unreadable(&error)
        })
}

/// Reads all pages: first a sample on the current threads, which decides whether the rest gets more
/// threads.
fn read_with_enough_threads(pages: usize, mut read: impl FnMut(Range<usize>) + Send) {
    let tried = pages.min(SAMPLE_PAGES);
    let before = bytes_from_disk();
    read(0..tried);
    let from_disk = bytes_from_disk().saturating_sub(before) >= tried as u64 * BYTES_FROM_DISK;
    let cores = rayon::current_num_threads();
    let readers = cores * READERS_PER_CORE;
    // Stay single-threaded if the pool has one thread: the user may have requested that.
    let wants_more = from_disk && cores > 1 && tried < pages;
    let pool = wants_more.then(|| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(readers)
            .build()
            .ok()
    });
    match pool.flatten() {
        Some(pool) => pool.install(|| read(tried..pages)),
        // If no more threads can be created, the current ones do the work.
        None => read(tried..pages),
    }
}

/// Returns how many bytes this process has read from disk so far; 0 if the system does not report
/// it (proc(5), `/proc/pid/io`).
fn bytes_from_disk() -> u64 {
    let reported = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let bytes = reported
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok());
    bytes.unwrap_or(0)
}

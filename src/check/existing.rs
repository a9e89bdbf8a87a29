//! Finds the sitemaps in the output directory: those that robots.txt names, those with well-known
//! names, and the children of indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use rayon::prelude::*;

use super::CheckContext;
use super::tally::FindingTally;
use crate::pipeline::{RobotsFile, Survey};
use site_paths::containment::SitemapDir;
use site_paths::finding::{Place, Subject, code, quoted};
use site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::feed_form::{FeedError, detect_format};
use sitemaps::{
    ListedEntry, SitemapListing, contents_equal, file_of_sitemap, read_entries, read_sitemap_file,
};

/// Names that readers try by default (sitemaps.org, the defaults of generators and plugins, and
/// `UNPUBLISHED_SITEMAP_PATHS` in ultimate-sitemap-parser).
const WELL_KNOWN: [&str; 16] = [
    "sitemap.xml",
    "sitemap.xml.gz",
    "sitemap_index.xml",
    "sitemap_index.xml.gz",
    "sitemap-index.xml",
    "sitemap-index.xml.gz",
    "sitemapindex.xml",
    "sitemaps.xml",
    "sitemap/sitemap.xml",
    "sitemap/sitemap-index.xml",
    "sitemap/index.xml",
    "wp-sitemap.xml",
    "sitemap-news.xml",
    "sitemap_news.xml",
    "sitemap.txt",
    "sitemap.txt.gz",
];

/// A sitemap or sitemap index in the output directory.
#[derive(Debug)]
pub struct ExistingSitemap {
    /// Its path below the output directory.
    pub file: SitePath,
    /// Whether it lists pages or sitemaps.
    pub listing: SitemapListing,
    /// The number of entries.
    pub entries: usize,
    /// The index that names it; `None` for a root sitemap.
    pub parent: Option<SitePath>,
    /// A summary of its dates.
    pub(super) dates: DateSummary,
    /// Whether an entry names language versions.
    pub(super) has_alternates: bool,
    /// Whether an entry has a `changefreq` or a `priority`.
    pub(super) has_rule_values: bool,
    /// The error that ended reading early.
    pub(super) read_error: Option<String>,
    children: Vec<IndexedUrl>,
}

/// A summary of all dates of a sitemap.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct DateSummary {
    /// The first date.
    pub(super) first: String,
    /// The number of entries with a date.
    pub(super) count: usize,
    /// Whether any other date differs from the first.
    pub(super) differ: bool,
}

/// A URL in an index.
#[derive(Debug)]
struct IndexedUrl {
    loc: String,
    place: Place,
}

/// All sitemaps of an output directory.
#[derive(Debug, Default)]
pub(super) struct ExistingSitemaps {
    /// Roots before children.
    pub(super) files: Vec<ExistingSitemap>,
    /// Sitemaps that robots.txt names but that do not exist.
    pub(super) missing_in_robots: Vec<PageUrl>,
    /// Sitemaps of this site that robots.txt names.
    pub(super) named_in_robots: BTreeSet<SitePath>,
    /// The feeds that robots.txt names, each with its error if it is broken.
    pub(super) feeds: BTreeMap<SitePath, Option<FeedError>>,
}

impl ExistingSitemaps {
    /// Finds and reads all sitemaps. Files of one level are read in parallel.
    pub(super) fn find(
        survey: &Survey<'_>,
        dir: &SitemapDir,
        robots: &RobotsFile,
        base: &BaseUrl,
    ) -> Self {
        let mut set = Self::default();
        let is_there = |file: &SitePath| file.below_dir(dir.path()).is_file();
        for url in robots.sitemaps() {
            let Some(file) = base
                .path_below(&url)
                .and_then(|_| file_of_sitemap(url.as_str(), base))
            else {
                continue;
            };
            if is_there(&file) {
                set.named_in_robots.insert(file);
            } else {
                set.missing_in_robots.push(url);
            }
        }
        let own = survey.settings().sitemap.file.as_str();
        let mut known: BTreeSet<SitePath> = [own]
            .into_iter()
            .chain(WELL_KNOWN)
            .map(SitePath::from)
            .filter(is_there)
            .collect();
        remove_compressed_twins(&mut known);
        set.feeds = set
            .named_in_robots
            .iter()
            .filter_map(|file| parse_feed(dir, file))
            .collect();
        known.extend(
            set.named_in_robots
                .iter()
                .filter(|file| !set.feeds.contains_key(file))
                .cloned(),
        );
        let mut level: Vec<(SitePath, Option<SitePath>)> =
            known.iter().map(|file| (file.clone(), None)).collect();
        // Children of children are reported but not read, because readers do not follow them.
        for _ in 0..2 {
            let read: Vec<_> = level
                .par_iter()
                .map(|(file, parent)| read(dir, file, parent.as_ref()))
                .collect();
            level.clear();
            for sitemap in read {
                for child in sitemap
                    .children
                    .iter()
                    .filter_map(|child| file_of_sitemap(&child.loc, base))
                {
                    if is_there(&child) && known.insert(child.clone()) {
                        level.push((child, Some(sitemap.file.clone())));
                    }
                }
                set.files.push(sitemap);
            }
        }
        set
    }

    /// The files that list pages.
    pub(super) fn page_files(&self) -> impl Iterator<Item = &SitePath> {
        self.pages().map(|sitemap| &sitemap.file)
    }

    /// The sitemaps that list pages.
    pub(super) fn pages(&self) -> impl Iterator<Item = &ExistingSitemap> {
        self.files
            .iter()
            .filter(|sitemap| sitemap.listing == SitemapListing::Pages)
    }
}

impl ExistingSitemap {
    /// The subject of a finding at a place in this sitemap.
    pub(super) fn subject_at(&self, place: Place) -> Subject {
        Subject::Page(self.file.clone(), Some(place))
    }

    /// The subject of a finding about the whole sitemap.
    pub(super) fn subject(&self) -> Subject {
        Subject::Page(self.file.clone(), None)
    }

    /// Passes every listed page to `visit`, up to the first error, which was already recorded
    /// when the file was first read.
    pub(super) fn read_again(&self, dir: &SitemapDir, visit: &mut dyn FnMut(&ListedEntry)) {
        let read = read_sitemap_file(dir, &self.file, &mut |listing, listed| {
            if listing == SitemapListing::Pages {
                visit(listed);
            }
        });
        debug_assert_eq!(
            read.is_err(),
            self.read_error.is_some(),
            "{} changed during the check",
            self.file
        );
    }

    /// Like [`read_again`](Self::read_again), with all details of each entry.
    pub(super) fn read_again_with_details(
        &self,
        dir: &SitemapDir,
        visit: &mut dyn FnMut(&ListedEntry),
    ) {
        let read = dir
            .open(&self.file)
            .map_err(Into::into)
            .and_then(|input| read_entries(input, &mut |_, listed| visit(listed)));
        debug_assert_eq!(
            read.is_err(),
            self.read_error.is_some(),
            "{} changed during the check",
            self.file
        );
    }
}

/// Removes `sitemap.xml.gz` if `sitemap.xml` is present: both are the same sitemap.
fn remove_compressed_twins(files: &mut BTreeSet<SitePath>) {
    let twins: Vec<SitePath> = files
        .iter()
        .filter(|file| {
            let plain = file.as_bytes().strip_suffix(b".gz");
            plain.is_some_and(|plain| files.contains(&SitePath::new(plain)))
        })
        .cloned()
        .collect();
    for twin in twins {
        files.remove(&twin);
    }
}

/// The file, with its error if it is broken; `None` if it is not a feed.
fn parse_feed(dir: &SitemapDir, file: &SitePath) -> Option<(SitePath, Option<FeedError>)> {
    let opened = dir.open(file).ok()?;
    match detect_format(BufReader::new(opened)) {
        Ok(form) => form.map(|_| (file.clone(), None)),
        Err(error) => Some((file.clone(), Some(error))),
    }
}

fn read(dir: &SitemapDir, file: &SitePath, parent: Option<&SitePath>) -> ExistingSitemap {
    let mut sitemap = ExistingSitemap {
        file: file.clone(),
        listing: SitemapListing::Pages,
        entries: 0,
        parent: parent.cloned(),
        dates: DateSummary::default(),
        has_alternates: false,
        has_rule_values: false,
        read_error: None,
        children: Vec::new(),
    };
    let read = read_sitemap_file(dir, file, &mut |listing, listed: &ListedEntry| {
        sitemap.listing = listing;
        sitemap.entries += 1;
        sitemap.has_alternates |= listed.has_alternates;
        sitemap.has_rule_values |= listed.has_changefreq_or_priority;
        match listing {
            SitemapListing::Sitemaps => sitemap.children.push(IndexedUrl {
                loc: listed.loc.clone(),
                place: listed.place,
            }),
            SitemapListing::Pages => sitemap.dates.see(&listed.lastmod),
        }
    });
    sitemap.read_error = read.err().map(|error| error.to_string());
    sitemap
}

impl DateSummary {
    fn see(&mut self, date: &str) {
        if date.is_empty() {
            return;
        }
        if self.count == 0 {
            date.clone_into(&mut self.first);
        }
        self.count += 1;
        self.differ |= date != self.first;
    }
}

/// Reports missing sitemaps, and index entries that readers cannot follow.
pub(super) fn check(case: &CheckContext<'_>, tally: &mut FindingTally) {
    if case.existing.files.is_empty()
        && case.existing.feeds.is_empty()
        && !case.plan.files().is_empty()
    {
        let subject = Subject::File(case.survey.output_dir.clone(), None);
        let message = || "no sitemap found in the output directory".to_owned();
        tally.report(
            code::SITEMAP_MISSING,
            subject,
            message,
            "run `waypost` as the last step of the build",
        );
    }
    for sitemap in &case.existing.files {
        check_twin(case, sitemap, tally);
    }
    let files = case.existing.files.iter();
    let indexes: BTreeSet<&SitePath> = files
        .filter(|file| file.listing == SitemapListing::Sitemaps)
        .map(|index| &index.file)
        .collect();
    for sitemap in &case.existing.files {
        for child in &sitemap.children {
            check_child(case, sitemap, child, &indexes, tally);
        }
    }
}

/// Reports a compressed copy of a sitemap with different content. An identical copy is not checked
/// again.
fn check_twin(case: &CheckContext<'_>, sitemap: &ExistingSitemap, tally: &mut FindingTally) {
    let twin = SitePath::new([sitemap.file.as_bytes(), b".gz"].concat());
    if !twin.below_dir(&case.survey.output_dir).is_file() {
        return;
    }
    let is_same = case
        .output_dir
        .open(&sitemap.file)
        .and_then(|plain| contents_equal(plain, case.output_dir.open(&twin)?));
    let message = match is_same {
        Ok(true) => return,
        Ok(false) => format!("`{twin}` differs from `{}`", sitemap.file),
        Err(error) => format!(
            "`{twin}` cannot be compared with `{}`: {error}",
            sitemap.file
        ),
    };
    let hint = "write both in one run, or remove the compressed one";
    tally.report(
        code::SITEMAP_TWIN,
        Subject::Page(twin.clone(), None),
        || message,
        hint,
    );
}

fn check_child(
    case: &CheckContext<'_>,
    index: &ExistingSitemap,
    child: &IndexedUrl,
    indexes: &BTreeSet<&SitePath>,
    tally: &mut FindingTally,
) {
    let base = &case.inventory.base;
    let subject = || index.subject_at(child.place);
    let (named, name) = (quoted(&child.loc), &index.file);
    let file = file_of_sitemap(&child.loc, base);
    if !child.loc.starts_with(base.as_str()) {
        let message =
            || format!("`{name}` names the sitemap `{named}`, which is not below `{base}`");
        let hint = "use the same base URL for all sitemaps";
        tally.report(code::SITEMAP_ELSEWHERE, subject(), message, hint);
    } else if !file
        .as_ref()
        .is_some_and(|file| file.below_dir(&case.survey.output_dir).is_file())
    {
        let message =
            || format!("`{name}` names the sitemap `{named}`, which the build did not write");
        tally.report(
            code::SITEMAP_CHILD_MISSING,
            subject(),
            message,
            "create it, or remove it from the index",
        );
    }
    if file.is_some_and(|file| indexes.contains(&file)) {
        let message = || format!("the index `{name}` names `{named}`, which is an index itself");
        let hint = "name the sitemaps of that index instead";
        tally.report(code::SITEMAP_NESTED_INDEX, subject(), message, hint);
    }
}

//! The sitemaps in the output directory, as a crawler finds them: those that robots.txt names, those
//! with well-known names, and the children of indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};

use crate::site::RobotsFile;
use site_paths::containment::SitemapDir;
use site_paths::finding::{Place, Subject};
use site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::feed_form::{FeedError, FeedFormat, detect_format};
use sitemaps::gzip::decompressed;
use sitemaps::set::{
    FileRead, NamedChild, SetFile, SetPlace, SetProblem, SetWalk, SitemapFileKind, Tolerances,
    WalkedFile, roots_in,
};
use sitemaps::{
    EntryExtent, ListedDate, ListedEntry, Plan, SitemapListing, file_of_sitemap, read_entries,
    read_sitemap_file,
};

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
    /// The error that ended reading early.
    pub(super) read_error: Option<String>,
    /// The sitemaps that it names, if it is an index.
    pub(super) children: Vec<NamedChild>,
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

/// All sitemaps of an output directory.
#[derive(Debug, Default)]
pub(super) struct ExistingSitemaps {
    /// Roots before children.
    pub(super) files: Vec<ExistingSitemap>,
    /// Sitemaps that robots.txt names but that do not exist.
    pub(super) missing_in_robots: Vec<PageUrl>,
    /// Sitemaps of this site that robots.txt names.
    pub(super) named_in_robots: BTreeSet<SitePath>,
    /// The feeds that robots.txt or an index names, each with its format, or its error if it is broken.
    pub(super) feeds: BTreeMap<SitePath, Result<FeedFormat, FeedError>>,
}

impl ExistingSitemaps {
    /// Finds and reads all sitemaps. Files of one level are read in parallel.
    pub(super) fn find(dir: &SitemapDir, plan: &Plan, robots: &RobotsFile, base: &BaseUrl) -> Self {
        let mut set = Self::default();
        let is_there = |file: &SitePath| dir.has_file(file);
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
        set.feeds = set
            .named_in_robots
            .iter()
            .filter_map(|file| parse_feed(dir, file))
            .collect();
        let mut named = set.named_in_robots.clone();
        named.retain(|file| !set.feeds.contains_key(file));
        let planned = plan.roots();
        let planned = planned.filter_map(|url| file_of_sitemap(url.as_str(), base));
        let planned: Vec<_> = planned.filter(|file| is_there(file)).collect();
        // The robots.txt at the root of the host, which names the roots, is in another directory.
        // A set that no robots.txt names may have been registered with search engines.
        if !base.is_host_root() || planned.iter().all(|file| !named.contains(file)) {
            named.extend(planned.into_iter().filter(|file| !is_feed(dir, file)));
        }
        let tolerances = Tolerances::of_check(base, dir.path());
        let first_files = roots_in(dir, plan.root(), &named, &tolerances)
            .expect("roots with known names are found without listing the directory");
        let files = SetWalk::new(tolerances).in_parallel(
            first_files.into_iter().map(SetPlace::Below),
            |walk, file| read(walk, dir, file),
        );
        let files = files.expect("a check keeps errors, so none ends the walk");
        // The protocol accepts feeds as sitemaps, so an index may name them too.
        let (feeds, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|walked| {
            let is_child = walked.file.parent.is_some();
            is_child && matches!(walked.read.kind, SitemapFileKind::Feed(_))
        });
        let feeds = feeds.iter().map(|feed| path_of(&feed.file.place));
        set.feeds
            .extend(feeds.filter_map(|file| parse_feed(dir, file)));
        set.files = files.into_iter().map(ExistingSitemap::from).collect();
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

/// Whether a file is a feed, broken or not.
fn is_feed(dir: &SitemapDir, file: &SitePath) -> bool {
    parse_feed(dir, file).is_some()
}

/// The file, with its format, or its error if it is broken; `None` if it is not a feed.
fn parse_feed(
    dir: &SitemapDir,
    file: &SitePath,
) -> Option<(SitePath, Result<FeedFormat, FeedError>)> {
    let opened = dir.open(file).ok()?;
    let form = text_of_feed(file, opened).and_then(detect_format);
    Some((file.clone(), form.transpose()?))
}

/// The text of a feed, decompressed if it is named like a compressed feed: other compressed files are
/// sitemaps, which may expand to any size.
pub(super) fn text_of_feed<'a>(
    file: &SitePath,
    opened: impl Read + 'a,
) -> Result<Box<dyn BufRead + 'a>, FeedError> {
    let is_packed = [&b".rss.gz"[..], b".atom.gz"]
        .iter()
        .any(|ending| file.as_bytes().ends_with(ending));
    Ok(if is_packed {
        decompressed(opened)?
    } else {
        Box::new(BufReader::new(opened))
    })
}

/// Facts about the entries of a file, collected while it is read.
struct EntrySummary {
    listing: SitemapListing,
    dates: DateSummary,
    has_alternates: bool,
}

fn read(
    walk: &SetWalk<'_>,
    dir: &SitemapDir,
    file: &SetFile,
) -> Result<(EntrySummary, FileRead), SetProblem> {
    let mut summary = EntrySummary {
        listing: SitemapListing::Pages,
        dates: DateSummary::default(),
        has_alternates: false,
    };
    let opened = dir.open(path_of(&file.place));
    let read = walk.read(file, opened, EntryExtent::Urls, &mut |listing, listed| {
        summary.listing = listing;
        summary.has_alternates |= listed.has_alternates;
        if listing == SitemapListing::Pages {
            summary.dates.see(&listed.lastmod);
        }
    })?;
    Ok((summary, read))
}

/// The path of a sitemap that the check found.
pub(super) fn path_of(place: &SetPlace) -> &SitePath {
    place
        .below()
        .expect("roots and children of a check are in its directory")
}

impl From<WalkedFile<EntrySummary>> for ExistingSitemap {
    fn from(walked: WalkedFile<EntrySummary>) -> Self {
        let WalkedFile { file, read, value } = walked;
        Self {
            file: path_of(&file.place).clone(),
            listing: value.listing,
            entries: read.entries,
            parent: file.parent.as_ref().map(path_of).cloned(),
            dates: value.dates,
            has_alternates: value.has_alternates,
            read_error: read.error.map(|error| error.to_string()),
            children: read.children,
        }
    }
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
        self.differ = self.differ || !is_same_date(date, &self.first);
    }
}

/// Whether two texts are the same date, in any spelling.
pub(super) fn is_same_date(left: &str, right: &str) -> bool {
    let same = |(left, right): (ListedDate, ListedDate)| left.is_same_as(right);
    left == right
        || ListedDate::parse(left)
            .zip(ListedDate::parse(right))
            .is_some_and(same)
}

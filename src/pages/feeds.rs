//! Finds the feeds of a site: those that pages link to, collected while the pages are read, and those that
//! robots.txt names as sitemaps (`sitemap.feeds`).
//!
//! Feeds are named in robots.txt, not in a sitemap index: of five readers of indexes that we
//! tested, four ignore a feed in an index.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, PoisonError};

use super::inventory::Inventory;
use crate::decide::{PageCase, place_of};
use crate::files::io_failure::MachineFailure;
use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, code};
use crate::hosts::candidate_files;
use crate::site::LoadedSite;
use crate::survey::{DiscoveredPages, discover};
use sitemaps::feed_form::detect_format;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, extension_of};
use sitemaps::{FeedFormat, Place, Plan, SitemapReadError};

/// Extensions of files that may be feeds; their root elements decide.
const EXTENSIONS: [&str; 3] = ["xml", "rss", "atom"];

/// Maximum number of files to open: a site may have a feed for each of ten thousand tags.
const MOST_FILES: usize = 1_000;

/// Names of feeds, without their extensions.
const USUAL_NAMES: [&str; 4] = ["index", "feed", "rss", "atom"];

/// Maximum number of feeds named in robots.txt. A site may have a feed for each of ten thousand
/// tags, whose pages also appear in the main feeds, and crawlers may ignore everything after the
/// first 500 KiB (RFC 9309 section 2.5).
const MOST_NAMED: usize = 100;

/// Feeds to add to robots.txt and feeds to remove from it.
#[derive(Debug, Default)]
pub(crate) struct SiteFeeds {
    /// Existing feeds, those nearest to the top level first.
    pub(crate) named: Vec<PageUrl>,
    /// Feeds that robots.txt names but that no longer exist.
    pub(crate) gone: Vec<PageUrl>,
}

/// Finds the feeds of the site: those that pages link to, and those among its XML files. Reports those that
/// are not named, or not supported.
pub(crate) fn find(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    named: &BTreeSet<PageUrl>,
) -> SiteFeeds {
    let (dir, base, findings) = (&loaded.output, inventory.base(), &loaded.findings);
    let mut files = found_files(dir, base, findings);
    for url in inventory.feeds.keys() {
        files.extend(
            candidate_files(base, url)
                .into_iter()
                .find(|file| dir.has_file(file) && !dir.is_escaped_by(&file.below_dir(dir.path()))),
        );
    }
    files.retain(|file| !plan.has_name_of_set(&file.to_text()) && !loaded.survey.is_sitemap(file));
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|file| {
        (
            memchr::memchr_iter(b'/', file.as_bytes()).count(),
            file.clone(),
        )
    });
    files.truncate(MOST_FILES);
    let mut feeds = SiteFeeds::default();
    for file in files {
        match form_of_file(dir, &file) {
            Ok(None) => {}
            Ok(Some(form)) => {
                feeds.named.push(base.file_url(&file));
                findings.extend((form == FeedFormat::Atom03).then(|| outdated(&file)));
            }
            Err(error) => findings.add(broken(&file, &error)),
        }
    }
    feeds.named.truncate(MOST_NAMED);
    feeds.gone = named
        .iter()
        .filter(|url| is_gone(dir, base, url))
        .cloned()
        .collect();
    feeds
}

/// Returns the files with the extension of a feed, and reports links.
fn found_files(dir: &Tree, base: &BaseUrl, findings: &Findings) -> BTreeSet<SitePath> {
    let skipped = Findings::default();
    let found = discover(dir, base, &EXTENSIONS.map(str::to_owned), &skipped);
    // The walk over the pages has reported directories.
    findings.extend(skipped.take_sorted().into_iter().filter(|finding| {
        let file = finding.subject.page().map(SitePath::as_bytes);
        let extension = file.and_then(extension_of).unwrap_or_default();
        finding.code == code::FILE_SKIPPED
            && EXTENSIONS
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    }));
    let found = found.unwrap_or_else(|error| {
        // The pages of this directory have been found before.
        let error = io::Error::other(error.to_string());
        dir.note_failure(MachineFailure::new(dir.path(), &error));
        DiscoveredPages::default()
    });
    found.pages.into_iter().collect()
}

fn form_of_file(dir: &Tree, file: &SitePath) -> Result<Option<FeedFormat>, SitemapReadError> {
    detect_format(dir.open(file)?)
}

/// Whether a URL has the name of a feed of this site but no file.
fn is_gone(dir: &Tree, base: &BaseUrl, url: &PageUrl) -> bool {
    let Some(path) = base.path_below(url) else {
        return false;
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_feeds_name =
        matches!(ending, "rss" | "atom") || (ending == "xml" && USUAL_NAMES.contains(&stem));
    is_feeds_name
        && !candidate_files(base, url)
            .iter()
            .any(|file| dir.exists(&file.below_dir(dir.path())))
}

fn outdated(file: &SitePath) -> Finding {
    let message = format!("`{file}` is Atom 0.3, which Google does not support");
    Finding::new(code::FEED_BROKEN, file, message)
        .with_hint("configure the generator to write Atom 1.0 or RSS 2.0")
}

fn broken(file: &SitePath, error: &SitemapReadError) -> Finding {
    let message = format!("the feed `{file}` is not added to robots.txt: {error}");
    Finding::new(code::FEED_BROKEN, file, message)
}

/// Feeds, each with the first page that links to it and the place of the tag. Nearly all pages of a
/// site link to the same few.
#[derive(Default)]
pub(crate) struct NamedFeeds(Mutex<BTreeMap<PageUrl, (SitePath, Place)>>);

impl NamedFeeds {
    /// Records the feeds of one page; pages arrive in any order.
    pub(crate) fn record(&self, case: &PageCase<'_>) {
        for feed in &case.facts.feeds {
            let Some(url) = case.resolve(&feed.value) else {
                continue;
            };
            let mut feeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let first = feeds
                .entry(url)
                .or_insert_with(|| (case.file.clone(), place_of(feed.place)));
            if *case.file < first.0 {
                *first = (case.file.clone(), place_of(feed.place));
            }
        }
    }

    /// Returns all recorded feeds.
    pub(crate) fn into_map(self) -> BTreeMap<PageUrl, (SitePath, Place)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

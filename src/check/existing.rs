//! The sitemaps in the output directory, as a crawler finds them: those that robots.txt names, those
//! with well-known names, and the children of indexes.

use std::collections::BTreeSet;

use super::entry_facts::{EntryRules, KeptPages, SetHome};
use super::file_form::{CheckedFile, check_files};
use super::file_source::FileSource;
use super::listed_pages::{KnownPages, check_page};
use super::set_facts::check_set;
use crate::findings::{Findings, Subject};
use crate::site::RobotsFile;
use crate::survey::{ChildRule, SetFile, SetPlace, file_below_base, roots_for_crawlers};
use sitemaps::SitemapFileKind;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// All sitemaps of an output directory.
#[derive(Debug, Default)]
pub(super) struct ExistingSitemaps {
    /// Roots before children.
    pub(super) files: Vec<CheckedFile>,
    /// Sitemaps that robots.txt names but that do not exist.
    pub(super) missing_in_robots: Vec<PageUrl>,
    /// Sitemaps of this site that robots.txt names.
    pub(super) named_in_robots: BTreeSet<SitePath>,
    /// Whether there is a feed that robots.txt or an index names.
    pub(super) has_feed: bool,
}

/// The input of the checks of a whole set.
pub(super) struct CheckContext<'a> {
    pub(super) pages: KnownPages<'a>,
    pub(super) robots: &'a RobotsFile,
    pub(super) built: BuiltFiles,
}

impl CheckContext<'_> {
    /// Whether a file exists, after the build if there is one.
    pub(super) fn has(&self, file: &SitePath) -> bool {
        self.built.written.contains(file)
            || self.built.leave(file) && self.pages.loaded.output.has_file(file)
    }
}

/// The files that a build writes and removes, whether or not it has done so yet. Empty for a check.
#[derive(Debug, Default)]
pub(super) struct BuiltFiles {
    pub(super) written: BTreeSet<SitePath>,
    pub(super) removed: BTreeSet<SitePath>,
}

impl BuiltFiles {
    /// Whether the build neither writes nor removes a file.
    pub(super) fn leave(&self, file: &SitePath) -> bool {
        !self.written.contains(file) && !self.removed.contains(file)
    }
}

impl ExistingSitemaps {
    /// Finds, reads and checks all sitemaps but those that a build writes or removes. Files of one
    /// level are read in parallel.
    pub(super) fn find(case: &CheckContext<'_>, findings: &Findings) -> Self {
        let mut set = Self::default();
        let known = &case.pages;
        let (dir, plan, base) = (&known.loaded.output, known.plan, known.inventory.base());
        for url in case.robots.sitemaps() {
            match file_below_base(&url, base) {
                Some(file) if case.has(&file) => drop(set.named_in_robots.insert(file)),
                Some(_) => set.missing_in_robots.push(url),
                None => {}
            }
        }
        let mut named = set.named_in_robots.clone();
        let planned: Vec<_> = plan
            .roots()
            .filter_map(|url| file_below_base(&url, base))
            .filter(|file| case.has(file))
            .collect();
        // The robots.txt at the root of the host, which names the roots, is in another directory.
        // A set that no robots.txt names may have been registered with search engines.
        if !base.is_host_root() || planned.iter().all(|file| !named.contains(file)) {
            named.extend(planned);
        }
        let mut first_files = roots_for_crawlers(dir, plan.root(), &named);
        first_files.retain(|file| case.built.leave(file));
        let source = |file: &SetFile| {
            let path = path_of(&file.place);
            FileSource::in_dir(dir, path, Subject::for_page(path), findings)
        };
        let mut files = check_files(
            ChildRule::Existing(base, dir.path()),
            first_files,
            source,
            |file| EntryRules {
                home: SetHome::Site(base),
                dir: dir_of(file, base, &set.named_in_robots),
                now: known.loaded.now,
                pages: KeptPages::None,
            },
            |source, listed, url| {
                if let Some(url) = url {
                    check_page(known, source, listed, url);
                }
            },
        );
        check_set(&mut files, &source, Some(base));
        // The protocol accepts feeds as sitemaps.
        let all = files.len();
        files.retain(|file| !matches!(file.read.head.kind, SitemapFileKind::Feed(_)));
        set.has_feed = files.len() < all;
        set.files = files;
        set
    }

    /// The sitemaps that list pages.
    pub(super) fn pages(&self) -> impl Iterator<Item = &CheckedFile> {
        self.files
            .iter()
            .filter(|file| file.read.head.kind != SitemapFileKind::Index)
    }
}

/// The URL of the directory of a sitemap in which all its URLs must be. robots.txt may name
/// sitemaps anywhere (sitemaps.org protocol, "Sitemap file location" and "Cross Submits").
fn dir_of(file: &SetFile, base: &BaseUrl, in_robots: &BTreeSet<SitePath>) -> Option<String> {
    let mut ways = std::iter::once(&file.place).chain(&file.parent);
    if ways.any(|place| in_robots.contains(path_of(place))) {
        return None;
    }
    let url = base.file_url(path_of(&file.place));
    let (dir, _) = url.as_str().rsplit_once('/')?;
    (dir.len() + 1 > base.as_str().len()).then(|| format!("{dir}/"))
}

/// The path of a sitemap that the check found.
pub(super) fn path_of(place: &SetPlace) -> &SitePath {
    place
        .below()
        .expect("roots and children of a check are in its directory")
}

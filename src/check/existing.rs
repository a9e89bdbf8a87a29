//! The sitemaps in the output directory, as a crawler finds them: those that robots.txt names, those
//! with well-known names, and the children of indexes.

use std::collections::BTreeSet;

use super::entry_facts::{EntryRules, KeptPages, SetHome};
use super::file_form::{CheckedFile, check_files};
use super::file_source::FileSource;
use super::listed_pages::{KnownPages, check_page};
use super::set_facts::check_set;
use crate::findings::{Findings, Subject};
use crate::settings::Settings;
use crate::site::RobotsFile;
use crate::survey::{
    ChildRule, SetFile, SetPlace, SitemapChanges, file_below_base, roots_for_crawlers,
};
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
    pub(super) settings: &'a Settings,
    pub(super) robots: &'a RobotsFile,
    pub(super) pages: &'a KnownPages<'a>,
    pub(super) existing: &'a ExistingSitemaps,
    pub(super) changes: &'a SitemapChanges,
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
    pub(super) fn find(
        known: &KnownPages<'_>,
        robots: &RobotsFile,
        built: &BuiltFiles,
        findings: &Findings,
    ) -> Self {
        let mut set = Self::default();
        let (dir, plan, base) = (known.output_dir, known.plan, &known.inventory.base);
        let is_there = |file: &SitePath| {
            built.written.contains(file) || built.leave(file) && dir.has_file(file)
        };
        for url in robots.sitemaps() {
            let Some(file) = file_below_base(&url, base) else {
                continue;
            };
            if is_there(&file) {
                set.named_in_robots.insert(file);
            } else {
                set.missing_in_robots.push(url);
            }
        }
        let mut named = set.named_in_robots.clone();
        let planned: Vec<_> = plan
            .roots()
            .filter_map(|url| file_below_base(&url, base))
            .filter(is_there)
            .collect();
        // The robots.txt at the root of the host, which names the roots, is in another directory.
        // A set that no robots.txt names may have been registered with search engines.
        if !base.is_host_root() || planned.iter().all(|file| !named.contains(file)) {
            named.extend(planned);
        }
        let mut first_files = roots_for_crawlers(dir, plan.root(), &named);
        first_files.retain(|file| built.leave(file));
        let source = |file: &SetFile| {
            let path = path_of(&file.place);
            FileSource::in_dir(dir, path, Subject::for_page(path), findings)
        };
        let rules = |file: &SetFile| EntryRules {
            home: SetHome::Site(base),
            dir: dir_of(file, base, &set.named_in_robots),
            now: known.now,
            pages: KeptPages::None,
        };
        let children = ChildRule::Existing(base, dir.path());
        let mut files = check_files(
            children,
            first_files,
            source,
            rules,
            |source, listed, url| {
                if let Some(url) = url {
                    check_page(known, source, listed, url);
                }
            },
        );
        check_set(&mut files, &source, Some(base));
        // The protocol accepts feeds as sitemaps.
        let is_feed = |file: &CheckedFile| matches!(file.read.head.kind, SitemapFileKind::Feed(_));
        set.has_feed = files.iter().any(is_feed);
        files.retain(|file| !is_feed(file));
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

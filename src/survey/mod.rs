//! The sitemaps that are in the output directory before a run, each read once: whose they are, and which
//! of them this run replaces.
//!
//! Takes the site and its output directory. Every question about existing sitemaps is for this value:
//! evidence for the base URL and the form of URLs, the name of the root, changes, losses, exclusions,
//! lines of robots.txt, feeds. Only a check reads the files again, to judge their form.

mod base_urls;
mod changes;
mod content_change;
mod discover;
mod replaced_set;
mod set;
mod surveyed;

pub use base_urls::placeholder_finding;
pub(crate) use base_urls::{
    base_of_file, file_at, is_placeholder, most_named, named_base, own_base,
};
pub use changes::SitemapChanges;
pub use content_change::ContentChange;
pub use discover::{DiscoverError, DiscoveredPages, discover};
pub use replaced_set::ReplacedSet;
pub use set::{
    ChildRule, FileRead, NamedChild, SetFile, SetPlace, SetWalk, WalkedFile, file_of_own_sitemap,
    file_of_sitemap, roots_for_crawlers,
};
pub use surveyed::{ReplacedEntry, Survey, SurveyedEntry, SurveyedFile};

use std::collections::{BTreeMap, BTreeSet};

use crate::files::tree::Tree;
use crate::generators::{OwnSitemaps, Site};
use set::{WELL_KNOWN, nearest_file};
use sitemaps::gzip::{ENDING, name_without_gz};
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{EntryExtent, SetFileNames, SitemapFileKind};

/// The sitemaps in an output directory, with their owners.
#[derive(Debug, Default)]
pub struct SiteSurvey {
    /// The files.
    pub sitemaps: Survey,
    owners: BTreeMap<SitePath, SitemapOwner>,
    /// The base URL of the sitemaps that this run replaces, if it is another one.
    pub(crate) other_base: Option<BaseUrl>,
}

/// Whose a sitemap is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapOwner {
    /// waypost wrote it: it has the mark.
    Waypost,
    /// The site's generator wrote it: it has its name, and is not copied from a source.
    Generator,
    /// robots.txt or `<link rel="sitemap">` of the home page names it.
    Named,
    /// Another program or a person wrote it.
    Other,
}

impl SiteSurvey {
    /// Reads the sitemaps with the names of the set with this root, of the generator and of those that
    /// readers try, and those at the URLs `named`, to this extent.
    pub fn read<'u>(
        site: &Site<'_>,
        output: &Tree,
        root: &str,
        named: impl Iterator<Item = &'u str>,
        extent: EntryExtent,
    ) -> Self {
        let own = OwnSitemaps::of(site);
        let named: BTreeSet<SitePath> = named
            .filter_map(|url| nearest_file(url, output.path()))
            .collect();
        let mut roots = named.clone();
        roots.extend(WELL_KNOWN.map(SitePath::from));
        roots.extend(
            [root.to_owned(), format!("{root}{ENDING}")].map(|name| SitePath::from(&*name)),
        );
        roots.extend(own.names().map(SitePath::from));
        let in_dirs: Vec<&str> = own.names_in_dirs().collect();
        for entry in output.entries(output.path()) {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if own.have_name(name) || (SetFileNames { root }).is_text(name) {
                roots.insert(SitePath::from(name));
            }
            if !in_dirs.is_empty() && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let below = in_dirs.iter().map(|file| format!("{name}/{file}"));
                roots.extend(below.map(|file| SitePath::from(&*file)));
            }
        }
        let sitemaps = Survey::read(output, roots, extent);
        let mut owners = BTreeMap::new();
        for (path, file) in sitemaps.files() {
            let name = path.to_text();
            let owner = if file.head.is_marked() {
                SitemapOwner::Waypost
            } else if own.have_name(&name) && !own.are_copied_to(&name) {
                SitemapOwner::Generator
            } else if named.contains(path) {
                SitemapOwner::Named
            } else {
                SitemapOwner::Other
            };
            owners.insert(path.clone(), owner);
        }
        Self {
            owners,
            sitemaps,
            other_base: None,
        }
    }

    /// Whose a file is, if it was read.
    pub fn owner(&self, path: &SitePath) -> Option<SitemapOwner> {
        self.owners.get(path).copied()
    }

    /// Whether a file is a sitemap or an index, and not a feed or another file.
    pub(crate) fn is_sitemap(&self, path: &SitePath) -> bool {
        let kind = self.sitemaps.file(path).map(|file| file.head.kind);
        matches!(kind, Some(SitemapFileKind::Pages | SitemapFileKind::Index))
    }

    /// The generator's sitemaps in directories: one for each language, for example.
    pub(crate) fn in_dirs(&self) -> impl Iterator<Item = &SitePath> {
        self.owners
            .iter()
            .filter(|(file, owner)| **owner == SitemapOwner::Generator && !file.dir().is_empty())
            .map(|(file, _)| file)
    }

    /// Whether waypost wrote the root with this name, or its compressed copy.
    pub(crate) fn is_own_root(&self, root: &str) -> bool {
        let names = [root.to_owned(), format!("{root}{ENDING}")];
        names
            .iter()
            .any(|name| self.sitemaps.has_mark(&SitePath::from(&**name), root))
    }

    /// Whether another run of waypost wrote a file: for a part of the site, for example.
    pub(crate) fn is_of_another_run(&self, path: &SitePath) -> bool {
        let name = String::from_utf8_lossy(path.file_name());
        self.sitemaps.has_mark(path, name_without_gz(&name))
    }
}

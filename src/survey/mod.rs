//! The sitemaps that are in the output directory before a run, each read once: whose they are, and which
//! of them this run replaces.
//!
//! Takes the site and its output directory. Every question about existing sitemaps is for this value:
//! evidence for the base URL and the form of URLs, the name of the root, changes, losses, exclusions,
//! lines of robots.txt, feeds. `publish/stale.rs` reads the marks and the text parts again while the
//! directory is locked, and a check the files whose form it judges.

mod base_urls;
mod changes;
mod discover;
mod set;
mod surveyed;

pub use base_urls::placeholder_finding;
pub(crate) use base_urls::{
    base_of_file, file_at, is_placeholder, most_named, named_base, own_base,
};
pub use changes::{ContentChange, SitemapChanges};
pub use discover::{DiscoverError, DiscoveredPages, discover};
pub use set::{
    ChildRule, FileRead, NamedChild, SetFile, SetPlace, SetWalk, WalkedFile, file_below_base,
    file_of_sitemap, roots_for_crawlers,
};
pub use surveyed::{ReplacedEntry, Survey, SurveyedEntry, SurveyedFile};

use std::collections::BTreeSet;

use set::nearest_file;

use crate::files::tree::Tree;
use crate::generators::{GeneratorSitemapNames, Manifest, Site};
use sitemaps::gzip::{ENDING, name_without_gz};
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{EntryExtent, SetFileNames, SitemapFileKind};

/// The sitemaps in an output directory, and which of them the site's generator wrote.
#[derive(Debug, Default)]
pub struct SiteSurvey {
    /// The files.
    pub sitemaps: Survey,
    /// Those with a name of the generator's sitemaps that are not copied from a source and have no mark of
    /// waypost.
    generated: BTreeSet<SitePath>,
    /// The base URL of the sitemaps that this run replaces, if it is another one.
    pub(crate) other_base: Option<BaseUrl>,
}

impl SiteSurvey {
    /// Reads the sitemaps with the names of the set with this root, of the generator and of those that
    /// readers try, and those at the URLs `named`, to this extent.
    pub fn read<'u>(
        site: &Site,
        output: &Tree,
        root: &str,
        named: impl Iterator<Item = &'u str>,
        extent: EntryExtent,
    ) -> Self {
        let own = GeneratorSitemapNames::of(site);
        let mut roots: BTreeSet<SitePath> = named
            .filter_map(|url| nearest_file(url, output.path()))
            .collect();
        let usual = &Manifest::embedded().generic.sitemaps;
        roots.extend(usual.iter().map(|name| SitePath::from(name.as_str())));
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
        let mut generated = BTreeSet::new();
        for (path, file) in sitemaps.files() {
            let name = path.to_text();
            if !file.head.is_marked() && own.have_name(&name) && !own.are_copied_to(&name) {
                generated.insert(path.clone());
            }
        }
        Self {
            generated,
            sitemaps,
            other_base: None,
        }
    }

    /// Whether the site's generator wrote a file.
    pub fn is_generated(&self, path: &SitePath) -> bool {
        self.generated.contains(path)
    }

    /// Whether a file is a sitemap or an index, and not a feed or another file.
    pub(crate) fn is_sitemap(&self, path: &SitePath) -> bool {
        let kind = self.sitemaps.file(path).map(|file| file.head.kind);
        matches!(kind, Some(SitemapFileKind::Pages | SitemapFileKind::Index))
    }

    /// The generator's sitemaps in directories: one for each language, for example.
    pub(crate) fn in_dirs(&self) -> impl Iterator<Item = &SitePath> {
        let generated = self.generated.iter();
        generated.filter(|file| !file.dir().is_empty())
    }

    /// Whether waypost wrote the root with this name, or its compressed copy.
    pub(crate) fn is_waypost_root(&self, root: &str) -> bool {
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

/// The sitemaps in an output directory that a run replaces.
#[derive(Debug, Default)]
pub struct ReplacedSet {
    /// The files with which the set begins that has the name of the new one, or else those of the
    /// generator.
    pub roots: Vec<SitePath>,
    /// The files of other programs among those that are replaced, sorted.
    pub foreign: BTreeSet<SitePath>,
    /// The pages that waypost's own earlier set omits because the sitemap that it replaced did, as
    /// hashes.
    pub omitted: BTreeSet<u64>,
    /// The files whose links count: those of other programs, or else, of waypost's own earlier set,
    /// those that it kept from such a file. So a second run writes the same files, and a link that a
    /// page no longer states does not stay.
    files_with_links: Vec<SitePath>,
}

impl SiteSurvey {
    /// Returns what a new set with this root replaces.
    pub(crate) fn replaced(&self, site: &Site, root: &str) -> ReplacedSet {
        let sitemaps = &self.sitemaps;
        let own_roots = sitemaps.roots_of(root);
        let own_files = sitemaps.files_of_sets(&own_roots);
        let is_own = own_roots
            .first()
            .is_some_and(|first| sitemaps.has_mark(first, root));
        let is_foreign = |file: &SitePath| {
            sitemaps.file(file).is_some()
                && !sitemaps.has_mark(file, root)
                && !own_files.contains(file)
        };
        let mut further: Vec<SitePath> = GeneratorSitemapNames::of(site)
            .names()
            .map(SitePath::from)
            .filter(is_foreign)
            .collect();
        let in_dirs: Vec<SitePath> = self
            .in_dirs()
            .filter(|file| is_foreign(file))
            .cloned()
            .collect();
        further.extend(in_dirs.iter().cloned());
        let mut foreign = sitemaps.files_of_sets(&further);
        let unmarked = own_files
            .iter()
            .filter(|file| !sitemaps.has_mark(file, root));
        foreign.extend(unmarked.cloned());
        foreign.retain(|file| sitemaps.file(file).is_some());
        let mut roots = own_roots;
        if roots.is_empty() {
            roots = further;
        } else if !is_own {
            roots.extend(in_dirs);
        }
        let own_root = roots.first().filter(|_| is_own);
        let head = own_root.and_then(|root| Some(&sitemaps.file(root)?.head));
        let has_kept = head.is_some_and(|head| head.has_kept);
        // The set with the name of the new one comes first: others may be of an earlier build.
        let first = own_files
            .iter()
            .filter(|file| has_kept && foreign.is_empty() || foreign.contains(*file));
        let rest = foreign.difference(&own_files);
        let files_with_links = first.chain(rest).cloned().collect();
        ReplacedSet {
            omitted: head.map(|head| head.omitted.clone()).unwrap_or_default(),
            files_with_links,
            roots,
            foreign,
        }
    }

    /// Takes the entries with links out that may be kept.
    pub(crate) fn take_links(&mut self, replaced: &ReplacedSet) -> Vec<ReplacedEntry> {
        let files = replaced.files_with_links.iter();
        files
            .flat_map(|file| self.sitemaps.take_links(file))
            .collect()
    }
}

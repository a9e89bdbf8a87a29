//! The sitemaps that a run replaces: the set with the name of the new one, and those of the generator.

use std::collections::BTreeSet;

use super::SiteSurvey;
use crate::generators::{GeneratorSitemapNames, Site};
use crate::survey::ReplacedEntry;
use sitemaps::site_paths::SitePath;

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
    pub(crate) fn replaced(&self, site: &Site<'_>, root: &str) -> ReplacedSet {
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
        self.sitemaps.take_links(&replaced.files_with_links)
    }
}

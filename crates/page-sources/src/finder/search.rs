//! Searches for sites up to two levels below a directory.

use std::path::{Path, PathBuf};

use sitemaps::site_paths::containment::absolute;
use sitemaps::site_paths::io_failure::FailureLog;

use super::known_outputs::{built_outputs, dirs_in};
use super::sources::site_of_pages;
use super::unclear_site::SiteCandidate;
use crate::PageSourcesError;
use crate::generator::{Site, SiteSearch, marked_by};

/// How many levels to search.
const LEVELS: usize = 2;

/// How many directories to look at. A larger tree is a disk rather than a project.
const MAX_DIRS: usize = 2_000;

impl SiteCandidate {
    fn of_site(site: &Site<'_>, failures: &FailureLog) -> Self {
        Self {
            root: site.root.clone(),
            output: site.output_dir.clone(),
            generator: site.generator.map(|generator| generator.title.clone()),
            is_built: failures.is_dir(&site.output_dir),
        }
    }

    /// The site at this directory.
    pub(super) fn site<'m>(&self, search: &SiteSearch<'m>) -> Result<Site<'m>, PageSourcesError> {
        match marked_by(&self.root, search)? {
            Some(generator) => Site::at_root(&self.root, generator, &search.failures),
            None => Ok(site_of_pages(&self.root, self.output.clone(), search)),
        }
    }
}

/// The only candidate, or the only one that is built: it was built a moment ago.
pub(super) fn only_of(candidates: &[SiteCandidate]) -> Option<&SiteCandidate> {
    let mut built = candidates.iter().filter(|known| known.is_built);
    match (candidates, built.next(), built.next()) {
        ([only], ..) | (_, Some(only), None) => Some(only),
        _ => None,
    }
}

/// Finds the sites of known generators and the known output directories below a directory, but not in `output`, whose many directories are pages. A site
/// within another site belongs to that one.
pub(super) fn candidates_below(
    given: &Path,
    output: Option<&Path>,
    search: &SiteSearch<'_>,
) -> Vec<SiteCandidate> {
    let output = output.map(absolute);
    let is_output = |dir: &PathBuf| {
        output
            .as_ref()
            .is_some_and(|output| absolute(dir) == *output)
    };
    let mut found = Vec::new();
    let mut level = vec![given.to_owned()];
    let mut left = MAX_DIRS;
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        let dirs = level.iter().flat_map(|dir| dirs_in(dir, &search.failures));
        for dir in dirs.filter(|dir| !is_output(dir)) {
            if left == 0 {
                return found;
            }
            left -= 1;
            let candidates = sites_at(&dir, search);
            if candidates.is_empty() {
                next.push(dir);
            }
            found.extend(candidates);
        }
        level = next;
    }
    found
}

/// The sites of one directory. If there is none, the search goes on below it.
fn sites_at(dir: &Path, search: &SiteSearch<'_>) -> Vec<SiteCandidate> {
    // Settings that cannot be read may belong to any program, so they do not count.
    if let Ok(Some(generator)) = marked_by(dir, search) {
        let site = Site::at_root(dir, generator, &search.failures);
        let sites = site.iter();
        return sites
            .map(|site| SiteCandidate::of_site(site, &search.failures))
            .collect();
    }
    let outputs = built_outputs(dir, search).into_iter();
    outputs
        .map(|output| SiteCandidate::of_pages(dir, output))
        .collect()
}

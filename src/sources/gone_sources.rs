//! Finds listed pages whose source was deleted while the output remains: some generators never remove
//! what they wrote.
//!
//! Such a page has no source, is not of a kind that generators make without one, and is not in the
//! generator's own sitemap; and by the generator's conventions, a file that Git knows but that no
//! longer exists was its source. Without a candidate, the history is not read.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::draft_pages::likewise;
use super::source_finder::SiteSources;
use crate::hosts::candidate_files;
use git_last_modified::former_files;
use page_sources::generator::{ContentIndex, FormerContent, Generator, Site, Taxonomies};
use sitemaps::previous::{PreviousSet, read_pages};
use sitemaps::site_paths::containment::{SitemapDir, absolute};
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{BaseUrl, SitePath};

/// What pages are searched in.
pub(crate) struct GoneSearch<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) sources: &'s SiteSources,
    pub(crate) output: &'s SitemapDir,
    pub(crate) base: &'s BaseUrl,
    /// The set that this run replaces.
    pub(crate) previous: &'s PreviousSet,
}

impl GoneSearch<'_> {
    /// Reports the pages whose source was deleted, all in one finding. `pages` are all pages, sorted;
    /// `without_source` are the listed ones without a source.
    pub(crate) fn finding<'p>(
        &self,
        pages: &[&SitePath],
        without_source: impl Iterator<Item = &'p SitePath>,
    ) -> Option<Finding> {
        let generator = self.site.generator?;
        let taxonomies = Taxonomies::new(generator, &self.site.config);
        let candidates = without_source.filter(|page| {
            page.is_html()
                && !self.sources.pagers.contain(page)
                && !taxonomies.contain(page)
                && !may_list(page, pages)
        });
        let candidates: Vec<&SitePath> = candidates.collect();
        if candidates.is_empty() {
            return None;
        }
        let sources = self.former_pages(generator);
        let gone = candidates.into_iter();
        let mut gone = gone
            .filter_map(|page| Some((page, sources.get(page)?)))
            .collect();
        self.remove_built(&mut gone);
        let (page, source) = gone.first_key_value()?;
        let others = likewise(gone.len() - 1);
        let message = format!("`{page}` is listed, but its source `{source}` was deleted{others}");
        let subject = Subject::Page((*page).clone(), None);
        let finding = Finding::new(code::SOURCE_GONE, subject, message);
        Some(finding.with_hint("empty the output directory before a production build"))
    }

    /// The pages that the files which Git knows, but which no longer exist, were the sources of. A
    /// repository that cannot be read is reported where files are dated.
    fn former_pages(&self, generator: &Generator) -> HashMap<SitePath, SitePath> {
        let failures = self.output.containment().failures();
        let real = |path: &Path| {
            let path = absolute(path);
            failures.resolved(&path).unwrap_or(path)
        };
        let (root, output) = (real(&self.site.root), real(self.output.path()));
        let dirs = ContentIndex::dirs(self.site);
        let dirs: Vec<_> = dirs.iter().map(|dir| real(dir)).collect();
        let files = former_files(&dirs, &|name| generator.is_content(name)).unwrap_or_default();
        let files = files
            .into_iter()
            .filter(|file| !file.path.starts_with(&output));
        let former = files.filter_map(|file| {
            Some(FormerContent {
                path: SitePath::below(&root, &file.path)?,
                text: String::from_utf8_lossy(&file.content).into_owned(),
            })
        });
        self.sources
            .content
            .former_pages(self.site, former.collect())
    }

    /// Removes the pages in a sitemap that the generator wrote: the last build made them.
    fn remove_built(&self, gone: &mut BTreeMap<&SitePath, &SitePath>) {
        if self.previous.has_mark || gone.is_empty() {
            return;
        }
        let home = self.base.of_path(b"");
        for file in self.previous.page_files() {
            // A sitemap that ends early has the pages before that.
            drop(read_pages(self.output, &file, &mut |listed| {
                if let Ok(url) = home.resolve(&listed.loc) {
                    for file in candidate_files(self.base, &url) {
                        gone.remove(&file);
                    }
                }
            }));
        }
    }
}

/// Whether a page is the home page, or has other pages in its directory, which it may list.
fn may_list(page: &SitePath, pages: &[&SitePath]) -> bool {
    let Some(dir) = page.as_bytes().strip_suffix(b"index.html") else {
        return false;
    };
    // Pages are sorted by the bytes of their paths.
    let first = pages.partition_point(|page| page.as_bytes() < dir);
    let below = pages[first..].iter();
    let below = below.take_while(|page| page.as_bytes().starts_with(dir));
    dir.is_empty() || below.take(2).count() > 1
}

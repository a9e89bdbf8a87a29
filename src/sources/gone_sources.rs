//! Finds pages whose source was deleted while the output remains: some generators never remove
//! what they wrote.
//!
//! A page counts only if all of this holds: no step finds a source for it; by the generator's
//! conventions, and with its last front matter, a file that Git knows but that no longer exists was
//! its source; it is not of a kind that generators make without a source; and neither another page
//! nor the generator's own sitemap leads to it, as they do to a page of the last build. Without a
//! candidate, the history is not read; without a deleted source, neither are the other pages.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::ruled_pages::RuledPage;
use super::source_finder::SiteSources;
use crate::decide::candidate_files;
use crate::discover::Page;
use crate::settings::DraftPages;
use git_last_modified::former_files;
use page_signals::links_of;
use page_sources::generator::{ContentIndex, FormerContent, Generator, Site, Taxonomies};
use site_paths::containment::{SitemapDir, absolute};
use site_paths::finding::{Finding, Subject, code};
use site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::SetFileNames;
use sitemaps::previous::{PreviousSet, read_pages};

/// What pages are searched in.
pub(crate) struct GoneSearch<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) sources: &'s SiteSources,
    pub(crate) output: &'s SitemapDir,
    pub(crate) base: &'s BaseUrl,
    /// The file name of the root of the set.
    pub(crate) root: &'s str,
    pub(crate) pages: &'s [Page],
    pub(crate) ruled: &'s [RuledPage],
}

impl GoneSearch<'_> {
    /// The deleted source of each page that has one, by the page's index; none if such pages are
    /// allowed.
    pub(crate) fn find(&self, mode: DraftPages) -> BTreeMap<usize, SitePath> {
        let generator = self.site.generator.filter(|_| mode != DraftPages::Allow);
        let Some(generator) = generator else {
            return BTreeMap::new();
        };
        let taxonomies = Taxonomies::new(generator, &self.site.config);
        let is_candidate = |&index: &usize| self.may_be_left(index, &taxonomies);
        let candidates: Vec<usize> = (0..self.pages.len()).filter(is_candidate).collect();
        if candidates.is_empty() {
            return BTreeMap::new();
        }
        let sources = self.former_pages(generator);
        let source = |index: usize| Some((index, sources.get(&self.pages[index].file)?.clone()));
        let mut gone: BTreeMap<usize, SitePath> =
            candidates.into_iter().filter_map(source).collect();
        gone.retain(|&index, _| !self.names_its_source(index));
        if gone.is_empty() {
            return gone;
        }
        let found = FoundPages::new(self.pages, gone.keys().copied());
        let built = self.follow_own_sitemap(&found);
        self.follow_links(&found, built.as_deref());
        gone.retain(|&index, _| !found.is_found(&self.pages[index].file));
        gone
    }

    /// Whether a page has no source, and is not of a kind that needs none: a home page, a page that
    /// may list pages below it, a pagination page, or a page of a taxonomy.
    fn may_be_left(&self, index: usize, taxonomies: &Taxonomies<'_>) -> bool {
        let (page, ruled) = (&self.pages[index], &self.ruled[index]);
        let outcome = &ruled.rule_outcome;
        let is_open = ruled.source.is_none()
            && outcome.excluded_by.is_none()
            && outcome.page.exclude != Some(false)
            && page.file.is_html();
        is_open
            && !self.sources.pagers.contain(&page.file)
            && !taxonomies.contain(&page.file)
            && !self.may_list(page)
    }

    fn may_list(&self, page: &Page) -> bool {
        let Some(dir) = page.file.as_bytes().strip_suffix(b"index.html") else {
            return false;
        };
        let below = |page: &Page| page.file.as_bytes().starts_with(dir);
        // Pages are sorted by the bytes of their paths.
        let first = self
            .pages
            .partition_point(|page| page.file.as_bytes() < dir);
        dir.is_empty()
            || self.pages[first..]
                .iter()
                .take(2)
                .filter(|page| below(page))
                .count()
                > 1
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

    /// Whether a page names its source, which is known only when the page is read.
    fn names_its_source(&self, index: usize) -> bool {
        let file = self.pages[index].file.below_dir(self.output.path());
        let text = self.output.containment().read(&file);
        text.is_ok_and(|text| memchr::memmem::find(&text, b"waypost:source").is_some())
    }

    /// Marks the pages in a sitemap that the generator wrote, and returns for each page of the site
    /// whether that lists it; `None` without such a sitemap.
    fn follow_own_sitemap(&self, found: &FoundPages<'_>) -> Option<Vec<bool>> {
        let names = SetFileNames { root: self.root };
        let previous = PreviousSet::find(self.output, self.base, names);
        if previous.has_mark || previous.roots.is_empty() {
            return None;
        }
        let (home, mut listed_pages) = (self.base.of_path(b""), vec![false; self.pages.len()]);
        let mut list = |file: &SitePath| {
            let index = self.pages.binary_search_by(|page| page.file.cmp(file));
            if let Ok(index) = index {
                listed_pages[index] = true;
            }
        };
        for file in previous.page_files() {
            // A sitemap that ends early leads to the pages before that.
            drop(read_pages(self.output, &file, &mut |listed| {
                if let Ok(url) = home.resolve(&listed.loc) {
                    found.mark(self.base, &url);
                    candidate_files(self.base, &url).iter().for_each(&mut list);
                }
            }));
        }
        Some(listed_pages)
    }

    /// Marks the pages that another page links to, until none is left. A page without a source that
    /// the generator's sitemap does not list may itself be left from an earlier build, such as the
    /// list of a tag that only a deleted page had.
    fn follow_links(&self, found: &FoundPages<'_>, built: Option<&[bool]>) {
        let pages = self.pages.par_iter().enumerate();
        pages.for_each(|(index, page)| {
            let may_be_left = built.is_some_and(|built| {
                !built[index] && self.ruled[index].source.is_none() && !page.file.dir().is_empty()
            });
            let is_read = page.file.is_html() && !found.is_wanted(&page.file);
            if found.is_done() || may_be_left || !is_read {
                return;
            }
            let opened = self.output.tree().regular_file(&page.file);
            let read = opened.map(|page| links_of(&page)).unwrap_or_default();
            let url = self.base.of_file(&page.file);
            let said_base = read.base.and_then(|base| url.resolve(&base).ok());
            let from = said_base.unwrap_or(url);
            for link in read.links.iter().chain(&read.redirects) {
                let link = link.split(['?', '#']).next().unwrap_or_default();
                if let Ok(target) = from.resolve(link) {
                    found.mark(self.base, &target);
                }
            }
        });
    }
}

/// The pages to look for, and which of them were found.
struct FoundPages<'p> {
    wanted: HashMap<&'p SitePath, AtomicBool>,
    missing: AtomicUsize,
}

impl<'p> FoundPages<'p> {
    fn new(pages: &'p [Page], wanted: impl Iterator<Item = usize>) -> Self {
        let wanted: HashMap<_, _> = wanted
            .map(|index| (&pages[index].file, AtomicBool::new(false)))
            .collect();
        Self {
            missing: AtomicUsize::new(wanted.len()),
            wanted,
        }
    }

    fn is_wanted(&self, file: &SitePath) -> bool {
        self.wanted.contains_key(file)
    }

    fn is_done(&self) -> bool {
        self.missing.load(Ordering::Relaxed) == 0
    }

    fn mark(&self, base: &BaseUrl, url: &PageUrl) {
        for file in candidate_files(base, url) {
            if let Some(is_found) = self.wanted.get(&file)
                && !is_found.swap(true, Ordering::Relaxed)
            {
                self.missing.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    fn is_found(&self, file: &SitePath) -> bool {
        let found = self.wanted.get(file);
        found.is_some_and(|is_found| is_found.load(Ordering::Relaxed))
    }
}

/// Reports the listed pages whose source was deleted, all in one finding.
pub(crate) fn gone_finding<'p>(
    mut listed: impl Iterator<Item = (&'p SitePath, &'p SitePath)>,
) -> Option<Finding> {
    let (page, source) = listed.next()?;
    let others = match listed.count() {
        0 => String::new(),
        1 => ", and another page is listed likewise".to_owned(),
        count => format!(", and {count} other pages are listed likewise"),
    };
    let message = format!("`{page}` is listed, but its source `{source}` was deleted{others}");
    let hint = "empty the output directory before a production build, or set `drafts = \"exclude\"` \
                or `\"allow\"`";
    let subject = Subject::Page(page.clone(), None);
    Some(Finding::new(code::SOURCE_GONE, subject, message).with_hint(hint))
}

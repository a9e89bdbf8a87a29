//! Finds pages that an earlier build left: those whose source is a draft, which generators do not
//! build by default, and those whose source was deleted, as some generators never remove what they
//! wrote.
//!
//! A page of a deleted source has no source, is not of a kind that generators make without one, and
//! is not in the generator's own sitemap; and by the generator's conventions, a file that Git knows
//! but that no longer exists was its source. Without a candidate, the history is not read.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::source_finder::{PageSource, SiteSources};
use crate::hosts::candidate_files;
use crate::settings::DraftPages;
use crate::survey::{ReplacedSet, SiteSurvey};
use git_last_modified::former_files;
use page_sources::generator::{ContentIndex, FormerContent, Generator, Site, Taxonomies};
use sitemaps::files::tree::{Tree, absolute};
use sitemaps::findings::{Finding, Subject, code};

use sitemaps::site_paths::{BaseUrl, SitePath};

/// What pages are searched in.
pub(crate) struct GoneSearch<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) sources: &'s SiteSources,
    pub(crate) output: &'s Tree,
    pub(crate) base: &'s BaseUrl,
    pub(crate) survey: &'s SiteSurvey,
    /// The set that this run replaces.
    pub(crate) replaced: &'s ReplacedSet,
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
        let subject = Subject::of_page(page);
        let finding = Finding::new(code::SOURCE_GONE, subject, message);
        Some(finding.with_hint("empty the output directory before a production build"))
    }

    /// The pages that the files which Git knows, but which no longer exist, were the sources of. A
    /// repository that cannot be read is reported where files are dated.
    fn former_pages(&self, generator: &Generator) -> HashMap<SitePath, SitePath> {
        let tree = self.output;
        let real = |path: &Path| {
            let path = absolute(path);
            tree.resolved(&path).unwrap_or(path)
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
        if self.replaced.is_own || gone.is_empty() {
            return;
        }
        let sitemaps = &self.survey.sitemaps;
        let files = sitemaps.files_of_sets(&self.replaced.roots);
        for file in files.iter().filter_map(|path| sitemaps.file(path)) {
            for entry in file.entries.iter() {
                if let Ok(url) = self.base.resolve(&entry.loc) {
                    for file in candidate_files(self.base, &url) {
                        gone.remove(&file);
                    }
                }
            }
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

/// The end of a finding about one page and this many others.
fn likewise(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => ", and another page is listed likewise".to_owned(),
        count => format!(", and {count} other pages are listed likewise"),
    }
}

/// Recognizes sources that are drafts.
pub(crate) struct DraftSources<'s> {
    generator: &'s Generator,
    content: &'s ContentIndex,
}

impl<'s> DraftSources<'s> {
    /// `None` if drafts are as good as any other source, or the site has no generator.
    pub(crate) fn new(
        mode: DraftPages,
        site: &'s Site<'_>,
        content: &'s ContentIndex,
    ) -> Option<Self> {
        let is_wanted = mode != DraftPages::Allow && !site.builds_drafts();
        let generator = site.generator.filter(|_| is_wanted)?;
        Some(Self { generator, content })
    }

    /// What makes the source of each page a draft, by the index of the page.
    pub(crate) fn marks<'p>(
        &self,
        sources: impl Iterator<Item = Option<&'p PageSource>>,
    ) -> BTreeMap<usize, String> {
        let sources = sources.enumerate();
        sources
            .filter_map(|(index, source)| Some((index, self.mark_of(source?.file()?)?)))
            .collect()
    }

    /// Reports the listed pages whose source is a draft, all in one finding.
    pub(crate) fn finding<'p>(
        &self,
        listed: impl Iterator<Item = (&'p SitePath, &'p SitePath)>,
    ) -> Option<Finding> {
        let mut drafts =
            listed.filter_map(|(page, source)| Some((page, source, self.mark_of(source)?)));
        let (page, source, mark) = drafts.next()?;
        let others = likewise(drafts.count());
        let message =
            format!("`{page}` is listed, but its source `{source}` is a draft: {mark}{others}");
        let hint = "empty the output directory before a production build, or set \
                    `drafts = \"exclude\"` or `\"allow\"`";
        let subject = Subject::of_page(page);
        Some(Finding::new(code::DRAFT_BUILT, subject, message).with_hint(hint))
    }

    /// What makes a source a draft: its front matter or its directory.
    fn mark_of(&self, source: &SitePath) -> Option<String> {
        let front_matter = &self.content.file(source)?.front_matter;
        let mark = self.generator.draft_mark(source, front_matter)?;
        Some(format!("`{mark}`"))
    }
}

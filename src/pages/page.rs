//! A page, filled in by stages, and all pages of a site.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::slice;
use std::sync::Arc;

use super::date_origin::DateOrigin;
use super::page_source::PageSource;
use crate::decide::rules::{ExcludedBy, RuleOutcome};
use crate::decide::{LanguageVersion, Verdict, place_of};
use crate::findings::Subject;
use crate::generators::Site;
use crate::hosts::candidate_files;
use page_signals::{PageFacts, Stated, TagPlace};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{EntryLinks, LastMod, LinkNames, Now, ParsedDate};

/// A page of a site. A million pages are a million of these, so it must stay small.
#[derive(Debug, Clone)]
pub struct Page {
    /// The file, relative to the output directory.
    pub file: SitePath,
    /// The URL under which it is or would be listed.
    pub url: PageUrl,
    /// The file that it is made from.
    pub source: Option<PageSource>,
    /// Values that rules set for it; shared by all pages that match the same rules.
    pub rule_outcome: Arc<RuleOutcome>,
    /// Whether it is listed.
    pub verdict: Verdict,
    /// The language versions that it states, in document order. Those to write are in `links` once
    /// all pages have been compared, and none is here.
    pub alternates: Box<[LanguageVersion]>,
    /// Its images, and its language versions to write, including itself.
    pub links: Option<Arc<EntryLinks>>,
    /// The modification date stated in a `<meta>`, if it is exact.
    pub exact_date: Option<LastMod>,
    /// The date of its last change.
    pub lastmod: Option<LastMod>,
    /// The origin of the date, or the reason for its absence. Until the page is dated: what the
    /// history says of its source.
    pub dated: DateOrigin,
    /// Whether the page may state its modification date in JSON-LD or microdata, and does not in a
    /// `<meta>`.
    pub may_state_modified: bool,
    /// Whether its commits are deploys of the whole output.
    pub is_deployed: bool,
    /// Facts that few pages have.
    pub rare: Option<Box<RareFacts>>,
}

/// Facts that few pages have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RareFacts {
    /// What excludes the page beside its rules: its source is a draft, or the owner of the site keeps it
    /// out of the generator's own sitemap.
    pub excluded_by: Option<ExcludedBy>,
    /// The modification date stated in a `<meta>` if it is invalid, unreadable or ambiguous.
    pub doubtful_date: Option<Stated<String>>,
    /// The source that the page names.
    pub source_hint: Option<String>,
    /// A hash of its bytes, if pages are compared by content.
    pub fingerprint: Option<u64>,
    /// A canonical or language link of a listed page with two slashes where one belongs.
    pub two_slashes: Option<Subject>,
    /// All files that its source includes, if the page itself names that source.
    pub included: Option<Vec<SitePath>>,
    /// Whether the checked-out commit has that source and what it includes.
    pub is_at_head: Option<bool>,
}

impl Page {
    /// A page of which only the file is known.
    fn new(file: SitePath, base: &BaseUrl, rule_outcome: Arc<RuleOutcome>) -> Self {
        Self {
            url: base.file_url(&file),
            file,
            source: None,
            rule_outcome,
            verdict: Verdict::Listed,
            alternates: Box::default(),
            links: None,
            exact_date: None,
            lastmod: None,
            dated: DateOrigin::Excluded,
            may_state_modified: false,
            is_deployed: false,
            rare: None,
        }
    }

    /// Whether the sitemap lists the page.
    pub fn is_listed(&self) -> bool {
        self.verdict == Verdict::Listed
    }

    /// What excludes the page, whatever it states itself.
    pub(crate) fn excluded_by(&self) -> Option<&ExcludedBy> {
        let by_rule = self.rule_outcome.excluded_by.as_ref();
        by_rule.or_else(|| self.rare.as_ref()?.excluded_by.as_ref())
    }

    /// Excludes the page before it is read.
    pub(crate) fn exclude(&mut self, by: ExcludedBy) {
        self.rare.get_or_insert_default().excluded_by = Some(by);
    }

    /// Whether the front matter of its source has `exclude = false`.
    pub(crate) fn is_wanted(&self) -> bool {
        self.rule_outcome.page.exclude == Some(false)
    }

    /// Keeps the facts that a page states for later steps.
    pub(super) fn note_facts(&mut self, facts: &PageFacts, two_slashes: Option<Subject>, now: Now) {
        let modified = facts.modified.as_ref();
        self.exact_date = modified.and_then(|stated| match LastMod::parse(&stated.value, now) {
            ParsedDate::Exact(date) => Some(date),
            _ => None,
        });
        self.may_state_modified = facts.may_state_modified && modified.is_none();
        let doubtful_date = modified.filter(|_| self.exact_date.is_none());
        let source_hint = facts.source_hint.as_ref();
        if doubtful_date.is_some()
            || source_hint.is_some()
            || facts.fingerprint.is_some()
            || two_slashes.is_some()
        {
            let rare = self.rare.get_or_insert_default();
            rare.doubtful_date = doubtful_date.cloned();
            rare.source_hint = source_hint.map(|hint| hint.value.clone());
            rare.fingerprint = facts.fingerprint;
            rare.two_slashes = two_slashes;
        }
    }

    /// Returns the stated modification date if it is not exact.
    pub(crate) fn doubtful_date(&self) -> Option<&Stated<String>> {
        self.rare.as_ref()?.doubtful_date.as_ref()
    }

    /// Returns the source that the page names.
    pub(crate) fn source_hint(&self) -> Option<&str> {
        self.rare.as_ref()?.source_hint.as_deref()
    }

    pub(super) fn two_slashes(&self) -> Option<&Subject> {
        self.rare.as_ref()?.two_slashes.as_ref()
    }

    /// Notes a language link with two slashes.
    pub(super) fn note_two_slashes(&mut self, place: Option<TagPlace>) {
        let subject = Subject::Page(self.file.clone(), place.map(place_of));
        let rare = self.rare.get_or_insert_default();
        rare.two_slashes.get_or_insert(subject);
    }

    pub(super) fn fingerprint(&self) -> Option<u64> {
        self.rare.as_ref()?.fingerprint
    }

    /// Returns the file whose commit dates the page, relative to the site root.
    pub fn dated_by(&self, site: &Site, output_dir: &Path) -> Option<SitePath> {
        match &self.dated {
            DateOrigin::CommitOfInclude(other) | DateOrigin::Members(other) => {
                Some(other.path.clone())
            }
            dated => {
                dated.commit()?;
                self.source_path(site, output_dir)
            }
        }
    }

    /// Returns the source of the page, relative to the site root; `None` if it is outside.
    pub fn source_path(&self, site: &Site, output_dir: &Path) -> Option<SitePath> {
        match self.source.as_ref()? {
            PageSource::File(path, _) => Some(path.clone()),
            PageSource::Itself => SitePath::below(&site.root, &self.file.below_dir(output_dir)),
        }
    }
}

/// All pages of a site, sorted by file.
#[derive(Debug)]
pub struct Pages {
    /// The URL of the output directory.
    pub base: BaseUrl,
    pub(super) all: Vec<Page>,
    /// The names that the language links of pages have numbers of, until all pages have been compared.
    pub(super) link_names: LinkNames,
}

impl Deref for Pages {
    type Target = [Page];

    fn deref(&self) -> &[Page] {
        &self.all
    }
}

impl<'p> IntoIterator for &'p Pages {
    type Item = &'p Page;
    type IntoIter = slice::Iter<'p, Page>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [Page] {
        &mut self.all
    }
}

impl Pages {
    /// The pages of these files, which are sorted, in a directory that is served at `base`.
    pub fn new(files: &[SitePath], base: &BaseUrl) -> Self {
        debug_assert!(files.is_sorted(), "files are sorted");
        let rules = Arc::default();
        Self {
            base: base.clone(),
            all: files
                .iter()
                .map(|file| Page::new(file.clone(), base, Arc::clone(&rules)))
                .collect(),
            link_names: LinkNames::default(),
        }
    }

    /// Returns the index of a file's page.
    pub fn index_of(&self, file: &SitePath) -> Option<usize> {
        self.all.binary_search_by(|page| page.file.cmp(file)).ok()
    }

    /// Returns the page of a file.
    pub fn by_file(&self, file: &SitePath) -> Option<&Page> {
        Some(&self.all[self.index_of(file)?])
    }

    /// Returns the index of the page that a host serves for a URL.
    pub fn index_at(&self, url: &PageUrl) -> Option<usize> {
        candidate_files(&self.base, url)
            .iter()
            .find_map(|file| self.index_of(file))
    }

    /// Returns the page that a host serves for a URL.
    pub fn at_url(&self, url: &PageUrl) -> Option<&Page> {
        Some(&self.all[self.index_at(url)?])
    }

    /// Returns the listed pages.
    pub fn listed(&self) -> impl Iterator<Item = &Page> + Clone {
        self.all.iter().filter(|page| page.is_listed())
    }
}

//! Dates pages that have no other date by the memory of contents.
//!
//! A remembered date means that this content was first published by then. While the content stays the
//! same, the page keeps its date; when it changes, it was published with this build at the latest: at
//! the date of the checked-out commit if that has the content, or now. A clock that is behind the commit or
//! an earlier build dates nothing.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::io::Read;
use std::path::Path;

use rayon::prelude::*;
use twox_hash::XxHash3_64;

use crate::files::tree;
use crate::findings::{Finding, Findings, Subject, code};
use crate::memory::{ContentHash, Memory, RememberedPage};
use crate::pages::{DateOrigin, Page, PageSource};
use crate::share::{FEW, is_most};
use crate::site::read_again;
use crate::sources::{SiteSources, SourceHistory};
use git_last_modified::{MinorChange, RepositoryReport, significant_text};
use page_signals::main_text_hash;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{LastMod, Now};

/// The first second of 2000. A clock that is behind it was never set: some tools set `SOURCE_DATE_EPOCH` to
/// 1980, the first year of ZIP archives.
const FIRST_YEAR: i64 = 946_684_800;

/// The contents of pages, and when they are published.
pub(crate) struct ContentDater<'s> {
    pub(crate) sources: &'s SiteSources,
    pub(crate) history: &'s SourceHistory,
    /// The changes in sources that do not count.
    pub(crate) ignored: &'s [MinorChange],
    pub(crate) base: &'s BaseUrl,
    /// The repositories of the sources, with their checked-out commits.
    pub(crate) repositories: &'s [RepositoryReport],
    /// The time of this build.
    pub(crate) built_at: Now,
    /// The time after which a date is in the future.
    pub(crate) now: Now,
}

/// The memory after a build.
#[derive(Debug, Default)]
pub(crate) struct Remembering {
    pub(crate) memory: Memory,
    /// Pages whose date is lost because the texts of most pages change in each build.
    pub(crate) restless: BTreeSet<PageUrl>,
}

impl ContentDater<'_> {
    /// Dates the pages that have no date yet, and returns the new memory.
    pub(crate) fn date(
        &self,
        before: Option<&Memory>,
        pages: &mut [Page],
        findings: &Findings,
    ) -> Remembering {
        let hashed: Vec<Option<ContentHash>> = pages
            .par_iter()
            .enumerate()
            .map(|(index, page)| self.content_of(index, page))
            .collect();
        let is_restless = before.is_some_and(|before| is_restless(before, pages, &hashed));
        let unknown = before.map_or(0, |before| self.unknown_pages(before, pages, &hashed));
        let mut remembering = Remembering::default();
        remembering.memory.base_url = self.base.to_string();
        remembering.memory.has_current_hashes = true;
        let newest =
            before.and_then(|before| before.pages.values().filter_map(|page| page.lastmod).max());
        let head = before.and_then(|_| self.head_around(&self.sources.dirs.site_root));
        for (index, (page, content)) in pages.iter_mut().zip(hashed).enumerate() {
            let Some(content) = content else {
                continue;
            };
            if page.lastmod.is_none()
                && let Some(before) = before
            {
                let known = before.pages.get(&page.file);
                let present =
                    known.and_then(|known| self.content_like(*known, index, page, content));
                let unchanged = known
                    .filter(|known| !before.has_current_hashes || present == Some(known.content));
                let date = match unchanged {
                    Some(known) => known.lastmod,
                    // As in a first build, but what is known keeps its date.
                    None if unknown > 0 => None,
                    None if is_restless && has_other_text(before, page, content) == Some(true) => {
                        remembering.restless.insert(page.url.clone());
                        None
                    }
                    // Its source is gone, and nothing says whether its text changed.
                    None if known.is_some() && present.is_none() => None,
                    None => self
                        .published(head, index, page, content)
                        .filter(|date| newest.is_none_or(|newest| newest <= *date)),
                };
                if date.is_some() {
                    (page.lastmod, page.dated) = (date, DateOrigin::Memory);
                }
            }
            let lastmod = page.lastmod;
            let kept = RememberedPage { content, lastmod };
            remembering.memory.pages.insert(page.file.clone(), kept);
        }
        let count = remembering.restless.len();
        findings.extend((count > 0).then(|| restless_finding(count)));
        findings.extend((unknown > 0).then(|| unknown_finding(unknown)));
        remembering
    }

    /// How many of the pages that need a date a memory does not know, if that is more than half of all and ten
    /// at least, or if it is of another site; else none.
    fn unknown_pages(
        &self,
        before: &Memory,
        pages: &[Page],
        hashed: &[Option<ContentHash>],
    ) -> usize {
        let (mut all, mut unknown) = (0, 0);
        let is_foreign = before.base_url != self.base.to_string();
        for (page, content) in pages.iter().zip(hashed) {
            let Some(content) = content else { continue };
            all += 1;
            let known = before.pages.get(&page.file);
            let is_known = known.is_some_and(|known| !is_foreign || known.content == *content);
            unknown += usize::from(!is_known);
        }
        if unknown >= FEW && is_most(unknown, all) {
            unknown
        } else {
            0
        }
    }

    /// When the present content of a page was published at the latest. `head` is the date of the commit
    /// that is checked out around the site.
    fn published(
        &self,
        head: Option<LastMod>,
        index: usize,
        page: &Page,
        content: ContentHash,
    ) -> Option<LastMod> {
        let dirs = &self.sources.dirs;
        let named = page.rare.as_ref().and_then(|rare| rare.is_at_head);
        if matches!(content, ContentHash::Source(_))
            && named.unwrap_or_else(|| self.history.is_at_head(index))
        {
            // A file of another repository was committed there.
            let source = page.source.as_ref()?.on_disk(dirs, &page.file);
            let included = self.included(index, page);
            let included = included.iter().map(|file| file.below_dir(&dirs.site_root));
            let heads = included
                .chain([source])
                .filter_map(|file| self.head_around(&file));
            return heads.chain(head).max();
        }
        let built = Some(self.built_at.0).filter(|built| *built >= FIRST_YEAR)?;
        let built = LastMod::at(built, 0, self.built_at).ok()?;
        head.is_none_or(|head| head <= built).then_some(built)
    }

    /// The date of the checked-out commit of the repository that contains a path.
    fn head_around(&self, path: &Path) -> Option<LastMod> {
        let path = self.sources.dirs.output.resolved(path)?;
        let innermost = self
            .repositories
            .iter()
            .filter(|report| path.starts_with(&report.root))
            .max_by_key(|report| report.root.as_os_str().len())?;
        let head = innermost.head?;
        LastMod::at(head.seconds, head.offset_minutes, self.now).ok()
    }

    /// The files that the source of a page includes.
    fn included(&self, index: usize, page: &Page) -> Vec<SitePath> {
        let named = page.rare.as_ref().and_then(|rare| rare.included.clone());
        named.unwrap_or_else(|| self.history.includes(index))
    }

    /// The content of a listed page, unless settings say that it has no date, or it cannot be read.
    fn content_of(&self, index: usize, page: &Page) -> Option<ContentHash> {
        let has_none = matches!(
            page.dated,
            DateOrigin::Term | DateOrigin::List | DateOrigin::Pager | DateOrigin::NotConfigured
        );
        if !page.is_listed() || has_none || str::from_utf8(page.file.as_bytes()).is_err() {
            return None;
        }
        let is_source = match &page.source {
            None => false,
            Some(PageSource::File(..)) => true,
            Some(PageSource::Itself) => self.history.is_tracked(index) && !page.is_deployed,
        };
        if is_source {
            self.source_hash(index, page).map(ContentHash::Source)
        } else {
            self.text_hash(&page.file).map(ContentHash::Text)
        }
    }

    /// The content of a page as it is remembered: the text of one that had no source then, as in a commit's hook
    /// before the first commit has it; `None` if that is not known.
    fn content_like(
        &self,
        known: RememberedPage,
        index: usize,
        page: &Page,
        content: ContentHash,
    ) -> Option<ContentHash> {
        match (known.content, content) {
            (ContentHash::Text(_), ContentHash::Source(_)) => {
                self.text_hash(&page.file).map(ContentHash::Text)
            }
            (ContentHash::Source(_), ContentHash::Text(_)) => {
                self.source_hash(index, page).map(ContentHash::Source)
            }
            _ => Some(content),
        }
    }

    fn source_hash(&self, index: usize, page: &Page) -> Option<u64> {
        let dirs = &self.sources.dirs;
        let source = page.source.as_ref()?;
        let mut hasher = XxHash3_64::default();
        self.add_file(&mut hasher, &source.on_disk(dirs, &page.file))?;
        for file in self.included(index, page) {
            hasher.write(file.as_bytes());
            self.add_file(&mut hasher, &file.below_dir(&dirs.site_root))?;
        }
        for shown in self.history.members(index) {
            for file in self.sources.content.files_below(&shown.dir) {
                if shown.contain(file) {
                    hasher.write(file.as_bytes());
                    hasher.write(b"\n");
                }
            }
        }
        Some(hasher.finish())
    }

    fn add_file(&self, hasher: &mut XxHash3_64, file: &Path) -> Option<()> {
        let mut bytes = Vec::new();
        let read = tree::open(file).and_then(|mut file| file.read_to_end(&mut bytes));
        self.sources.dirs.output.note(file, read).ok()?;
        hasher.write(&significant_text(self.ignored, &bytes));
        hasher.write(b"\0");
        Some(())
    }

    fn text_hash(&self, page: &SitePath) -> Option<u64> {
        read_again(&self.sources.dirs.output, page, |mut file| {
            if page.is_html() {
                return main_text_hash(&file);
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(XxHash3_64::oneshot(&bytes))
        })
    }
}

/// Whether most texts of pages without a source changed: then something in them changes with each
/// build.
fn is_restless(before: &Memory, pages: &[Page], hashed: &[Option<ContentHash>]) -> bool {
    let known = pages.iter().zip(hashed);
    let known: Vec<bool> = known
        .filter_map(|(page, content)| has_other_text(before, page, (*content)?))
        .collect();
    let changed = known.iter().filter(|is_other| **is_other).count();
    before.has_current_hashes && changed >= FEW && is_most(changed, known.len())
}

/// Whether the text of a page changed; `None` for a page with a source, and for one that is new.
fn has_other_text(before: &Memory, page: &Page, content: ContentHash) -> Option<bool> {
    match (content, before.pages.get(&page.file)?.content) {
        (ContentHash::Text(now), ContentHash::Text(then)) => Some(now != then),
        _ => None,
    }
}

fn unknown_finding(count: usize) -> Finding {
    let message = format!(
        "the memory of contents does not know {count} of the pages, more than half of them, so this build \
         only remembers them"
    );
    Finding::new(code::MEMORY_RESTLESS, Subject::Site, message).with_hint(
        "if the memory is that of another site or branch, name another file: each branch needs its own",
    )
}

fn restless_finding(count: usize) -> Finding {
    let message = format!(
        "the texts of {count} pages without a source changed in this build, more than half of them, \
         so these pages have no date"
    );
    Finding::new(code::MEMORY_RESTLESS, Subject::Site, message).with_hint(
        "if something in them changes with each build, such as a clock or related pages, put the \
         content into `<main>`, or name the sources",
    )
}

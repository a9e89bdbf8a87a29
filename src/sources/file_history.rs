//! Queries the history once for all pages, while they are read.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::iter::zip;
use std::path::PathBuf;

use super::list_members::ListMembers;
use crate::files::tree::absolute;
use crate::findings::Findings;
use crate::generators::{IncludeReader, IncludedFiles, NamesOfLanguage, ShownFiles};
use crate::pages::{DateOrigin, PageSource, Pages, SourceStep};
use crate::settings::LastmodSettings;
use crate::site::LoadedSite;
use git_last_modified::{
    FileHistory, History, HistoryError, HistoryQuery, IgnoredRevisions, Source, WalkedTree,
    date_sources, enclosing_repository,
};
use sitemaps::site_paths::SitePath;

/// Files to date: the sources of pages, and the files that these include.
#[derive(Default)]
pub(crate) struct FilesToDate {
    /// The indexes of the pages whose sources are dated, in ascending order. The sources are not
    /// stored a second time: a million paths take more memory than all other facts about their pages.
    pages: Vec<u32>,
    included: IncludedFiles,
    /// The directories that date list pages.
    pub(crate) members: ListMembers,
}

impl FilesToDate {
    /// Adds the source of the page at an index.
    pub(crate) fn add_source(&mut self, page: usize) {
        let page = u32::try_from(page).expect("no file system has 2^32 pages");
        self.pages.push(page);
    }

    /// Adds the files that the sources of pages include; `sources` has one for each page.
    pub(crate) fn add_included<'p>(
        &mut self,
        reader: &mut IncludeReader<'_>,
        sources: impl Iterator<Item = Option<&'p PageSource>>,
        findings: &Findings,
    ) {
        let mut dated = self.pages.iter().peekable();
        let mut including = Vec::new();
        for (index, source) in sources.enumerate() {
            // A copied file is not parsed.
            if dated.next_if(|page| **page as usize == index).is_some()
                && let Some(PageSource::File(path, step)) = source
                && *step != SourceStep::Copied
            {
                including.push((index, path));
            }
        }
        self.included = reader.follow(&including, findings);
    }

    /// Queries the history; `path_of` returns the path of the source of the page at an index.
    pub(crate) fn query(
        self,
        options: &HistoryOptions<'_>,
        path_of: impl Fn(usize) -> PathBuf,
    ) -> Result<SourceHistory, HistoryError> {
        let root = absolute(&options.loaded.site.root);
        let included = self.included.files.iter().map(|file| file.below_dir(&root));
        let files = self
            .pages
            .iter()
            .map(|page| path_of(*page as usize))
            .chain(included)
            .map(Source::File);
        let (shared, by_language) = self.members.by_names();
        // What cannot be read ends the run where it is dated.
        let repositories: Vec<_> = (0..self.members.len())
            .map(|dir| enclosing_repository(&self.members.on_disk(dir, &root)))
            .map(|found| found.ok().flatten())
            .collect();
        let mut history = options.query(files.chain(self.members.sources(&shared, &root)))?;
        let answers = history
            .files
            .split_off(self.pages.len() + self.included.files.len());
        let mut members: BTreeMap<usize, FileHistory> = zip(shared, answers).collect();
        // The files of each language have a walk of their own: a walk has one kind of members.
        for (names, dirs) in by_language {
            let options = HistoryOptions {
                names: Some(names),
                ..*options
            };
            let answers = options.query(self.members.sources(&dirs, &root))?.files;
            members.extend(zip(dirs, answers));
        }
        Ok(SourceHistory {
            members: zip(members.into_values(), repositories).collect(),
            asked: self,
            history,
        })
    }
}

/// How to query the history of a site.
pub(crate) struct HistoryOptions<'s> {
    pub(crate) loaded: &'s LoadedSite,
    /// The content files that lists show, if names have languages.
    pub(super) names: Option<&'s NamesOfLanguage>,
    /// The directories of the output as the walk found them.
    pub(crate) walked: Option<&'s WalkedTree>,
}

impl<'s> HistoryOptions<'s> {
    pub(crate) fn of(loaded: &'s LoadedSite, walked: Option<&'s WalkedTree>) -> Self {
        Self {
            loaded,
            names: None,
            walked,
        }
    }

    pub(crate) fn settings(&self) -> &'s LastmodSettings {
        &self.loaded.settings().lastmod
    }

    /// Queries the history of files and of directories that lists show.
    pub(crate) fn query(
        &self,
        sources: impl IntoIterator<Item = Source>,
    ) -> Result<History, HistoryError> {
        self.query_ignoring(sources, &self.settings().ignore.revs)
    }

    /// Queries the history of no file, for the repository around the site.
    pub(crate) fn query_around_site(&self) -> Result<History, HistoryError> {
        self.query([Source::File(absolute(&self.loaded.site.root).join(".git"))])
    }

    /// Queries the history of files without these revisions.
    pub(super) fn query_ignoring(
        &self,
        sources: impl IntoIterator<Item = Source>,
        revisions: &[String],
    ) -> Result<History, HistoryError> {
        let site = &self.loaded.site;
        let LastmodSettings { ignore, date, .. } = self.settings();
        let ignored_file = ignore.revs_file.as_ref().map(|file| site.root.join(file));
        let query = HistoryQuery {
            is_member: &|name| {
                site.generator
                    .is_some_and(|generator| generator.is_content(name))
                    && self.names.is_none_or(|names| names.contain(name))
            },
            walked: self.walked,
            time: *date,
            ignored: IgnoredRevisions {
                file: ignored_file.as_deref(),
                revisions,
                changes: &ignore.changes,
            },
        };
        date_sources(sources, &query)
    }
}

/// The history of files, grouped by page.
pub(crate) struct SourceHistory {
    /// What was queried. The answers about the sources of pages come first; those about included
    /// files follow.
    pub(crate) asked: FilesToDate,
    /// The result for each directory that lists show, and the repository around it.
    members: Vec<(FileHistory, Option<PathBuf>)>,
    pub(crate) history: History,
}

impl SourceHistory {
    /// Returns the result for the source of the page at an index, if it was queried.
    pub(crate) fn answer(&self, index: usize) -> Option<&FileHistory> {
        let pages = &self.asked.pages;
        let position = pages
            .binary_search_by_key(&index, |page| *page as usize)
            .ok()?;
        Some(&self.history.files[position])
    }

    /// Whether a page is made like a list, but lists nothing.
    pub(crate) fn lists_nothing(&self, page: usize) -> bool {
        self.asked.members.lists_nothing(page)
    }

    /// Notes at each page what the history says of its source, or of the content files that it lists if
    /// it has none: the date that a list states is usually that of the newest page in it.
    pub(crate) fn note(&self, pages: &mut Pages) {
        for (index, page) in pages.iter_mut().enumerate() {
            let members = self.members_date(index).filter(|_| page.source.is_none());
            page.dated = members.unwrap_or_else(|| self.page(index));
        }
    }

    /// Whether Git tracks the source of the page at an index.
    pub(crate) fn is_tracked(&self, index: usize) -> bool {
        self.answer(index).is_some_and(FileHistory::is_tracked)
    }

    /// Whether the checked-out commit has the content of a page: its source, and all that this includes.
    pub(crate) fn is_at_head(&self, index: usize) -> bool {
        self.answer(index).is_some_and(FileHistory::is_at_head)
            && self
                .included(index)
                .all(|(_, history)| history.is_at_head())
    }

    /// Returns the files that the source of the page at an index includes, with their history.
    fn included(&self, index: usize) -> impl Iterator<Item = (&SitePath, &FileHistory)> {
        let IncludedFiles { files, by_page } = &self.asked.included;
        let answers = &self.history.files[self.asked.pages.len()..];
        let included = by_page.get(&index).into_iter().flatten();
        included.map(|&at| (&files[at], &answers[at]))
    }

    /// Returns all files that the source of the page at an index includes.
    pub(crate) fn includes(&self, index: usize) -> Vec<SitePath> {
        let mut included: Vec<_> = self.included(index).map(|(file, _)| file.clone()).collect();
        included.sort_unstable();
        included
    }

    /// Returns the included file that determines the date of the page at an index, with its
    /// history.
    fn dating_include(&self, index: usize) -> Option<(&SitePath, &FileHistory)> {
        // A file without a date may be the one that changed last, so it comes first.
        self.included(index)
            .min_by_key(|(file, history)| match history {
                FileHistory::Changed(change) => (true, Reverse(change.seconds), *file),
                _ => (false, Reverse(0), *file),
            })
    }

    /// Returns the result for the page at an index.
    pub(crate) fn page(&self, index: usize) -> DateOrigin {
        let own = DateOrigin::from_source(self.answer(index));
        match self.dating_include(index) {
            Some((file, history)) => own.with_include(file, history),
            None => own,
        }
    }

    /// Returns the newest change of the content files that a list page shows, or why there is none;
    /// `None` for other pages.
    pub(crate) fn members_date(&self, page: usize) -> Option<DateOrigin> {
        self.asked.members.of(page, &self.members)
    }

    /// Returns the content files that a list page shows.
    pub(crate) fn members(&self, page: usize) -> impl Iterator<Item = &ShownFiles> {
        self.asked.members.shown_by(page)
    }
}

//! Queries the history once for all pages, while they are read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::also_lists::{AlsoLists, DatedAlso};
use super::date_origin::DateOrigin;
use super::included_sources::{DatedIncludes, IncludedSources};
use super::source_finder::{PageSource, SourceStep};
use crate::memory::DateMemory;
use crate::settings::LastmodSettings;
use git_last_modified::{
    FileHistory, GivenRepository, History, HistoryError, HistoryQuery, IgnoredRevisions,
    KnownDates, RenamePolicy, Replacements, WalkThreads, WalkedTree, date_sources,
};
use page_sources::generator::IncludeReader;
use site_paths::containment::absolute;
use site_paths::finding::Finding;

/// Files to date, grouped by page.
#[derive(Default)]
pub(crate) struct FilesToDate {
    files: Vec<PathBuf>,
    /// Index in `files` at which the source of each page is, if it has one.
    starts: Vec<usize>,
    also: AlsoLists,
    included: IncludedSources,
}

impl FilesToDate {
    /// Adds the source of the next page and the files that a rule adds to it.
    pub(crate) fn add(&mut self, own: Option<PathBuf>, also: Option<&Arc<[String]>>) {
        if let Some(also) = also {
            self.also.add(self.starts.len(), also);
        }
        self.starts.push(self.files.len());
        self.files.extend(own);
    }

    /// Adds the files that the sources of pages include; `sources` has one for each page.
    pub(crate) fn add_included<'p>(
        &mut self,
        reader: &mut IncludeReader<'_>,
        sources: impl Iterator<Item = Option<&'p PageSource>>,
    ) -> Vec<Finding> {
        let all = self.files.len();
        let ends = self.starts.iter().skip(1).chain([&all]);
        let is_dated = self.starts.iter().zip(ends).map(|(start, end)| start < end);
        let dated = is_dated.zip(sources).enumerate();
        let including = dated.filter_map(|(index, (is_dated, source))| match source? {
            // A copied file is not parsed.
            PageSource::File(path, step) if is_dated && *step != SourceStep::Copied => {
                Some((index, path))
            }
            _ => None,
        });
        let mut findings = Vec::new();
        self.included =
            IncludedSources::follow(reader, including.collect()).take_into(&mut findings);
        findings
    }

    /// Queries the history and frees the files, which take more memory than all other facts about
    /// their pages.
    pub(crate) fn query(
        mut self,
        options: &HistoryOptions<'_>,
    ) -> Result<SourceHistory, HistoryError> {
        let own = self.files.len();
        let root = absolute(options.site_root);
        self.files.extend(self.also.files(&root));
        let of_pages = self.files.len();
        self.files.extend(self.included.files(&root));
        let history = options.query(&self.files)?;
        let (of_sources, included) = history.files.split_at(of_pages);
        Ok(SourceHistory {
            starts: self.starts,
            own,
            also: self.also.dated(&of_sources[own..]),
            of_pages,
            included: self.included.dated(included),
            deployed: BTreeSet::new(),
            history,
        })
    }
}

/// How to query the history of a site.
pub(crate) struct HistoryOptions<'s> {
    pub(crate) settings: &'s LastmodSettings,
    pub(crate) site_root: &'s Path,
    /// The repository set by the environment.
    pub(crate) given: Option<GivenRepository>,
    /// Whether replaced objects count, as set by the environment.
    pub(crate) replacements: Replacements,
    /// Dates of earlier builds, if the settings keep them.
    pub(crate) memory: Option<&'s DateMemory>,
    /// The directories of the output as the walk found them.
    pub(crate) walked: Option<&'s WalkedTree>,
}

impl HistoryOptions<'_> {
    /// Queries the history of files.
    pub(crate) fn query(&self, files: &[PathBuf]) -> Result<History, HistoryError> {
        let memory = self.memory.map(DateMemory::known);
        self.query_with(files, &self.settings.ignore_revs, memory)
    }

    /// Queries the history of files without these revisions. Dates of earlier builds do not count:
    /// they are those with the revisions of the settings.
    pub(super) fn query_ignoring(
        &self,
        files: &[PathBuf],
        revisions: &[String],
    ) -> Result<History, HistoryError> {
        self.query_with(files, revisions, None)
    }

    fn query_with(
        &self,
        files: &[PathBuf],
        revisions: &[String],
        known: Option<KnownDates<'_>>,
    ) -> Result<History, HistoryError> {
        let settings = self.settings;
        let ignored_file = settings
            .ignore_revs_file
            .as_ref()
            .map(|file| self.site_root.join(file));
        date_sources(&HistoryQuery {
            sources: files,
            walked: self.walked,
            time: settings.date,
            replacements: self.replacements,
            renames: if settings.follow_renames {
                RenamePolicy::Follow
            } else {
                RenamePolicy::Change
            },
            ignored: IgnoredRevisions {
                file: ignored_file.as_deref(),
                revisions,
                authors: &settings.ignore_authors,
                messages: &settings.ignore_messages,
                trailer: settings.ignore_trailer.as_deref(),
                changes: &settings.ignore_changes,
            },
            given: self.given.as_ref(),
            known,
            threads: if rayon::current_num_threads() > 1 {
                WalkThreads::Two
            } else {
                WalkThreads::One
            },
        })
    }
}

/// The history of files, grouped by page.
pub(crate) struct SourceHistory {
    /// Index in the answers at which that of each page is, if its source was queried.
    starts: Vec<usize>,
    /// The number of answers about sources of pages; those about files of rules follow.
    own: usize,
    also: DatedAlso,
    /// The number of answers about both; those about included files follow.
    of_pages: usize,
    included: DatedIncludes,
    /// The pages whose commits are deploys.
    deployed: BTreeSet<usize>,
    pub(crate) history: History,
}

impl SourceHistory {
    /// Returns the result for the source of the page at an index; empty without one.
    pub(crate) fn answers(&self, index: usize) -> &[FileHistory] {
        let files = &self.history.files;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.own);
        &files[self.starts[index]..end]
    }

    /// Returns the results for the files that rules add.
    pub(crate) fn answers_of_also(&self) -> &[FileHistory] {
        &self.history.files[self.own..self.of_pages]
    }

    /// Whether a rule adds files to the page at an index.
    pub(crate) fn has_also(&self, index: usize) -> bool {
        self.also.of(index).is_some()
    }

    /// Whether the file at an index of the query is a source of a page for which `is_wanted` returns
    /// true, or an included file.
    pub(crate) fn belongs_to(&self, file: usize, is_wanted: impl Fn(usize) -> bool) -> bool {
        let after = self.starts.partition_point(|start| *start <= file);
        file >= self.own || after.checked_sub(1).is_some_and(is_wanted)
    }

    /// Marks pages whose commits are deploys, so that these do not date them.
    pub(crate) fn mark_deployed(&mut self, pages: BTreeSet<usize>) {
        self.deployed = pages;
    }

    /// Whether the first file of the page at an index is in a repository.
    pub(crate) fn is_tracked(&self, index: usize) -> bool {
        let answer = self.answers(index).first();
        answer.is_some_and(|answer| {
            !matches!(answer, FileHistory::Untracked | FileHistory::NoRepository)
        })
    }

    /// Returns the result for the page at an index.
    pub(crate) fn page(&self, index: usize) -> DateOrigin {
        if self.deployed.contains(&index) {
            return DateOrigin::DeployedOutput;
        }
        let own = self.answers(index);
        let also = self.also.of(index).map(|deciding| {
            let answer = &self.answers_of_also()[deciding.answer];
            (own.len() + deciding.position, answer)
        });
        let own = DateOrigin::of_sources(own.iter().enumerate().chain(also));
        let included = &self.history.files[self.of_pages..];
        match self.included.of(index, included) {
            Some(include) => own.with_include(include),
            None => own,
        }
    }
}

/// Returns whether replaced objects count; for Git, any value of the variable turns them off.
pub(crate) fn replacements(environment: &BTreeMap<String, String>) -> Replacements {
    if environment.contains_key("GIT_NO_REPLACE_OBJECTS") {
        Replacements::Ignored
    } else {
        Replacements::Applied
    }
}

/// Returns the repository set by the environment.
pub(crate) fn given_repository(environment: &BTreeMap<String, String>) -> Option<GivenRepository> {
    let from_environment = |name: &str| environment.get(name).map(|path| absolute(Path::new(path)));
    Some(GivenRepository {
        git_dir: from_environment("GIT_DIR")?,
        work_tree: from_environment("GIT_WORK_TREE"),
        current_dir: absolute(Path::new(".")),
    })
}

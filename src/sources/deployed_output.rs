//! Detects pages whose commits are deploys: the output of a generator, committed as a whole.
//!
//! Without a generator's files, a page is its own source. In the repository of a deploy, each commit
//! rewrites nearly all pages, whether their content changed or not, so its date says nothing about
//! a page. Three things must come together: nearly all pages were last changed by one commit, nearly
//! all of them by one other commit before that, and nearly all state a generator. A site written by
//! hand lacks the last, and a site whose pages are edited one by one the first two. A deploy that
//! replaces the branch leaves a single commit; then it is enough that a generator made the pages, as
//! they or the index of a search show.

use std::collections::{BTreeSet, HashMap};

use super::file_history::{HistoryOptions, SourceHistory};
use super::ruled_pages::JudgedPages;
use super::source_finder::{PageSource, SourceDirs};
use crate::decide::Verdict;
use git_last_modified::{FileHistory, HistoryError, ObjectId, Source};
use page_signals::MetadataRequest;
use sitemaps::findings::{Finding, Subject, code};
use sitemaps::site_paths::SitePath;

/// Fewer pages may well be changed together by hand.
const MIN_PAGES: usize = 10;

/// How many pages to read for the generator that they state, and to date without the last deploy.
const SAMPLED_PAGES: usize = 40;

/// Files for the search in a site, which a generator or a tool of the build writes.
const MADE_BY_PROGRAMS: [&str; 7] = [
    "search_index.en.js",
    "search_index.en.json",
    "searchindex.js",
    "searchindex.json",
    "search/search_index.json",
    "elasticlunr.min.js",
    "pagefind/pagefind.js",
];

/// Pages whose commits are deploys.
pub(crate) struct DeployedOutput {
    /// The indices of the pages.
    pub(crate) pages: BTreeSet<usize>,
    generator: String,
}

/// Listed pages that are their own sources and have a commit.
struct OwnPages<'p> {
    indices: Vec<usize>,
    /// Some of the pages, evenly spread over them.
    sample: Vec<&'p SitePath>,
}

impl DeployedOutput {
    /// Finds such pages, if the site consists of them.
    pub(crate) fn find(
        pages: &JudgedPages,
        history: &SourceHistory,
        dirs: &SourceDirs,
        options: &HistoryOptions<'_>,
    ) -> Result<Option<Self>, HistoryError> {
        let own = OwnPages::of(pages, history);
        if own.indices.len() < MIN_PAGES {
            return Ok(None);
        }
        let last = own
            .indices
            .iter()
            .filter_map(|&index| history.answer(index));
        let Some(deploy) = common_commit(last, own.indices.len()) else {
            return Ok(None);
        };
        let mut repositories = history.history.repositories.iter();
        if repositories.all(|repository| repository.head_is_root) {
            return Ok(own.maker(dirs).map(|generator| Self {
                pages: own.indices.into_iter().collect(),
                generator,
            }));
        }
        let Some(generator) = own.stated_generator(dirs) else {
            return Ok(None);
        };
        let mut ignored = options.settings.ignore.revs.clone();
        ignored.push(deploy.to_string());
        let on_disk = |page: &&SitePath| PageSource::Itself.on_disk(dirs, page);
        let files = own.sample.iter().map(on_disk).map(Source::File);
        let before = options.query_ignoring(files, &ignored)?;
        let before = common_commit(before.files.iter(), own.sample.len());
        let is_repeated = before.is_some_and(|commit| commit != deploy);
        Ok(is_repeated.then(|| Self {
            pages: own.indices.into_iter().collect(),
            generator,
        }))
    }

    /// Reports that the pages get no date from their commits.
    pub(crate) fn finding(&self) -> Finding {
        let message = format!(
            "{} pages are committed output of {}: each commit changes nearly all of them, so \
             commits do not date them",
            self.pages.len(),
            self.generator
        );
        Finding::new(code::DEPLOY_COMMITS, Subject::Site, message).with_hint(
            "run waypost where the site is built, or name the sources with `--source-map`; a rule's \
             `source` keeps the dates of the output",
        )
    }
}

impl<'p> OwnPages<'p> {
    fn of(pages: &'p JudgedPages, history: &SourceHistory) -> Self {
        let lines = pages.judged.iter().zip(&pages.ruled).enumerate();
        let own = lines.filter(|(index, (line, ruled))| {
            line.verdict == Verdict::Listed
                && line.file.is_html()
                && ruled.source == Some(PageSource::Itself)
                && matches!(history.answer(*index), Some(FileHistory::Changed(_)))
        });
        let (indices, pages): (_, Vec<_>) =
            own.map(|(index, (line, _))| (index, &line.file)).unzip();
        let step = pages.len().div_ceil(SAMPLED_PAGES).max(1);
        Self {
            indices,
            sample: pages.into_iter().step_by(step).collect(),
        }
    }

    /// Returns the program that made the pages: the generator that they state, or that of a file beside
    /// them which is not written by hand.
    fn maker(&self, dirs: &SourceDirs) -> Option<String> {
        self.stated_generator(dirs).or_else(|| {
            let mut files = MADE_BY_PROGRAMS.iter();
            let is_there = |name: &&&str| {
                let file = SitePath::from(**name).below_dir(&dirs.output_dir);
                dirs.output.is_file(&file)
            };
            files
                .find(is_there)
                .map(|name| format!("the program that wrote `{name}`"))
        })
    }

    /// Returns the generator that nearly all pages state.
    fn stated_generator(&self, dirs: &SourceDirs) -> Option<String> {
        let stated = self.sample.iter().filter_map(|page| {
            let metadata = dirs.metadata(page, MetadataRequest::Generator);
            metadata.generator
        });
        let stated: Vec<String> = stated.collect();
        let first = stated.first()?;
        is_nearly_all(stated.len(), self.sample.len()).then(|| first.clone())
    }
}

/// Returns the commit that nearly all of this many files have.
fn common_commit<'h>(
    answers: impl Iterator<Item = &'h FileHistory>,
    files: usize,
) -> Option<ObjectId> {
    let mut counts: HashMap<ObjectId, usize> = HashMap::new();
    for answer in answers {
        if let FileHistory::Changed(change) = answer {
            *counts.entry(change.commit).or_default() += 1;
        }
    }
    let common = counts
        .into_iter()
        .find(|(_, count)| is_nearly_all(*count, files));
    common.map(|(commit, _)| commit)
}

/// Nine in ten: a deploy adds pages, and leaves a few unchanged.
fn is_nearly_all(part: usize, whole: usize) -> bool {
    part * 10 >= whole * 9
}

//! Detects pages whose commits are deploys: the output of a generator, committed as a whole.
//!
//! Without a generator's files, a page is its own source. In the repository of a deploy, each commit
//! rewrites nearly all pages, whether their content changed or not, so its date says nothing about
//! a page. Three things must come together: nearly all pages were last changed by one commit, nearly
//! all of them by one other commit before that, and nearly all state a generator. A site written by
//! hand lacks the last, and a site whose pages are edited one by one the first two. A deploy that
//! replaces the branch leaves a single commit; then it is enough that a generator made the pages, as
//! they or the index of a search show.

use std::collections::HashMap;

use super::file_history::{HistoryOptions, SourceHistory};
use crate::findings::{Finding, Subject, code};
use crate::generators::Manifest;
use crate::pages::{DateOrigin, PageSource, Pages, SourceDirs};
use crate::share::{FEW, is_nearly_all};
use git_last_modified::{FileHistory, HistoryError, ObjectId, Source};
use page_signals::MetadataRequest;
use sitemaps::site_paths::SitePath;

/// How many pages to read for the generator that they state, and to date without the last deploy.
const SAMPLED_PAGES: usize = 40;

/// Listed pages that are their own sources and have a commit.
struct OwnPages<'p> {
    indices: Vec<usize>,
    /// Some of the pages, evenly spread over them.
    sample: Vec<&'p SitePath>,
}

/// Finds pages whose commits are deploys, if the site consists of them, and marks them, so that these
/// commits do not date them.
pub(crate) fn mark_deployed(
    pages: &mut Pages,
    history: &SourceHistory,
    dirs: &SourceDirs,
    options: &HistoryOptions<'_>,
) -> Result<Option<Finding>, HistoryError> {
    let own = OwnPages::of(pages, history);
    let Some(generator) = deployer(&own, history, dirs, options)? else {
        return Ok(None);
    };
    let indices = own.indices;
    for &index in &indices {
        pages[index].is_deployed = true;
        pages[index].dated = DateOrigin::DeployedOutput;
    }
    let message = format!(
        "{} pages are committed output of {generator}: each commit changes nearly all of them, so \
         commits do not date them",
        indices.len(),
    );
    let finding = Finding::new(code::DEPLOY_COMMITS, Subject::Site, message).with_hint(
        "run waypost where the site is built, or name the sources with `--source-map`; a rule's \
         `source` keeps the dates of the output",
    );
    Ok(Some(finding))
}

/// The program whose output is deployed by the commits of these pages.
fn deployer(
    own: &OwnPages<'_>,
    history: &SourceHistory,
    dirs: &SourceDirs,
    options: &HistoryOptions<'_>,
) -> Result<Option<String>, HistoryError> {
    if own.indices.len() < FEW {
        return Ok(None);
    }
    let last = own
        .indices
        .iter()
        .filter_map(|&index| history.answer(index));
    let Some(deploy) = common_commit(last, own.indices.len()) else {
        return Ok(None);
    };
    let repositories = &history.history.repositories;
    if repositories.iter().all(|known| known.head_is_root) {
        return Ok(own.maker(dirs));
    }
    let Some(generator) = own.stated_generator(dirs) else {
        return Ok(None);
    };
    let mut ignored = options.settings().ignore.revs.clone();
    ignored.push(deploy.to_string());
    let files = own
        .sample
        .iter()
        .map(|page| Source::File(PageSource::Itself.on_disk(dirs, page)));
    let before = options.query_ignoring(files, &ignored)?;
    Ok(common_commit(before.files.iter(), own.sample.len())
        .is_some_and(|commit| commit != deploy)
        .then_some(generator))
}

impl<'p> OwnPages<'p> {
    fn of(pages: &'p Pages, history: &SourceHistory) -> Self {
        let (mut indices, mut files) = (Vec::new(), Vec::new());
        for (index, page) in pages.iter().enumerate() {
            if page.is_listed()
                && page.file.is_html()
                && page.source == Some(PageSource::Itself)
                && matches!(history.answer(index), Some(FileHistory::Changed(_)))
            {
                indices.push(index);
                files.push(&page.file);
            }
        }
        let step = files.len().div_ceil(SAMPLED_PAGES).max(1);
        Self {
            indices,
            sample: files.into_iter().step_by(step).collect(),
        }
    }

    /// Returns the program that made the pages: the generator that they state, or that of a file beside
    /// them which is not written by hand.
    fn maker(&self, dirs: &SourceDirs) -> Option<String> {
        self.stated_generator(dirs).or_else(|| {
            let mut names = Manifest::embedded().generic.search_indexes.iter();
            let name = names.find(|name| dirs.output.has_file(&SitePath::from(name.as_str())))?;
            Some(format!("the program that wrote `{name}`"))
        })
    }

    /// Returns the generator that nearly all pages state.
    fn stated_generator(&self, dirs: &SourceDirs) -> Option<String> {
        let stated: Vec<String> = self
            .sample
            .iter()
            .filter_map(|page| dirs.metadata(page, MetadataRequest::Generator).generator)
            .collect();
        let first = stated.first()?;
        is_nearly_all(stated.len(), self.sample.len()).then(|| first.clone())
    }
}

/// Returns the commit that nearly all of this many files have: a deploy adds pages, and leaves a few
/// unchanged.
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
    counts
        .into_iter()
        .find(|(_, count)| is_nearly_all(*count, files))
        .map(|(commit, _)| commit)
}

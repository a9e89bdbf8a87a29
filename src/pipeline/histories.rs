//! Queries the history once for all pages, while they are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::survey::Survey;
use git_last_modified::{
    FileHistory, GivenRepository, History, HistoryError, HistoryQuery, IgnoredRevisions,
    LastChange, ListedRevision, RenamePolicy, RepositoryError, RepositoryReport, WalkThreads,
    date_sources,
};
use page_sources::generator::Pipeline;
use site_paths::containment::absolute;
use site_paths::finding::{Finding, Subject, code};

/// Files to date, grouped by page.
#[derive(Default)]
pub(super) struct FilesToDate {
    files: Vec<PathBuf>,
    /// Index in `files` at which the files of each page start.
    starts: Vec<usize>,
}

/// Result of the history for one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PageHistory {
    /// The newest commit that changed its sources.
    Changed(Arc<LastChange>),
    /// It has no source, or one of its sources is not in a repository.
    Nothing,
    /// The source at this index is not in the repository.
    Untracked(usize),
    /// The source at this index has uncommitted changes.
    Edited(usize),
    /// The last change of a source is beyond the boundary of a shallow clone, or cannot be read.
    Unknown,
}

impl FilesToDate {
    /// Adds the files of the next page.
    pub(super) fn add(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        self.starts.push(self.files.len());
        self.files.extend(files);
    }

    /// Queries the history and frees the files, which take more memory than all other facts about
    /// their pages.
    pub(super) fn query(&mut self, survey: &Survey<'_>) -> Result<History, HistoryError> {
        let files = std::mem::take(&mut self.files);
        let settings = &survey.settings().lastmod;
        let ignored_file = settings
            .ignore_revs_file
            .as_ref()
            .map(|file| survey.site.root.join(file));
        let given = given_repository(survey);
        date_sources(&HistoryQuery {
            sources: &files,
            time: settings.date,
            renames: if settings.follow_renames {
                RenamePolicy::Follow
            } else {
                RenamePolicy::Change
            },
            ignored: IgnoredRevisions {
                file: ignored_file.as_deref(),
                revisions: &settings.ignore_revs,
            },
            given: given.as_ref(),
            threads: if rayon::current_num_threads() > 1 {
                WalkThreads::Two
            } else {
                WalkThreads::One
            },
        })
    }

    /// Returns the result for each file of the page at an index.
    pub(super) fn answers<'h>(&self, index: usize, history: &'h History) -> &'h [FileHistory] {
        let end = self
            .starts
            .get(index + 1)
            .copied()
            .unwrap_or(history.files.len());
        &history.files[self.starts[index]..end]
    }

    /// Whether the first file of the page at an index is in a repository.
    pub(super) fn is_tracked(&self, index: usize, history: &History) -> bool {
        let answer = self.answers(index, history).first();
        answer.is_some_and(|answer| {
            !matches!(answer, FileHistory::Untracked | FileHistory::NoRepository)
        })
    }

    /// Returns the result for the page at an index. If one source has no date, neither has the
    /// page, because that source may be the one that changed last.
    pub(super) fn page(&self, index: usize, history: &History) -> PageHistory {
        let mut newest: Option<&Arc<LastChange>> = None;
        for (position, answer) in self.answers(index, history).iter().enumerate() {
            match answer {
                FileHistory::Changed(change) => {
                    if newest.is_none_or(|before| before.seconds < change.seconds) {
                        newest = Some(change);
                    }
                }
                FileHistory::Edited(_) => return PageHistory::Edited(position),
                FileHistory::Untracked => return PageHistory::Untracked(position),
                FileHistory::BeyondBoundary | FileHistory::Incomplete => {
                    return PageHistory::Unknown;
                }
                FileHistory::NoRepository => return PageHistory::Nothing,
            }
        }
        newest.map_or(PageHistory::Nothing, |change| {
            PageHistory::Changed(Arc::clone(change))
        })
    }
}

/// Returns the repository set by the environment.
pub(super) fn given_repository(survey: &Survey<'_>) -> Option<GivenRepository> {
    let from_environment = |name: &str| {
        survey
            .environment
            .get(name)
            .map(|path| absolute(Path::new(path)))
    };
    Some(GivenRepository {
        git_dir: from_environment("GIT_DIR")?,
        work_tree: from_environment("GIT_WORK_TREE"),
    })
}

/// Reports problems with the repositories as a whole, from both queries.
pub(super) fn findings_of(
    survey: &Survey<'_>,
    histories: [&History; 2],
    findings: &mut Vec<Finding>,
) {
    let all: usize = histories.iter().map(|history| history.files.len()).sum();
    let count = |wanted: &FileHistory| {
        histories
            .iter()
            .flat_map(|history| &history.files)
            .filter(|one| *one == wanted)
            .count()
    };
    let beyond = count(&FileHistory::BeyondBoundary);
    if beyond > 0 {
        let message = format!(
            "the clone is shallow: {beyond} of {all} sources last changed before its boundary, so \
             they get no Git date"
        );
        findings.push(
            Finding::new(code::HISTORY_SHALLOW, Subject::Site, message)
                .with_hint(how_to_deepen(survey)),
        );
    }
    let reports = histories.iter().flat_map(|history| &history.repositories);
    let errors: BTreeMap<&Path, Finding> = reports
        .filter_map(|report| Some((&*report.root, trouble_of(survey, report)?)))
        .collect();
    findings.extend(errors.into_values());
    let lists = histories
        .iter()
        .filter(|history| !history.repositories.is_empty());
    let lists: Vec<&[ListedRevision]> = lists.map(|history| &*history.unknown_revisions).collect();
    let is_unknown = |revision: &&ListedRevision| lists.iter().all(|list| list.contains(revision));
    let unknown = lists
        .first()
        .into_iter()
        .flat_map(|list| *list)
        .filter(is_unknown);
    findings.extend(unknown.map(|revision| {
        Finding::new(
            code::REVISION_UNKNOWN,
            Subject::Site,
            format!("{revision} is not a commit of this repository"),
        )
        .with_hint("remove it from the ignored commits, or deepen the clone")
    }));
    let outside = count(&FileHistory::NoRepository);
    if outside > 0 {
        let message = format!("{outside} of {all} sources are not in a Git repository");
        findings.push(
            Finding::new(code::HISTORY_MISSING, Subject::Site, message).with_hint(
                "build from a Git clone: an upload or a `COPY` without `.git` has no history",
            ),
        );
    }
}

fn trouble_of(survey: &Survey<'_>, report: &RepositoryReport) -> Option<Finding> {
    let trouble = report.error.as_ref()?;
    let subject = Subject::File(report.root.clone(), None);
    let message = format!("{trouble}, so pages that depend on it get no date");
    let pipeline = survey.pipelines().current();
    let remedy = match (trouble, pipeline) {
        (
            RepositoryError::NotFetched(_),
            Some(Pipeline {
                title,
                fetch_trees: Some(remedy),
                ..
            }),
        ) => {
            format!("on {title}, {remedy}")
        }
        _ => trouble.remedy().to_owned(),
    };
    Some(Finding::new(code::HISTORY_INCOMPLETE, subject, message).with_hint(remedy))
}

/// Returns the hint for the current pipeline.
fn how_to_deepen(survey: &Survey<'_>) -> String {
    match survey.pipelines().current() {
        Some(pipeline) => format!("on {}, {}", pipeline.title, pipeline.deepen),
        None => "run `git fetch --unshallow` before the build (faster with `--filter=blob:none`)"
            .to_owned(),
    }
}

//! Queries the history once for all pages, while they are read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::date_origin::DateOrigin;
use crate::settings::LastmodSettings;
use git_last_modified::{
    BroadPattern, FileHistory, GivenRepository, History, HistoryError, HistoryQuery,
    IgnoredRevisions, ListedRevision, RenamePolicy, RepositoryError, RepositoryReport, SkipReason,
    WalkThreads, date_sources, enclosing_repository,
};
use page_sources::generator::{Pipeline, Pipelines};
use site_paths::containment::absolute;
use site_paths::finding::{Finding, Subject, code};

/// Files to date, grouped by page.
#[derive(Default)]
pub(crate) struct FilesToDate {
    files: Vec<PathBuf>,
    /// Index in `files` at which the files of each page start.
    starts: Vec<usize>,
}

impl FilesToDate {
    /// Adds the files of the next page.
    pub(crate) fn add(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        self.starts.push(self.files.len());
        self.files.extend(files);
    }

    /// Queries the history and frees the files, which take more memory than all other facts about
    /// their pages.
    pub(crate) fn query(self, options: &HistoryOptions<'_>) -> Result<SourceHistory, HistoryError> {
        Ok(SourceHistory {
            starts: self.starts,
            history: options.query(&self.files)?,
        })
    }
}

/// How to query the history of a site.
pub(crate) struct HistoryOptions<'s> {
    pub(crate) settings: &'s LastmodSettings,
    pub(crate) site_root: &'s Path,
    /// The repository set by the environment.
    pub(crate) given: Option<GivenRepository>,
}

impl HistoryOptions<'_> {
    /// Queries the history of files.
    pub(crate) fn query(&self, files: &[PathBuf]) -> Result<History, HistoryError> {
        let settings = self.settings;
        let ignored_file = settings
            .ignore_revs_file
            .as_ref()
            .map(|file| self.site_root.join(file));
        date_sources(&HistoryQuery {
            sources: files,
            time: settings.date,
            renames: if settings.follow_renames {
                RenamePolicy::Follow
            } else {
                RenamePolicy::Change
            },
            ignored: IgnoredRevisions {
                file: ignored_file.as_deref(),
                revisions: &settings.ignore_revs,
                authors: &settings.ignore_authors,
                messages: &settings.ignore_messages,
                trailer: settings.ignore_trailer.as_deref(),
                changes: &settings.ignore_changes,
            },
            given: self.given.as_ref(),
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
    /// Index in the answers at which those of each page start.
    starts: Vec<usize>,
    pub(crate) history: History,
}

impl SourceHistory {
    /// Returns the result for each file of the page at an index.
    pub(crate) fn answers(&self, index: usize) -> &[FileHistory] {
        let files = &self.history.files;
        let end = self.starts.get(index + 1).copied().unwrap_or(files.len());
        &files[self.starts[index]..end]
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
        DateOrigin::of_sources(self.answers(index))
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

/// Reports problems with the repositories as a whole, from both queries.
pub(crate) fn findings_of(
    pipelines: Pipelines<'_>,
    options: &HistoryOptions<'_>,
    histories: [&History; 2],
) -> Vec<Finding> {
    let mut findings = Vec::new();
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
            Finding::new(code::HISTORY_SHALLOW, Subject::Site, message).with_hint(how_to_deepen(
                pipelines,
                options.site_root,
                histories,
            )),
        );
    }
    let reports = histories.iter().flat_map(|history| &history.repositories);
    let errors: BTreeMap<&Path, Finding> = reports
        .filter_map(|report| Some((&*report.root, trouble_of(pipelines, report)?)))
        .collect();
    findings.extend(errors.into_values());
    findings.extend(findings_of_changes(options, histories));
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
    findings
}

/// Reports settings about changes that do not do what they should.
fn findings_of_changes(options: &HistoryOptions<'_>, histories: [&History; 2]) -> Vec<Finding> {
    let reports = || histories.iter().flat_map(|history| &history.repositories);
    // Both queries can read the same repository.
    let broad: BTreeMap<(&Path, &str), Finding> = reports()
        .flat_map(|report| {
            report
                .broad_patterns
                .iter()
                .map(move |broad| (report, broad))
        })
        .map(|(report, broad)| ((&*report.root, &*broad.pattern), broad_pattern(broad)))
        .collect();
    let mut findings: Vec<Finding> = broad.into_values().collect();
    let uncompared: BTreeMap<&Path, usize> = reports()
        .filter(|report| report.uncompared_commits > 0)
        .map(|report| (&*report.root, report.uncompared_commits))
        .collect();
    findings.extend(uncompared.into_iter().map(|(root, count)| {
        let message = format!(
            "{count} commits count as changes, because the clone lacks the file contents that \
             `lastmod.ignore_changes` compares"
        );
        Finding::new(
            code::HISTORY_INCOMPLETE,
            Subject::File(root.to_owned(), None),
            message,
        )
        .with_hint("clone without `--filter=blob:none`")
    }));
    let landed_later: usize = reports().map(|report| report.landed_later).sum();
    if landed_later > 0 && !options.settings.from.is_empty() {
        let all: usize = histories.iter().map(|history| history.files.len()).sum();
        let message = format!(
            "{landed_later} of {all} sources were merged more than a day after the commit that \
             dates them"
        );
        findings.push(
            Finding::new(code::LANDED_LATER, Subject::Site, message)
                .with_hint("`lastmod.date = \"landed\"` dates them by the merge"),
        );
    }
    findings
}

fn broad_pattern(broad: &BroadPattern) -> Finding {
    let setting = match broad.field {
        SkipReason::Author => "ignore_authors",
        SkipReason::Message => "ignore_messages",
        _ => "ignore_trailer",
    };
    let BroadPattern {
        pattern,
        matched,
        commits,
        ..
    } = broad;
    let message = format!(
        "`{pattern}` in `lastmod.{setting}` matches {matched} of the {commits} commits that changed \
         a source"
    );
    Finding::new(code::PATTERN_BROAD, Subject::Site, message)
        .with_hint("make the pattern narrower, so that only commits without a change match")
}

fn trouble_of(pipelines: Pipelines<'_>, report: &RepositoryReport) -> Option<Finding> {
    let trouble = report.error.as_ref()?;
    let subject = Subject::File(report.root.clone(), None);
    let message = format!("{trouble}, so pages that depend on it get no date");
    let pipeline = pipelines.current();
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
        _ => trouble.hint().to_owned(),
    };
    Some(Finding::new(code::HISTORY_INCOMPLETE, subject, message).with_hint(remedy))
}

/// Returns the hint for the current pipeline.
///
/// A submodule is deepened on its own; the settings of pipelines apply to the site's repository.
fn how_to_deepen(pipelines: Pipelines<'_>, site_root: &Path, histories: [&History; 2]) -> String {
    let own = enclosing_repository(site_root);
    let reports = histories.iter().flat_map(|history| &history.repositories);
    let shallow: BTreeSet<&Path> = reports
        .filter(|report| report.shallow)
        .map(|report| &*report.root)
        .collect();
    if let Some(other) = shallow.first()
        && !shallow.iter().any(|root| Some(*root) == own.as_deref())
    {
        return format!(
            "run `git -C {} fetch --unshallow` before the build",
            other.display()
        );
    }
    match pipelines.current() {
        Some(pipeline) => format!("on {}, {}", pipeline.title, pipeline.deepen),
        None => "run `git fetch --unshallow` before the build (faster with `--filter=blob:none`)"
            .to_owned(),
    }
}

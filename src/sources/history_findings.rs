//! Reports problems with the history that concern many sources.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use super::file_history::HistoryOptions;
use git_last_modified::{
    FileHistory, History, ListedRevision, RepositoryError, RepositoryReport, enclosing_repository,
};
use page_sources::generator::{Pipeline, Pipelines};
use sitemaps::site_paths::display_path;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// Reports problems with the repositories as a whole, from both queries.
pub(crate) fn history_findings(
    pipelines: Pipelines<'_>,
    options: &HistoryOptions<'_>,
    histories: [&History; 2],
) -> Vec<Finding> {
    let shallow = shallow_clone(pipelines, options.site_root, histories);
    let mut findings: Vec<Finding> = shallow.into_iter().collect();
    let reports = histories.iter().flat_map(|history| &history.repositories);
    // Both queries can read the same repository.
    let errors: BTreeMap<&Path, Finding> = reports
        .filter_map(|report| Some((&*report.root, error_of(pipelines, report)?)))
        .collect();
    findings.extend(errors.into_values());
    findings.extend(unknown_revisions(histories));
    findings
}

/// Returns the number of sources with this result, and that of all sources.
fn share_of(histories: [&History; 2], wanted: &FileHistory) -> (usize, usize) {
    let files = || histories.iter().flat_map(|history| &history.files);
    let count = files().filter(|one| *one == wanted).count();
    (count, files().count())
}

/// Reports sources whose last change is beyond the boundary of a shallow clone.
fn shallow_clone(
    pipelines: Pipelines<'_>,
    site_root: &Path,
    histories: [&History; 2],
) -> Option<Finding> {
    let (beyond, all) = share_of(histories, &FileHistory::BeyondBoundary);
    let message = format!(
        "the clone is shallow: {beyond} of {all} sources last changed before its boundary, so they \
         get no Git date"
    );
    (beyond > 0).then(|| {
        Finding::new(code::HISTORY_SHALLOW, Subject::Site, message)
            .with_hint(how_to_deepen(pipelines, site_root, histories))
    })
}

/// Reports listed commits that neither query found.
fn unknown_revisions(histories: [&History; 2]) -> Vec<Finding> {
    let lists = histories
        .iter()
        .filter(|history| !history.repositories.is_empty());
    let lists: Vec<&[ListedRevision]> = lists.map(|history| &*history.unknown_revisions).collect();
    let Some((first, others)) = lists.split_first() else {
        return Vec::new();
    };
    let others = others.iter();
    let others: Vec<HashSet<_>> = others.map(|list| list.iter().collect()).collect();
    let is_unknown = |revision: &&ListedRevision| others.iter().all(|list| list.contains(revision));
    let finding = |revision: &ListedRevision| {
        Finding::new(
            code::SETTING_UNUSED,
            Subject::Site,
            format!("{revision} is not a commit of this repository"),
        )
        .with_hint("remove it from the ignored commits, or deepen the clone")
    };
    first.iter().filter(is_unknown).map(finding).collect()
}

fn error_of(pipelines: Pipelines<'_>, report: &RepositoryReport) -> Option<Finding> {
    let error = report.error.as_ref()?;
    let subject = Subject::File(report.root.clone(), None);
    let message = format!("{error}, so pages that depend on it get no date");
    let pipeline = pipelines.current();
    let remedy = match (error, pipeline) {
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
        _ => error.hint().to_owned(),
    };
    Some(Finding::new(code::HISTORY_INCOMPLETE, subject, message).with_hint(remedy))
}

/// Fetches the rest of a history. It is what `--unshallow` means, which ends with an error in a
/// complete clone; this does not, and needs no operator that a shell may not know.
const DEEPEN: &str = "fetch --depth=2147483647";

/// Returns the hint for the current pipeline, and the command for each other shallow repository.
///
/// A submodule is deepened on its own; the settings of pipelines apply to the site's repository.
fn how_to_deepen(pipelines: Pipelines<'_>, site_root: &Path, histories: [&History; 2]) -> String {
    // A failure of the machine has ended the run where the files were dated.
    let own = enclosing_repository(site_root).ok().flatten();
    let reports = histories.iter().flat_map(|history| &history.repositories);
    let shallow: BTreeSet<&Path> = reports
        .filter(|report| report.shallow)
        .map(|report| &*report.root)
        .collect();
    let (of_site, others): (Vec<&Path>, Vec<&Path>) = shallow
        .into_iter()
        .partition(|root| Some(*root) == own.as_deref());
    let of_others: Vec<String> = others
        .into_iter()
        .map(|root| {
            let below_site = own.as_deref().and_then(|own| root.strip_prefix(own).ok());
            format!(
                "`git -C {} {DEEPEN}`",
                quoted_argument(below_site.unwrap_or(root))
            )
        })
        .collect();
    let commands = of_others.join(" and ");
    let remedy = match pipelines.current() {
        _ if of_site.is_empty() && !of_others.is_empty() => {
            return format!("run {commands} before the build");
        }
        Some(pipeline) => format!("on {}, {}", pipeline.title, pipeline.deepen),
        None => format!("run `git {DEEPEN}` before the build (faster with `--filter=blob:none`)"),
    };
    if of_others.is_empty() {
        remedy
    } else {
        format!("{remedy}; then run {commands}")
    }
}

/// A path as an argument in shells, where double quotes mean the same in sh and PowerShell.
fn quoted_argument(path: &Path) -> String {
    let text = display_path(path);
    let is_plain = |letter: char| letter.is_alphanumeric() || "/\\:._-".contains(letter);
    if text.chars().all(is_plain) {
        text
    } else {
        format!("\"{text}\"")
    }
}

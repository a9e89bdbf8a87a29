//! Reports problems with the history that concern many sources.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::findings::{Finding, Findings, Subject, code};
use crate::generators::Pipelines;
use crate::site::LoadedSite;
use git_last_modified::{
    FileHistory, History, RepositoryError, RepositoryReport, enclosing_repository, has_remote,
};
use sitemaps::site_paths::display_path;

/// Reports problems with the repositories as a whole, from both queries.
pub(crate) fn report_history(loaded: &LoadedSite, histories: [&History; 2]) {
    let (pipelines, findings) = (loaded.pipelines(), &loaded.findings);
    findings.extend(shallow_clone(pipelines, &loaded.site.root, histories));
    // Both queries can read the same repository.
    let errors: BTreeMap<&Path, Finding> = histories
        .iter()
        .flat_map(|history| &history.repositories)
        .filter_map(|report| Some((&*report.root, error_of(pipelines, report)?)))
        .collect();
    findings.extend(errors.into_values());
    report_unknown_revisions(histories, findings);
}

/// Reports sources whose last change is beyond the boundary of a shallow clone.
fn shallow_clone(
    pipelines: Pipelines<'_>,
    site_root: &Path,
    histories: [&History; 2],
) -> Option<Finding> {
    let (mut beyond, mut all) = (0, 0);
    for file in histories.iter().flat_map(|history| &history.files) {
        all += 1;
        beyond += usize::from(*file == FileHistory::BeyondBoundary);
    }
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
fn report_unknown_revisions(histories: [&History; 2], findings: &Findings) {
    let mut lists = histories
        .iter()
        .filter(|history| !history.repositories.is_empty())
        .map(|history| &history.unknown_revisions);
    let Some(first) = lists.next() else {
        return;
    };
    let others: Vec<HashSet<_>> = lists.map(|list| list.iter().collect()).collect();
    for revision in first {
        if others.iter().all(|list| list.contains(revision)) {
            let message = format!("{revision} is not a commit of this repository");
            findings.add(
                Finding::new(code::SETTING_UNUSED, Subject::Site, message)
                    .with_hint("remove it from the ignored commits, or deepen the clone"),
            );
        }
    }
}

fn error_of(pipelines: Pipelines<'_>, report: &RepositoryReport) -> Option<Finding> {
    let error = report.error.as_ref()?;
    let message = format!("{error}, so pages that depend on it get no date");
    let remedy = if let RepositoryError::NotFetched(_) = error
        && let Some(pipeline) = pipelines.current()
        && let Some(remedy) = &pipeline.fetch_trees
    {
        format!("on {}, {remedy}", pipeline.title)
    } else {
        error.hint().to_owned()
    };
    Some(Finding::new(code::HISTORY_INCOMPLETE, &*report.root, message).with_hint(remedy))
}

/// Fetches the rest of a history. It is what `--unshallow` means, which ends with an error in a
/// complete clone; this does not, and needs no operator that a shell may not know.
const DEEPEN: &str = "fetch --depth=2147483647";

/// Returns the hint for the current pipeline, or the command for a shallow repository other than the
/// site's: a submodule is deepened on its own.
fn how_to_deepen(pipelines: Pipelines<'_>, site_root: &Path, histories: [&History; 2]) -> String {
    // A failure of the machine has ended the run where the files were dated.
    let own = enclosing_repository(site_root).ok().flatten();
    let roots: Vec<&Path> = histories
        .iter()
        .flat_map(|history| &history.repositories)
        .filter(|report| report.shallow)
        .map(|report| &*report.root)
        .collect();
    if let Some(root) = roots.iter().find(|root| !has_remote(&root.join(".git"))) {
        let root = display_path(root);
        return format!(
            "the clone in `{root}` is without a remote, so clone it again with its whole history"
        );
    }
    let is_own_shallow = own.as_deref().is_some_and(|own| roots.contains(&own));
    match (roots.first(), pipelines.current()) {
        (Some(other), _) if !is_own_shallow => {
            let below_site = own.as_deref().and_then(|own| other.strip_prefix(own).ok());
            // Double quotes mean the same in sh and PowerShell.
            let dir = display_path(below_site.unwrap_or(other));
            format!("run `git -C \"{dir}\" {DEEPEN}` before the build")
        }
        (_, Some(pipeline)) => format!("on {}, {}", pipeline.title, pipeline.deepen),
        (_, None) => {
            format!("run `git {DEEPEN}` before the build (faster with `--filter=blob:none`)")
        }
    }
}

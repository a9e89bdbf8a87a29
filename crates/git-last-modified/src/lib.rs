//! Finds the commit that last changed each source file, in one walk over the Git history.
//!
//! Inside: `source_files` finds the repository of each file, `repository` opens it,
//! `repository_group` looks up the files in the checked-out commit, and `walk` carries the paths
//! from commit to commit, using `compare` to detect which of them changed.
//!
//! Only `repository.rs`, `objects.rs`, `tree.rs` and `remote.rs` name gix. The first opens
//! a repository without the user's or the machine's settings; `reftable.rs` reads the references
//! that gix does not. `objects.rs` reads every object through gix's object database and compares
//! it with its hash. `walk.rs` carries the set of wanted paths from commit to commit;
//! `compare.rs` computes which of them differ between two trees, by a trie of the paths. Grafts
//! and replacements are ignored: only a clone of its own has them.
//!
//! What cannot be read (an I/O error, damage, a missing object) is a `HistoryError` and ends the run
//! before anything is written. What a shallow or partial clone does not have, and a format without a
//! reader, is in the report of its repository; only the files that need it have no date.

#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

mod commit;
mod compare;
mod error;
mod filters;
mod history;
mod limits;
mod lookup;
mod minor_changes;
mod objects;
mod path_set;
mod query;
mod read_commit;
mod reftable;
mod remote;
mod repository;
mod repository_group;
mod revisions;
mod skipping;
mod source_files;
mod tree;
mod trie;
mod walk;
mod worktree;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

pub use error::{HistoryError, RepositoryError};
pub use history::{FileHistory, History, LastChange, RepositoryReport};
pub use minor_changes::{differ_only_in, significant_text};
pub use query::{
    CommitTime, HistoryQuery, IgnoredRevisions, IsMember, ListedRevision, MinorChange, Source,
    WalkedTree,
};
pub use read_commit::{
    BranchTip, CompareContents, branch_tip, checked_out_branch, compare_contents, subject_of,
};
pub use remote::{Remote, Submodule, has_remote, submodules_in};
pub use source_files::enclosing_repository;

use repository::missing_alternate;
pub use repository::{ObjectId, common_dir, describe_history};
use repository_group::date_group;
use revisions::Revisions;

/// The number of digits in Git's short hashes.
pub const SHORT_HASH: usize = 7;

/// Finds the commit that last changed each source file.
///
/// Returns an error for invalid options, and if a part of a repository exists but cannot be read: then
/// nothing is known about its history. If a repository lacks objects, its report has the reason and
/// the sources that need them are [`FileHistory::Incomplete`].
pub fn date_sources(
    sources: impl IntoIterator<Item = Source>,
    query: &HistoryQuery<'_>,
) -> Result<History, HistoryError> {
    let mut revisions = Revisions::read(&query.ignored)?;
    let mut repositories = BTreeMap::new();
    let files = date_each(sources, query, &mut revisions, &mut repositories)?;
    Ok(History {
        files,
        repositories: repositories.into_values().collect(),
        unknown_revisions: revisions.unknown(),
    })
}

/// Dates each source in its own repository, and links to files elsewhere also in theirs. Adds a report on
/// each repository, by its root.
fn date_each(
    sources: impl IntoIterator<Item = Source>,
    query: &HistoryQuery<'_>,
    revisions: &mut Revisions,
    repositories: &mut BTreeMap<PathBuf, RepositoryReport>,
) -> Result<Vec<FileHistory>, HistoryError> {
    let grouped = source_files::group(sources, query.walked)?;
    let mut files = vec![FileHistory::NoRepository; grouped.count];
    let mut elsewhere = Vec::new();
    for (root, wanted) in grouped.by_root {
        let mut report = RepositoryReport {
            root,
            ..RepositoryReport::default()
        };
        let dated = date_group(
            query,
            revisions,
            wanted,
            &mut report,
            &mut files,
            &mut elsewhere,
        );
        if let Err(error) = dated {
            report.error = Some(error);
        }
        if let Some(failure) = report.error.take_if(|error| error.is_failure()) {
            let root = report.root;
            let failure = match missing_alternate(&root) {
                Some(dir) if !matches!(failure, RepositoryError::TooManyAlternates(_)) => {
                    RepositoryError::MissingAlternate(dir)
                }
                _ => failure,
            };
            return Err(HistoryError::UnreadableRepository { root, failure });
        }
        match repositories.entry(report.root.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(report);
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.commits_visited += report.commits_visited;
                known.error = known.error.take().or(report.error);
            }
        }
    }
    if !elsewhere.is_empty() {
        let targets: Vec<Source> = elsewhere
            .iter()
            .map(|target| Source::File(target.file.clone()))
            .collect();
        let histories = date_each(targets, query, revisions, repositories)?;
        for (target, history) in elsewhere.iter().zip(histories) {
            target.add(history, &mut files);
        }
    }
    Ok(files)
}

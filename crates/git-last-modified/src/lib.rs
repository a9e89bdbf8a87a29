//! Finds the commit that last changed each source file, in one walk over the Git history.
//!
//! Inside: `source_files` finds the repository of each file, `repository` opens it,
//! `repository_group` looks up the files in the checked-out commit, and `walk` carries the paths
//! from commit to commit, using `compare` to detect which of them changed.
//!
//! Only `repository.rs`, `objects.rs`, `tree.rs` and `git_notation.rs` name gix. The first opens
//! a repository without the user's or the machine's settings; `reftable.rs` reads the references
//! that gix does not. `objects.rs` reads every object through gix's object database and compares
//! it with its hash. `walk.rs` carries the set of wanted paths from commit to commit;
//! `compare.rs` computes which of them differ between two trees, by a trie of the paths. Grafts
//! and replacements are ignored: only a clone of its own has them.
//!
//! What cannot be read (an I/O error, damage, a missing object) is a `HistoryError` and ends the run
//! before anything is written. What a shallow or partial clone does not have, and a format without a
//! reader, is in the report of its repository; only the files that need it have no date.
//!
//! `former_files.rs` walks a second time only if a page without a source may be a leftover: it
//! collects the content files of up to 10,000 commits that no longer exist, reading each version
//! of a directory once.

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
mod commit_text;
mod compare;
mod error;
mod former_files;
mod git_notation;
mod history;
mod landing;
mod limits;
mod lineage;
mod links;
mod listed_revision;
mod lookup;
mod minor_changes;
mod objects;
mod path_set;
mod patterns;
mod query;
mod queue;
mod read_commit;
mod reftable;
mod remote;
mod repository;
mod repository_error;
mod repository_group;
mod repository_state;
mod revisions;
mod skip_rules;
mod skipping;
mod source_files;
mod source_list;
mod submodules;
mod tree;
mod trie;
mod walk;
mod walked_tree;
mod worktree;

use std::borrow::Cow;

pub use error::HistoryError;
pub use former_files::{FormerFile, former_files};
pub use history::{FileHistory, History, LastChange, RepositoryReport};
pub use listed_revision::ListedRevision;
pub use minor_changes::{differ_only_in, significant_text};
pub use query::{CommitTime, HistoryQuery, IgnoredRevisions, MinorChange};
pub use read_commit::{CompareContents, compare_contents, subject_of};
pub use remote::Remote;
pub use repository_error::RepositoryError;
pub use repository_state::{HistoryDepth, RepositoryState};
pub use source_files::enclosing_repository;
pub use source_list::SourceList;
pub use submodules::{Submodule, submodules_in};
pub use walked_tree::WalkedTree;

pub use repository::ObjectId;
use repository::Repository;
use repository_group::{DatedGroup, RepositoryGroup};
use revisions::Revisions;
use source_files::SourceGroup;

/// The number of digits in Git's short hashes.
pub const SHORT_HASH: usize = 7;

/// Finds the commit that last changed each source file.
///
/// Returns an error for invalid options, and if a part of a repository exists but cannot be read: then
/// nothing is known about its history. If a repository lacks objects, its report has the reason and
/// the sources that need them are [`FileHistory::Incomplete`].
pub fn date_sources(query: &HistoryQuery<'_>) -> Result<History, HistoryError> {
    let mut revisions = Revisions::read(&query.ignored)?;
    let mut history = History {
        files: vec![FileHistory::NoRepository; query.sources.count()],
        ..History::default()
    };
    let groups = source_files::group(query.sources, query.walked);
    for (root, sources) in groups.map_err(|error| HistoryError::of_dir(&error))? {
        let mut report = RepositoryReport::new(root);
        let dated = date_group(query, &sources, &mut revisions, &mut report)?;
        if let Some(failure) = report.error.take_if(|error| error.is_failure()) {
            let root = report.root;
            return Err(HistoryError::UnreadableRepository { root, failure });
        }
        for position in 0..sources.len() {
            history.files[sources.place(position)] = FileHistory::Untracked;
        }
        for (position, answer) in dated.answers.into_iter().enumerate() {
            history.files[dated.sources.place(position)] = answer;
        }
        history.repositories.push(report);
    }
    history.unknown_revisions = revisions.unknown();
    Ok(history)
}

fn date_group<'g>(
    query: &HistoryQuery<'_>,
    sources: &'g SourceGroup,
    revisions: &mut Revisions,
    report: &mut RepositoryReport,
) -> Result<DatedGroup<'g>, HistoryError> {
    let opened = Repository::open(&report.root)
        .and_then(|repository| Ok((repository.lineage()?, repository)));
    let answers = match opened {
        Ok((lineage, repository)) => {
            revisions.note_known(&repository);
            report.shallow = !lineage.boundary.is_empty();
            RepositoryGroup {
                query,
                repository: &repository,
                lineage: &lineage,
                revisions: &revisions.ids,
                sources: Cow::Borrowed(sources),
            }
            .date(report)
        }
        Err(error) => Err(error),
    };
    Ok(answers.unwrap_or_else(|error| {
        report.error = Some(error);
        DatedGroup {
            sources: Cow::Borrowed(sources),
            answers: vec![FileHistory::Incomplete; sources.len()],
        }
    }))
}

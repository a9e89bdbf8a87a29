//! Wraps a repository on disk; only this file, `objects.rs`, `tree.rs` and `git_notation.rs` use gix.
//!
//! It ignores the process environment and the user's and system's Git configuration, so that equal
//! repositories give equal results on every machine. It never fetches an object from a remote.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

pub use gix::ObjectId;
use gix::objs::Kind;

use super::git_notation::{error_chain, git_dir_named_in};
use super::limits::MAX_OBJECT_BYTES;
use super::lineage::Lineage;
use super::reftable::ReferenceStack;
use super::repository_error::RepositoryError;

/// An open repository.
pub(super) struct Repository {
    pub(super) gix: gix::Repository,
    reference_format: ReferenceFormat,
    work_tree: PathBuf,
}

/// How a repository stores its references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReferenceFormat {
    Files,
    Reftable,
}

/// The work tree of a repository to open.
#[derive(Debug, Clone, Copy)]
pub(super) enum WorkTreePath<'a> {
    /// The one in the repository's configuration, else the parent directory of `.git`.
    Default,
    /// This directory.
    Given(&'a Path),
    /// The one in the repository's configuration, else this directory.
    UnlessConfigured(&'a Path),
}

/// The extensions of the repository format that are supported here (gitrepository-layout(5)).
/// Others may mean anything, so Git does not read such a repository.
const EXTENSIONS: [&str; 10] = [
    "noop",
    "noop-v1",
    "objectformat",
    "compatobjectformat",
    "refstorage",
    "partialclone",
    "preciousobjects",
    "worktreeconfig",
    "relativeworktrees",
    "submodulepathconfig",
];

/// Git's index: facts about the checked-out files.
pub(super) struct GitIndex(gix::index::File);

/// The index entry of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexStamp {
    pub(super) id: ObjectId,
    /// File size in bytes.
    pub(super) size: u32,
    /// Modification time in seconds since 1970 UTC.
    pub(super) seconds: u32,
    /// Zero if Git does not record them.
    pub(super) nanoseconds: u32,
}

/// The commit that a hash prefix refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HashPrefix {
    Unknown,
    Commit(ObjectId),
    Ambiguous,
}

/// Whether a path is a `.git` directory, or a `.git` file that refers to one.
pub(super) fn is_repository(dot_git: &Path) -> io::Result<bool> {
    if gix::discover::is_git(dot_git).is_ok() {
        return Ok(true);
    }
    // gix takes a file that it cannot examine for one that does not exist.
    let git_dir = if std::fs::metadata(dot_git)?.is_file() {
        git_dir_named_in(dot_git)?
    } else {
        dot_git.to_path_buf()
    };
    for name in ["HEAD", "refs", "objects"] {
        let path = git_dir.join(name);
        if let Err(error) = std::fs::metadata(&path)
            && error.kind() != ErrorKind::NotFound
        {
            let text = format!("`{}`: {error}", path.display());
            return Err(io::Error::new(error.kind(), text));
        }
    }
    Ok(false)
}

impl Repository {
    /// Opens a `.git` directory or file.
    ///
    /// Git rejects repositories of another owner because their configuration could make it run
    /// programs. This crate runs none, so ownership does not matter, and CI containers need no
    /// `safe.directory`.
    pub(super) fn open(
        dot_git: &Path,
        work_tree: WorkTreePath<'_>,
    ) -> Result<Self, RepositoryError> {
        let limit = format!("gitoxide.objects.allocLimit={MAX_OBJECT_BYTES}");
        let options = gix::open::Options::isolated()
            .with(gix::sec::Trust::Full)
            .filter_config_section(|_| true)
            .open_path_as_is(true)
            .config_overrides([
                limit.as_str(),
                // With more threads, gix trusts the index on where entries begin, and panics on a
                // wrong offset.
                "index.threads=1",
                // Like Git, it does not verify the hash of the index: an entry counts only if it
                // matches both the commit and the file.
                "index.skipHash=true",
                // Only a clone of its own has them, so a date must not depend on them.
                "core.useReplaceRefs=false",
            ]);
        let gix = match options.open(dot_git) {
            Ok(gix) => gix.to_thread_local(),
            Err(error) if error.is_unsupported() => {
                return Err(RepositoryError::Unsupported(error_chain(&error)));
            }
            Err(error) => {
                let text = error_chain(&error);
                return Err(match is_repository(dot_git) {
                    Ok(false) => RepositoryError::NotARepository(text),
                    Ok(true) => RepositoryError::Unreadable(text),
                    Err(error) => unreadable(&error),
                });
            }
        };
        let reference_format = check_format(&gix)?;
        let configured = gix.workdir();
        let work_tree = match work_tree {
            WorkTreePath::Default => configured.or(dot_git.parent()).unwrap_or(dot_git),
            WorkTreePath::Given(path) => path,
            WorkTreePath::UnlessConfigured(path) => configured.unwrap_or(path),
        };
        let work_tree = work_tree
            .canonicalize()
            .map_err(|error| unreadable(&error))?;
        Ok(Self {
            gix,
            reference_format,
            work_tree,
        })
    }

    /// The directory of the checked-out files, with symlinks resolved.
    pub(super) fn work_tree(&self) -> &Path {
        &self.work_tree
    }

    /// Returns the checked-out commit; `None` if there are no commits yet.
    pub(super) fn head(&self) -> Result<Option<ObjectId>, RepositoryError> {
        match self.reference_format {
            ReferenceFormat::Files => self.head_in_files().map_err(|error| {
                RepositoryError::Unreadable(format!("`HEAD`: {}", error_chain(&error)))
            }),
            ReferenceFormat::Reftable => {
                self.head_in_reftable().map_err(|error| unreadable(&error))
            }
        }
    }

    fn head_in_files(&self) -> Result<Option<ObjectId>, gix::Error> {
        let head = self.gix.head()?;
        if let Some(id) = head.id() {
            return Ok(Some(id.detach()));
        }
        let branch = head.try_into_referent();
        branch
            .map(|mut branch| Ok(branch.follow_to_object()?.detach()))
            .transpose()
    }

    /// Reads `HEAD` in a format that gix does not read.
    fn head_in_reftable(&self) -> io::Result<Option<ObjectId>> {
        let common = ReferenceStack::read(self.gix.common_dir())?;
        if self.gix.git_dir() == self.gix.common_dir() {
            common.head(&common)
        } else {
            ReferenceStack::read(self.gix.git_dir())?.head(&common)
        }
    }

    /// Returns the boundary; no commit is ignored yet.
    pub(super) fn lineage(&self) -> Result<Lineage, RepositoryError> {
        Ok(Lineage {
            boundary: self.boundary()?,
            ignored: HashSet::new(),
        })
    }

    fn boundary(&self) -> Result<BTreeSet<ObjectId>, RepositoryError> {
        let commits = self.gix.shallow_commits().map_err(|error| {
            RepositoryError::Unreadable(format!("`shallow`: {}", error_chain(&error)))
        })?;
        let ids = commits.iter().flat_map(|commits| commits.iter());
        Ok(ids.copied().collect())
    }

    /// Detects a partial clone by its promisor remote, which has the missing objects.
    pub(super) fn is_partial(&self) -> bool {
        let configuration = self.gix.config_snapshot();
        // `sections_by_name` compares every section with every one of this name.
        let mut remotes = configuration
            .sections()
            .filter(|section| section.header().name().eq_ignore_ascii_case(b"remote"));
        remotes.any(|remote| remote.value("promisor").is_some())
    }

    /// Whether only a part of the committed files is checked out.
    pub(super) fn is_sparse(&self) -> bool {
        let configuration = self.gix.config_snapshot();
        configuration
            .boolean("core.sparseCheckout")
            .unwrap_or(false)
    }

    /// Opens the index; `None` if it is missing or unreadable.
    pub(super) fn index(&self) -> Option<GitIndex> {
        self.gix.open_index().ok().map(GitIndex)
    }

    /// Returns the id of a blob with these bytes.
    pub(super) fn blob_id(&self, bytes: &[u8]) -> Option<ObjectId> {
        gix::objs::compute_hash(self.gix.object_hash(), Kind::Blob, bytes).ok()
    }

    /// Finds the commit whose hash starts with `hex`; ignores objects of other types.
    pub(super) fn commit_with_prefix(&self, hex: &str) -> HashPrefix {
        let Ok(prefix) = gix::hash::Prefix::from_hex(&hex.to_ascii_lowercase()) else {
            return HashPrefix::Unknown;
        };
        let mut candidates = HashSet::new();
        if self
            .gix
            .objects
            .lookup_prefix(prefix, Some(&mut candidates))
            .is_err()
        {
            return HashPrefix::Unknown;
        }
        let is_commit = |id: &gix::ObjectId| {
            self.gix
                .find_header(*id)
                .is_ok_and(|header| header.kind() == Kind::Commit)
        };
        let mut commits = candidates.into_iter().filter(is_commit);
        match (commits.next(), commits.next()) {
            (Some(_), Some(_)) => HashPrefix::Ambiguous,
            (Some(id), None) => HashPrefix::Commit(id),
            (None, _) => HashPrefix::Unknown,
        }
    }
}

/// The error for a file of a repository that cannot be read.
fn unreadable(error: &io::Error) -> RepositoryError {
    RepositoryError::Unreadable(error.to_string())
}

impl GitIndex {
    /// Returns the entry of a path; `None` if it is in conflict.
    pub(super) fn stamp(&self, path: &[u8]) -> Option<IndexStamp> {
        let entry = self
            .0
            .entry_by_path_and_stage(path.into(), gix::index::entry::Stage::Unconflicted)?;
        Some(IndexStamp {
            id: entry.id,
            size: entry.stat.size,
            seconds: entry.stat.mtime.secs,
            nanoseconds: entry.stat.mtime.nsecs,
        })
    }
}

/// Returns the format of the references, and rejects formats that Git itself may read, but gix and
/// this crate do not.
///
/// Extensions count only from version 1 of the format on.
fn check_format(gix: &gix::Repository) -> Result<ReferenceFormat, RepositoryError> {
    let configuration = gix.config_snapshot();
    if configuration
        .integer("core.repositoryFormatVersion")
        .unwrap_or(0)
        < 1
    {
        return Ok(ReferenceFormat::Files);
    }
    let format = configuration.string("extensions.refStorage");
    let format = match format {
        Some(format) if format.eq_ignore_ascii_case(b"reftable") => ReferenceFormat::Reftable,
        _ => ReferenceFormat::Files,
    };
    let sections = configuration
        .sections()
        .filter(|section| section.header().name().eq_ignore_ascii_case(b"extensions"));
    let mut names = sections.flat_map(|section| {
        let names: Vec<String> = section.value_names().collect();
        names
    });
    let is_unknown = |name: &String| !EXTENSIONS.contains(&&*name.to_ascii_lowercase());
    names.find(is_unknown).map_or(Ok(format), |name| {
        Err(RepositoryError::Unsupported(format!(
            "its format has the unknown extension `{name}`"
        )))
    })
}

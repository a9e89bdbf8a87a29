//! Wraps a repository on disk behind ids and raw bytes; only this file, `pack_file.rs`,
//! `commit_graph.rs` and `git_notation.rs` use gix.
//!
//! It ignores the process environment and the user's and system's Git configuration, so that equal
//! repositories give equal results on every machine. It never fetches an object from a remote.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use gix::objs::{Find as _, Kind};

use super::git_files;
use super::git_notation::error_chain;
use super::index_stamp::IndexStamp;
use super::io_failure::{IoFailure, retried};
use super::limits::MAX_OBJECT_BYTES;
use super::lineage::Lineage;
use super::machine_probe;
use super::name_folding::NameFolding;
use super::object_bytes::ObjectBytes;
use super::object_id::ObjectId;
use super::object_kind::ObjectKind;
use super::reftable::ReferenceStack;
use super::repository_error::RepositoryError;

/// Limit for nested tags.
const MAX_TAG_CHAIN: usize = 100;

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

/// All objects of a repository, in any kind of storage.
#[derive(Clone)]
pub(super) struct Database {
    gix: gix::OdbHandle,
    completeness: Completeness,
    buffer: Vec<u8>,
}

/// Whether objects may be missing because the clone is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Completeness {
    Whole,
    Partial,
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

/// The commit that a hash prefix refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HashPrefix {
    Unknown,
    Commit(ObjectId),
    Ambiguous,
}

/// Whether a path is a `.git` directory, or a `.git` file that refers to one.
pub(super) fn is_repository(dot_git: &Path) -> bool {
    let exists = retried(|| std::fs::metadata(dot_git));
    let checked = exists.and_then(|_| git_files::check_head(dot_git));
    match checked {
        Ok(_) => {
            gix::discover::is_git(dot_git).is_ok()
                || machine_probe::failure_in(dot_git, None).is_some()
        }
        // It may be one: opening it reports the error.
        Err(error) => IoFailure::behind(&error).is_some(),
    }
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
        let failed = |error: io::Error| {
            RepositoryError::of(&error, error.to_string(), RepositoryError::Unopened)
        };
        git_files::check(dot_git).map_err(failed)?;
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
        let gix = options
            .open(dot_git)
            .map_err(|error| {
                RepositoryError::of(&error, error_chain(&error), RepositoryError::Unopened)
            })?
            .to_thread_local();
        let reference_format = check_format(&gix)?;
        let configured = gix.workdir();
        let work_tree = match work_tree {
            WorkTreePath::Default => configured.or(dot_git.parent()).unwrap_or(dot_git),
            WorkTreePath::Given(path) => path,
            WorkTreePath::UnlessConfigured(path) => configured.unwrap_or(path),
        };
        let work_tree = retried(|| work_tree.canonicalize()).map_err(failed)?;
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

    /// The path of the attributes file for the whole clone.
    pub(super) fn info_attributes(&self) -> PathBuf {
        self.gix.common_dir().join("info/attributes")
    }

    /// Returns the checked-out commit; `None` if there are no commits yet.
    ///
    /// Follows tags itself: gix panics on a malformed tag, and loops on one that refers to itself.
    pub(super) fn head(&self) -> Result<Option<ObjectId>, RepositoryError> {
        // While `git pack-refs` moves a branch to `packed-refs`, it may look like one without
        // commits.
        match self.head_now()? {
            Some(head) => Ok(Some(head)),
            None => self.head_now(),
        }
    }

    fn head_now(&self) -> Result<Option<ObjectId>, RepositoryError> {
        let unreadable = |error: gix::Error| {
            RepositoryError::of(&error, error_chain(&error), RepositoryError::Head)
        };
        let found = match self.reference_format {
            ReferenceFormat::Files => self.head_in_files().map_err(unreadable)?,
            ReferenceFormat::Reftable => self.head_in_reftable()?,
        };
        let Some(id) = found else { return Ok(None) };
        let find = |id: gix::ObjectId| {
            let object = self.gix.find_object(id);
            object.map_err(|error| self.cause_behind(unreadable(error), id))
        };
        let mut object = find(id)?;
        for _ in 0..MAX_TAG_CHAIN {
            if object.kind != Kind::Tag {
                return Ok(ObjectId::from_bytes(object.id.as_bytes()));
            }
            let target = object.to_tag_ref_iter().target_id().map_err(unreadable)?;
            object = find(target)?;
        }
        Err(RepositoryError::Head(format!(
            "`{id}` is a chain of more than {MAX_TAG_CHAIN} tags"
        )))
    }

    /// The failure of the machine because of which an object was not found, or else the error.
    fn cause_behind(&self, error: RepositoryError, id: gix::ObjectId) -> RepositoryError {
        let objects = self.gix.objects.store_ref().path();
        let id = ObjectId::from_bytes(id.as_bytes());
        machine_probe::cause_in_objects(error, objects, id)
    }

    /// Returns the object that `HEAD` refers to.
    fn head_in_files(&self) -> Result<Option<gix::ObjectId>, gix::Error> {
        let head = self.gix.head()?;
        if let Some(id) = head.id() {
            return Ok(Some(id.detach()));
        }
        let branch = head.try_into_referent();
        branch
            .map(|mut branch| Ok(branch.follow_to_object()?.detach()))
            .transpose()
    }

    /// Returns the object that `HEAD` refers to in a format that gix does not read.
    fn head_in_reftable(&self) -> Result<Option<gix::ObjectId>, RepositoryError> {
        let failed = |error: io::Error| {
            RepositoryError::of(&error, error.to_string(), RepositoryError::Head)
        };
        let common = ReferenceStack::read(self.gix.common_dir()).map_err(failed)?;
        let own = if self.gix.git_dir() == self.gix.common_dir() {
            None
        } else {
            Some(ReferenceStack::read(self.gix.git_dir()).map_err(failed)?)
        };
        let head = own.as_ref().unwrap_or(&common).head(&common);
        let id = head.map_err(failed)?;
        Ok(id.and_then(|id| gix::ObjectId::try_from(id.as_bytes()).ok()))
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
            RepositoryError::of(&error, error_chain(&error), RepositoryError::Boundary)
        })?;
        let ids = commits.iter().flat_map(|commits| commits.iter());
        Ok(ids
            .filter_map(|id| ObjectId::from_bytes(id.as_bytes()))
            .collect())
    }

    /// The object database, in any kind of storage.
    pub(super) fn database(&self) -> Database {
        let mut gix = self.gix.objects.clone();
        gix.refresh_never();
        Database {
            gix,
            completeness: self.completeness(),
            buffer: Vec::new(),
        }
    }

    /// The object directory and its alternates.
    pub(super) fn object_dirs(&self) -> Vec<PathBuf> {
        let store = self.gix.objects.store_ref();
        let alternates = store.alternate_db_paths().unwrap_or_default();
        std::iter::once(store.path().to_path_buf())
            .chain(alternates)
            .collect()
    }

    /// Detects a partial clone by its promisor remote, which has the missing objects.
    fn completeness(&self) -> Completeness {
        let configuration = self.gix.config_snapshot();
        // `sections_by_name` compares every section with every one of this name.
        let mut remotes = configuration
            .sections()
            .filter(|section| section.header().name().eq_ignore_ascii_case(b"remote"));
        let is_promising = remotes.any(|remote| remote.value("promisor").is_some());
        if is_promising {
            Completeness::Partial
        } else {
            Completeness::Whole
        }
    }

    /// Whether only a part of the committed files is checked out.
    pub(super) fn is_sparse(&self) -> bool {
        let configuration = self.gix.config_snapshot();
        configuration
            .boolean("core.sparseCheckout")
            .unwrap_or(false)
    }

    pub(super) fn is_partial(&self) -> bool {
        self.completeness() == Completeness::Partial
    }

    /// Opens the index; `None` if it is missing or unreadable.
    pub(super) fn index(&self) -> Option<GitIndex> {
        git_files::check_index(&self.gix.index_path()).ok()?;
        self.gix.open_index().ok().map(GitIndex)
    }

    /// Returns the id of a blob with these bytes.
    pub(super) fn blob_id(&self, bytes: &[u8]) -> Option<ObjectId> {
        let id = gix::objs::compute_hash(self.gix.object_hash(), Kind::Blob, bytes).ok()?;
        ObjectId::from_bytes(id.as_bytes())
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
            (Some(id), None) => {
                ObjectId::from_bytes(id.as_bytes()).map_or(HashPrefix::Unknown, HashPrefix::Commit)
            }
            (None, _) => HashPrefix::Unknown,
        }
    }

    /// The differences between names that the file system ignores.
    pub(super) fn folding(&self) -> NameFolding {
        let is_set = |key: &str| self.gix.config_snapshot().boolean(key).unwrap_or(false);
        NameFolding {
            case: is_set("core.ignoreCase"),
            composition: is_set("core.precomposeUnicode"),
        }
    }
}

impl Database {
    /// Reads an object and checks its type and hash.
    pub(super) fn read(
        &mut self,
        id: &ObjectId,
        kind: ObjectKind,
    ) -> Result<ObjectBytes, RepositoryError> {
        let damaged = |reason: &str| RepositoryError::Damaged {
            id: *id,
            reason: reason.to_owned(),
        };
        let name =
            gix::oid::try_from_bytes(id.as_bytes()).map_err(|error| damaged(&error.to_string()))?;
        let object = match self.gix.try_find(name, &mut self.buffer) {
            Ok(Some(object)) => object,
            Ok(None) if self.completeness == Completeness::Partial => {
                return Err(RepositoryError::NotFetched(*id));
            }
            Ok(None) => return Err(RepositoryError::Missing(*id)),
            Err(error) => {
                return Err(RepositoryError::of(&error, error_chain(&error), |text| {
                    damaged(&text)
                }));
            }
        };
        if ObjectKind::from(object.kind) != kind {
            return Err(damaged("it has the wrong object type"));
        }
        if object.verify_checksum(name).is_err() {
            return Err(damaged("its content does not match its hash"));
        }
        Ok(object.data.to_vec().into())
    }
}

impl GitIndex {
    /// Returns the entry of a path; `None` if it is in conflict.
    pub(super) fn stamp(&self, path: &[u8]) -> Option<IndexStamp> {
        let entry = self
            .0
            .entry_by_path_and_stage(path.into(), gix::index::entry::Stage::Unconflicted)?;
        Some(IndexStamp {
            id: ObjectId::from_bytes(entry.id.as_bytes())?,
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
        Err(RepositoryError::UnknownExtension(name))
    })
}

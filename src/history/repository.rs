//! One repository on disk, behind ids and raw bytes: the only file of the room that names gix.
//!
//! Nothing is read from the process' environment and nothing from the user's or the system's git configuration, so
//! that equal repositories give equal answers on every machine. No object is ever fetched from a remote.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gix::objs::{Find as _, Kind};

use super::commit::Commit;
use super::{ObjectId, Trouble};

/// An open repository.
pub(super) struct Repository {
    gix: gix::Repository,
    work_tree: PathBuf,
}

/// A reader of commits and trees.
pub(super) struct Objects {
    database: gix::OdbHandle,
    buffer: Vec<u8>,
}

/// Whether a path is a `.git` folder, or a `.git` file that leads to one.
pub(super) fn is_repository(dot_git: &Path) -> bool {
    gix::discover::is_git(dot_git).is_ok()
}

impl Repository {
    /// Opens the repository whose `.git` lies in a folder.
    ///
    /// Git refuses repositories of another owner because their configuration could make it run programs. Nothing here
    /// runs one, so ownership does not matter, and CI containers need no `safe.directory`.
    pub(super) fn open(folder: &Path) -> Result<Self, Trouble> {
        let options = gix::open::Options::isolated()
            .with(gix::sec::Trust::Full)
            .filter_config_section(|_| true)
            .open_path_as_is(true);
        let gix = options.open(folder.join(".git")).map_err(|error| Trouble::Unopened(chain(&error)))?;
        let gix = gix.to_thread_local();
        let work_tree = gix.workdir().unwrap_or(folder);
        let work_tree = work_tree.canonicalize().map_err(|error| Trouble::Unopened(error.to_string()))?;
        Ok(Self { gix, work_tree })
    }

    /// The folder of the files that are checked out, without symbolic links.
    pub(super) fn work_tree(&self) -> &Path {
        &self.work_tree
    }

    /// The commit that is checked out; `None` where nothing is committed yet.
    pub(super) fn head(&self) -> Result<Option<ObjectId>, Trouble> {
        let unreadable = |error: gix::Error| Trouble::Head(chain(&error));
        let mut head = self.gix.head().map_err(unreadable)?;
        let id = head.try_peel_to_id().map_err(unreadable)?;
        Ok(id.and_then(|id| ObjectId::from_bytes(id.as_bytes())))
    }

    /// The commits of a shallow clone whose parents were not fetched.
    pub(super) fn boundary(&self) -> Result<HashSet<ObjectId>, Trouble> {
        let commits = self.gix.shallow_commits().map_err(|error| Trouble::Boundary(chain(&error)))?;
        let ids = commits.iter().flat_map(|commits| commits.iter());
        Ok(ids.filter_map(|id| ObjectId::from_bytes(id.as_bytes())).collect())
    }

    /// A reader of its objects.
    pub(super) fn objects(&self) -> Objects {
        let mut database = self.gix.objects.clone();
        database.refresh_never();
        Objects { database, buffer: Vec::new() }
    }
}

impl Objects {
    /// Reads a commit.
    pub(super) fn commit(&mut self, id: &ObjectId) -> Result<Commit, Trouble> {
        let raw = self.read(id, Kind::Commit)?;
        Commit::parse(raw).ok_or_else(|| Trouble::Damaged { id: *id, reason: "its header is unreadable".into() })
    }

    /// Reads the raw bytes of a tree.
    pub(super) fn tree(&mut self, id: &ObjectId) -> Result<Rc<[u8]>, Trouble> {
        if gix::oid::try_from_bytes(id.as_bytes()).is_ok_and(gix::oid::is_empty_tree) {
            return Ok(Rc::new([])); // git knows the empty tree without storing it
        }
        self.read(id, Kind::Tree).map(Rc::from)
    }

    fn read(&mut self, id: &ObjectId, kind: Kind) -> Result<&[u8], Trouble> {
        let damaged = |reason: String| Trouble::Damaged { id: *id, reason };
        let name = gix::oid::try_from_bytes(id.as_bytes()).map_err(|error| damaged(error.to_string()))?;
        match self.database.try_find(name, &mut self.buffer) {
            Ok(Some(object)) if object.kind == kind => Ok(object.data),
            Ok(Some(object)) => Err(damaged(format!("it is a {} and should be a {kind}", object.kind))),
            Ok(None) => Err(Trouble::Missing(*id)),
            Err(error) => Err(damaged(chain(&error))),
        }
    }
}

/// The error's text with those of its causes.
fn chain(error: &gix::Error) -> String {
    format!("{error:#}")
}

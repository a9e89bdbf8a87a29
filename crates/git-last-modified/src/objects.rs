//! Reads commits and trees by id: from the packs, falling back to gix's object database.

use std::sync::Arc;

use super::commit::{Commit, CommitTimes};
use super::commit_graph::CommitGraph;
use super::object_bytes::ObjectBytes;
use super::object_id::ObjectId;
use super::object_kind::ObjectKind;
use super::pack_file::Pack;
use super::packs::{PackedObject, Packs};
use super::repository::{Database, Repository};
use super::repository_error::RepositoryError;

/// A reader of commits and trees.
pub(super) struct ObjectReader {
    packs: Packs,
    database: Database,
    graph: Option<Arc<CommitGraph>>,
    /// How many commits were read from packs or the database.
    commits_read: u64,
}

/// The parts of a reader that can be sent to another thread.
pub(super) struct ObjectStore {
    pub(super) packs: Arc<[Pack]>,
    pub(super) database: Database,
    pub(super) graph: Option<Arc<CommitGraph>>,
}

/// A tree that was read.
pub(super) struct TreeVersion {
    pub(super) id: ObjectId,
    content: TreeContent,
}

enum TreeContent {
    Packed(PackedObject),
    Elsewhere(ObjectBytes),
}

impl TreeVersion {
    pub(super) fn bytes(&self) -> &ObjectBytes {
        match &self.content {
            TreeContent::Packed(object) => &object.bytes,
            TreeContent::Elsewhere(bytes) => bytes,
        }
    }

    pub(super) fn into_bytes(self) -> ObjectBytes {
        match self.content {
            TreeContent::Packed(object) => object.bytes,
            TreeContent::Elsewhere(bytes) => bytes,
        }
    }
}

impl Repository {
    /// Returns a reader of all objects.
    pub(super) fn objects(&self) -> ObjectReader {
        ObjectStore {
            packs: self.packs().into(),
            database: self.database(),
            graph: self.commit_graph().map(Arc::new),
        }
        .reader()
    }
}

impl ObjectStore {
    /// Creates a reader, which must stay on its thread.
    pub(super) fn reader(self) -> ObjectReader {
        ObjectReader {
            packs: Packs::new(self.packs),
            database: self.database,
            graph: self.graph,
            commits_read: 0,
        }
    }
}

impl ObjectReader {
    /// Returns a handle to read the same objects on another thread.
    pub(super) fn share(&self) -> ObjectStore {
        ObjectStore {
            packs: self.packs.share(),
            database: self.database.clone(),
            graph: self.graph.clone(),
        }
    }

    /// Returns a commit, without its dates if it is from the commit-graph.
    pub(super) fn commit(&mut self, id: &ObjectId) -> Result<Commit, RepositoryError> {
        let graph = self.graph.as_ref();
        if let Some(commit) = graph.and_then(|graph| graph.commit(id, self.commits_read)) {
            return Ok(commit);
        }
        self.commits_read += 1;
        self.whole_commit(id)
    }

    /// Returns the dates of a commit, which are read now if it is from the commit-graph.
    pub(super) fn times(
        &mut self,
        id: &ObjectId,
        known: &Commit,
    ) -> Result<CommitTimes, RepositoryError> {
        if let Some(times) = known.times {
            return Ok(times);
        }
        let read = self.whole_commit(id)?;
        match read.times {
            Some(times) if read.tree == known.tree && read.parents == known.parents => Ok(times),
            _ => Err(RepositoryError::Damaged {
                id: *id,
                reason: "the commit-graph contradicts it".into(),
            }),
        }
    }

    fn whole_commit(&mut self, id: &ObjectId) -> Result<Commit, RepositoryError> {
        if let Some(commit) = self.packs.commit(id) {
            return Ok(commit);
        }
        let raw = self.database.read(id, ObjectKind::Commit)?;
        Commit::parse(&raw).ok_or_else(|| RepositoryError::Damaged {
            id: *id,
            reason: "its header cannot be parsed".into(),
        })
    }

    /// Reads the raw bytes of a commit.
    pub(super) fn raw_commit(&mut self, id: &ObjectId) -> Result<ObjectBytes, RepositoryError> {
        self.read(id, ObjectKind::Commit)
    }

    /// Reads the raw bytes of a tree.
    pub(super) fn tree(&mut self, id: &ObjectId) -> Result<ObjectBytes, RepositoryError> {
        if id.is_empty_tree() {
            return Ok(ObjectBytes::default()); // git knows the empty tree without storing it
        }
        self.read(id, ObjectKind::Tree)
    }

    /// Reads a version of a directory into a buffer, given the versions that were read before it.
    pub(super) fn tree_version(
        &mut self,
        id: ObjectId,
        earlier: &[TreeVersion],
        buffer: Vec<u8>,
    ) -> Result<TreeVersion, RepositoryError> {
        let bases = earlier.iter().filter_map(|version| match &version.content {
            TreeContent::Packed(object) => Some(object),
            TreeContent::Elsewhere(_) => None,
        });
        let content = match self.packs.read_version(&id, &bases, buffer) {
            Some(object) if object.kind == ObjectKind::Tree => TreeContent::Packed(object),
            _ => TreeContent::Elsewhere(self.tree(&id)?),
        };
        Ok(TreeVersion { id, content })
    }

    /// Reads the content of a file.
    pub(super) fn blob(&mut self, id: &ObjectId) -> Result<ObjectBytes, RepositoryError> {
        self.read(id, ObjectKind::Blob)
    }

    fn read(&mut self, id: &ObjectId, kind: ObjectKind) -> Result<ObjectBytes, RepositoryError> {
        match self.packs.read(id) {
            Some(object) if object.kind == kind => Ok(object.bytes),
            // Not packed, damaged or of another type: the database reports the exact error.
            _ => self.database.read(id, kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::repository::WorkTreePath;

    fn git(directory: &Path, arguments: &[&str], input: &[u8]) -> String {
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("GIT_DIR");
        git.args(arguments)
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut running = git.spawn().expect("git runs");
        running
            .stdin
            .take()
            .expect("stdin is piped")
            .write_all(input)
            .expect("git reads its input");
        let done = running.wait_with_output().expect("git exits");
        assert!(done.status.success(), "{arguments:?}");
        String::from_utf8(done.stdout).expect("git prints UTF-8")
    }

    /// A history that changes one of 200 files per commit: long delta chains of commits and trees.
    fn history() -> String {
        let change = |at: usize| {
            let files = if at == 0 {
                0..200
            } else {
                at * 7 % 200..at * 7 % 200 + 1
            };
            let file = |file| {
                format!(
                    "M 100644 inline folder/page-{file}.md\ndata 8\n{:08}\n",
                    at * 1000 + file
                )
            };
            let files: String = files.map(file).collect();
            format!(
                "commit refs/heads/main\ncommitter C <c@example.com> {} +0000\ndata 0\n{files}\n",
                1_700_000_000 + at
            )
        };
        (0..300).map(change).collect()
    }

    #[test]
    fn packs_and_database_agree_on_every_object() {
        let check = |options: &[&str], repack: &[&str]| {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let directory = directory.path();
            git(
                directory,
                &[&["init", "-q", "-b", "main"], options].concat(),
                b"",
            );
            git(directory, &["fast-import", "--quiet"], history().as_bytes());
            git(directory, repack, b"");
            let repository = Repository::open(&directory.join(".git"), WorkTreePath::Default)
                .expect("a valid repository");
            let mut objects = repository.objects();
            let mut versions = Vec::new();
            let listed = git(
                directory,
                &["cat-file", "--batch-check", "--batch-all-objects"],
                b"",
            );
            for line in listed.lines() {
                let (id, kind) = line.split_once(' ').expect("hash and type");
                let id = ObjectId::from_hex(id.as_bytes()).expect("a hash");
                let found = objects.packs.read(&id).expect("every object is packed");
                assert!(
                    kind.starts_with(&format!("{:?}", found.kind).to_lowercase()),
                    "{line}: {:?}",
                    found.kind
                );
                let stored = objects.database.read(&id, found.kind);
                assert_eq!(stored, Ok(found.bytes), "{line}");
                if found.kind == ObjectKind::Tree {
                    let dirty_buffer = line.as_bytes().to_vec();
                    let version = repository
                        .objects()
                        .tree_version(id, &versions, dirty_buffer)
                        .expect("every object is sound");
                    assert_eq!(stored.as_ref(), Ok(version.bytes()), "{line}");
                    versions.push(version);
                }
            }
        };
        check(
            &[],
            &[
                "repack",
                "-q",
                "-a",
                "-d",
                "-f",
                "--depth=50",
                "--window=50",
            ],
        );
        check(
            &[],
            &[
                "-c",
                "repack.useDeltaBaseOffset=false",
                "repack",
                "-q",
                "-a",
                "-d",
                "-f",
            ],
        );
        check(
            &["--object-format=sha256"],
            &["repack", "-q", "-a", "-d", "-f"],
        );
    }
}

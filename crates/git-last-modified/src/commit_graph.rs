//! Reads parents, trees and times of commits from Git's commit-graph files instead of the commits.
//!
//! A graph saves inflating the commits that a walk only passes; a commit that dates a file is always
//! read itself. Git trusts these files without looking at their checksum, but one flipped bit in
//! them leads to another parent, and so to a false date. Therefore a graph counts only if the
//! checksums of all its files are right. See gitformat-commit-graph(5).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gix::commitgraph::{File, Graph};

use super::commit::Commit;
use super::git_files;
use super::limits;
use super::object_id::ObjectId;
use super::repository::Repository;

/// Bytes of a graph that take as long to verify as one commit takes to inflate.
const BYTES_PER_COMMIT: u64 = 1024;

/// The commit-graph of a repository, which is verified when it is worth it.
pub(super) struct CommitGraph {
    dirs: Vec<PathBuf>,
    hash: gix::hash::Kind,
    /// How many commits to read from packs before the graph is verified.
    patience: u64,
    opened: OnceLock<Option<Graph>>,
}

impl Repository {
    /// Finds the commit-graph. Like Git, ignores it in a shallow clone and with
    /// `core.commitGraph = false`.
    pub(super) fn commit_graph(&self) -> Option<CommitGraph> {
        let configuration = self.gix.config_snapshot();
        let is_enabled = configuration.boolean("core.commitGraph").unwrap_or(true);
        if !is_enabled || self.gix.is_shallow().unwrap_or(true) {
            return None;
        }
        CommitGraph::find(&self.object_dirs(), self.gix.object_hash())
    }
}

impl CommitGraph {
    /// Finds the graph in the first of these object directories that has one.
    pub(super) fn find(object_dirs: &[PathBuf], hash: gix::hash::Kind) -> Option<Self> {
        let dirs: Vec<PathBuf> = object_dirs.iter().map(|dir| dir.join("info")).collect();
        let bytes = dirs.iter().find_map(|info| graph_bytes(info))?;
        Some(Self {
            dirs,
            hash,
            patience: bytes / BYTES_PER_COMMIT,
            opened: OnceLock::new(),
        })
    }

    /// Returns the commit without its dates, if the graph has it; `commits_read` is the number of
    /// commits that were read from elsewhere.
    pub(super) fn commit(&self, id: &ObjectId, commits_read: u64) -> Option<Commit> {
        if commits_read < self.patience {
            return None;
        }
        let graph = self.opened.get_or_init(|| self.open()).as_ref()?;
        let found = graph.commit_by_id(gix::oid::try_from_bytes(id.as_bytes()).ok()?)?;
        let ids = found.iter_parents().map(|place| {
            let parent = graph.id_at(place.ok()?);
            ObjectId::from_bytes(parent.as_bytes())
        });
        Some(Commit {
            tree: ObjectId::from_bytes(found.root_tree_id().as_bytes())?,
            parents: ids.collect::<Option<_>>()?,
            seconds: i64::try_from(found.committer_timestamp()).ok()?,
            times: None,
        })
    }

    fn open(&self) -> Option<Graph> {
        self.dirs
            .iter()
            .find_map(|info| verified_graph(info, self.hash))
    }
}

/// The number of bytes in the graph of a directory `objects/info`.
fn graph_bytes(info: &Path) -> Option<u64> {
    let sizes = graph_files(info).ok()?.into_iter();
    let sizes: Option<Vec<u64>> = sizes
        .map(|file| Some(file.metadata().ok()?.len()))
        .collect();
    Some(sizes?.into_iter().sum())
}

/// The files of a graph, each of which continues those before it. Git prefers a single file.
fn graph_files(info: &Path) -> io::Result<Vec<PathBuf>> {
    git_files::check_graphs(info)?;
    let single = info.join("commit-graph");
    if single.try_exists()? {
        return Ok(vec![single]);
    }
    let dir = info.join("commit-graphs");
    let chain = limits::read(&dir.join("commit-graph-chain"), limits::MAX_FILE_BYTES)?;
    let names = String::from_utf8(chain).map_err(io::Error::other)?;
    let file_of = |name: &str| {
        let hash = ObjectId::from_hex(name.as_bytes());
        let hash = hash.ok_or_else(|| io::Error::other("it is not a list of graphs"))?;
        Ok(dir.join(format!("graph-{hash}.graph")))
    };
    names.lines().map(file_of).collect()
}

/// Opens a graph whose files are undamaged and fit together.
fn verified_graph(info: &Path, hash: gix::hash::Kind) -> Option<Graph> {
    let mut files: Vec<File> = Vec::new();
    for path in graph_files(info).ok()? {
        let file = File::at(&path).ok()?;
        let bases = files.iter().map(File::checksum);
        let fits = usize::from(file.base_graph_count()) == files.len()
            && file.iter_base_graph_ids().eq(bases)
            && file.object_hash() == hash;
        if !fits || file.verify_checksum().is_err() {
            return None;
        }
        files.push(file);
    }
    Graph::new(files).ok()
}

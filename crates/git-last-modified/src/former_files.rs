//! Finds files that the checked-out commit or its history has, but that are no longer on disk.
//!
//! Reads each version of a directory once, so the walk costs little more than the commits.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::lineage::Lineage;
use super::objects::ObjectReader;
use super::repository::Repository;
use super::source_files::path_in;
use super::tree::{EntryKind, is_searched};
use super::{ObjectId, RepositoryError, enclosing_repository};

/// Maximum number of commits to visit, from the checked-out one on.
const MAX_COMMITS: usize = 10_000;

/// Maximum number of files to return for a directory; the contents of each are read.
const MAX_FILES: usize = 2_000;

/// A file that is no longer on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerFile {
    /// Its absolute path, with symlinks in the directories resolved.
    pub path: PathBuf,
    /// Its content in the newest commit that has it.
    pub content: Vec<u8>,
}

/// Finds the files that the checked-out commit, or one of the 10,000 commits before it, has below
/// these directories, but that do not exist. Returns at most 2,000 for each, sorted by path.
///
/// `may_be_wanted` is called with the name of each file; hidden directories and `node_modules` are
/// not searched. A sparse checkout has no such files, because what is missing there may exist. A
/// file whose content was not fetched is passed over.
pub fn former_files(
    dirs: &[PathBuf],
    may_be_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<FormerFile>, RepositoryError> {
    let mut found = BTreeMap::new();
    for dir in dirs {
        let Some(root) = enclosing_repository(dir)? else {
            continue;
        };
        let repository = Repository::open(&root)?;
        let Some(head) = repository.head()?.filter(|_| !repository.is_sparse()) else {
            continue;
        };
        let mut search = FormerSearch {
            work_tree: &repository.work_tree,
            objects: repository.objects(),
            may_be_wanted,
            seen_dirs: HashSet::new(),
            seen_files: HashSet::new(),
            found: BTreeMap::new(),
        };
        let dir = path_in(search.work_tree, dir);
        search.walk(head, &repository.lineage()?, &dir)?;
        found.append(&mut search.found);
    }
    let files = found.into_iter();
    Ok(files
        .map(|(path, content)| FormerFile { path, content })
        .collect())
}

struct FormerSearch<'a> {
    work_tree: &'a Path,
    objects: ObjectReader,
    may_be_wanted: &'a dyn Fn(&[u8]) -> bool,
    /// The versions of each directory that were read.
    seen_dirs: HashSet<(Vec<u8>, ObjectId)>,
    seen_files: HashSet<Vec<u8>>,
    /// Missing files and their contents.
    found: BTreeMap<PathBuf, Vec<u8>>,
}

impl FormerSearch<'_> {
    fn walk(
        &mut self,
        head: ObjectId,
        lineage: &Lineage,
        dir: &[u8],
    ) -> Result<(), RepositoryError> {
        let (mut queue, mut queued) = (VecDeque::from([head]), HashSet::from([head]));
        let mut visited = 0;
        while let Some(id) = queue.pop_front() {
            visited += 1;
            if visited > MAX_COMMITS {
                break;
            }
            let commit = self.objects.commit(&id)?;
            if let Some((EntryKind::Tree, tree)) = self.objects.entry_at(&commit.tree, dir)? {
                self.read_below(dir, tree)?;
            }
            for parent in lineage.parents(&id, &commit) {
                if queued.insert(*parent) {
                    queue.push_back(*parent);
                }
            }
        }
        Ok(())
    }

    /// Reads a version of a directory, and all directories in it.
    fn read_below(&mut self, dir: &[u8], tree: ObjectId) -> Result<(), RepositoryError> {
        if !self.seen_dirs.insert((dir.to_vec(), tree)) {
            return Ok(());
        }
        let listed = self.objects.tree(&tree)?;
        let mut entries = listed.entries();
        // A damaged tree ends early.
        while let Ok(Some(entry)) = entries.next() {
            let path = match dir {
                b"" => entry.filename.to_vec(),
                dir => [dir, b"/", entry.filename].concat(),
            };
            match entry.mode.kind() {
                EntryKind::Tree if is_searched(entry.filename) => {
                    self.read_below(&path, entry.oid.into())?;
                }
                EntryKind::Blob | EntryKind::BlobExecutable
                    if (self.may_be_wanted)(entry.filename)
                        && self.seen_files.insert(path.clone()) =>
                {
                    self.add_if_missing(&path, &entry.oid.into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_if_missing(&mut self, path: &[u8], blob: &ObjectId) {
        let Ok(path) = std::str::from_utf8(path) else {
            return;
        };
        let path = self.work_tree.join(path);
        if self.found.len() < MAX_FILES
            && path.symlink_metadata().is_err()
            && let Ok(content) = self.objects.blob(blob)
        {
            self.found.insert(path, content);
        }
    }
}

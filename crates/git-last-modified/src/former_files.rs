//! Finds files that the checked-out commit or its history has, but that are no longer on disk.
//!
//! Reads each version of a directory once, so the walk costs little more than the commits.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::lineage::Lineage;
use super::objects::ObjectReader;
use super::repository::{Repository, WorkTreePath};
use super::source_files::path_in;
use super::tree::{EntryKind, TreeEntries};
use super::{ObjectId, RepositoryError, enclosing_repository};

/// Maximum number of commits to visit, from the checked-out one on.
const MAX_COMMITS: usize = 10_000;

/// Maximum number of files to return; the contents of each are read.
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
/// these directories, but that do not exist. Returns at most 2,000, sorted by path.
///
/// `may_be_wanted` is called with the name of each file; hidden directories and `node_modules` are
/// not searched. A sparse checkout has no such files, because what is missing there may exist. A
/// file whose content was not fetched is passed over.
pub fn former_files(
    dirs: &[PathBuf],
    may_be_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<FormerFile>, RepositoryError> {
    let mut by_root: BTreeMap<PathBuf, Vec<&Path>> = BTreeMap::new();
    for dir in dirs {
        let root = enclosing_repository(dir);
        let failed = |error: std::io::Error| RepositoryError::Machine(error.to_string());
        if let Some(root) = root.map_err(failed)? {
            by_root.entry(root).or_default().push(dir);
        }
    }
    let mut found = Vec::new();
    for (root, dirs) in by_root {
        let repository = Repository::open(&root.join(".git"), WorkTreePath::Default)?;
        if !repository.is_sparse() {
            found.extend(former_files_in(&repository, &dirs, may_be_wanted)?);
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found.dedup_by(|later, first| later.path == first.path);
    Ok(found)
}

fn former_files_in(
    repository: &Repository,
    dirs: &[&Path],
    may_be_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<FormerFile>, RepositoryError> {
    let Some(head) = repository.head()? else {
        return Ok(Vec::new());
    };
    let lineage = repository.lineage()?;
    let mut search = FormerSearch {
        work_tree: repository.work_tree(),
        objects: repository.objects(),
        may_be_wanted,
        seen_dirs: HashSet::new(),
        seen_files: HashSet::new(),
        found: Vec::new(),
    };
    let paths: Vec<Vec<u8>> = dirs
        .iter()
        .map(|dir| path_in(search.work_tree, dir))
        .collect();
    search.walk(head, &lineage, &paths)?;
    let FormerSearch {
        work_tree,
        mut objects,
        found,
        ..
    } = search;
    let read = |(path, id): (Vec<u8>, ObjectId)| {
        let path = work_tree.join(std::str::from_utf8(&path).ok()?);
        let content = objects.blob(&id).ok()?.to_vec();
        Some(FormerFile { path, content })
    };
    Ok(found.into_iter().filter_map(read).collect())
}

struct FormerSearch<'a> {
    work_tree: &'a Path,
    objects: ObjectReader,
    may_be_wanted: &'a dyn Fn(&[u8]) -> bool,
    /// The versions of each directory that were read.
    seen_dirs: HashSet<(Vec<u8>, ObjectId)>,
    seen_files: HashSet<Vec<u8>>,
    /// Missing files, the newest commits first.
    found: Vec<(Vec<u8>, ObjectId)>,
}

impl FormerSearch<'_> {
    fn walk(
        &mut self,
        head: ObjectId,
        lineage: &Lineage,
        dirs: &[Vec<u8>],
    ) -> Result<(), RepositoryError> {
        let (mut queue, mut queued) = (VecDeque::from([head]), HashSet::from([head]));
        let mut visited = 0;
        while let Some(id) = queue.pop_front() {
            visited += 1;
            if visited > MAX_COMMITS || self.found.len() >= MAX_FILES {
                break;
            }
            let commit = self.objects.commit(&id)?;
            for dir in dirs {
                self.read_below(b"", commit.tree, dir)?;
            }
            for parent in lineage.parents(&id, &commit) {
                if queued.insert(*parent) {
                    queue.push_back(*parent);
                }
            }
        }
        self.found.truncate(MAX_FILES);
        Ok(())
    }

    /// Reads the directory at `wanted` below the tree of `at`, and all directories in it.
    fn read_below(
        &mut self,
        at: &[u8],
        tree: ObjectId,
        wanted: &[u8],
    ) -> Result<(), RepositoryError> {
        let is_inside = at.len() >= wanted.len();
        if is_inside && !self.seen_dirs.insert((at.to_vec(), tree)) {
            return Ok(());
        }
        let raw = self.objects.tree(&tree)?;
        let mut entries = TreeEntries::new(&raw, &tree);
        // A damaged tree ends early.
        while let Ok(Some(entry)) = entries.next() {
            let mut path = at.to_vec();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(entry.name);
            match entry.kind {
                EntryKind::Directory if is_inside && is_searched(entry.name) => {
                    self.read_below(&path, entry.id(), wanted)?;
                }
                EntryKind::Directory if !is_inside && leads_to(&path, wanted) => {
                    return self.read_below(&path, entry.id(), wanted);
                }
                EntryKind::File | EntryKind::Executable
                    if is_inside && (self.may_be_wanted)(entry.name) =>
                {
                    self.add_if_missing(path, entry.id());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_if_missing(&mut self, path: Vec<u8>, blob: ObjectId) {
        if self.seen_files.contains(&path) {
            return;
        }
        let is_missing = std::str::from_utf8(&path)
            .is_ok_and(|path| self.work_tree.join(path).symlink_metadata().is_err());
        if is_missing {
            self.found.push((path.clone(), blob));
        }
        self.seen_files.insert(path);
    }
}

fn is_searched(dir: &[u8]) -> bool {
    !dir.starts_with(b".") && dir != b"node_modules"
}

/// Whether a directory is `wanted` or above it.
fn leads_to(dir: &[u8], wanted: &[u8]) -> bool {
    wanted
        .strip_prefix(dir)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_leads_to_itself_and_to_those_below() {
        let check = |dir: &str, expected: bool| {
            let found = leads_to(dir.as_bytes(), b"docs/content");
            assert_eq!(found, expected, "{dir}");
        };
        check("docs", true);
        check("docs/content", true);
        check("docs/con", false);
        check("docs/content/a", false);
        check("other", false);
    }
}

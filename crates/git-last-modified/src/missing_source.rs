//! Finds out why a source is not on disk although it is committed.

use std::fmt;
use std::path::Path;

use super::enclosing_repository;
use super::repository::{Repository, WorkTreePath};
use super::source_files::path_in;
use super::tree::EntryKind;

/// The reason that a committed source is not on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingSource {
    /// It is in a submodule that is not checked out, at this path in its repository.
    Submodule(String),
    /// It is not in the part of the work tree that a sparse checkout has; this is its directory.
    SparseCheckout(String),
}

impl MissingSource {
    /// Looks up a file that does not exist; `None` if it is not committed either, or was deleted.
    pub fn of(file: &Path) -> Option<Self> {
        let (dir, real) = file
            .ancestors()
            .find_map(|dir| Some((dir, dir.canonicalize().ok()?)))?;
        let missing = file.strip_prefix(dir).ok()?;
        let root = enclosing_repository(&real).ok()??;
        // Most repositories have neither, and need not be opened.
        let dot_git = root.join(".git");
        let is_partial = root.join(".gitmodules").exists()
            || dot_git.is_file()
            || dot_git.join("info/sparse-checkout").exists();
        if !is_partial {
            return None;
        }
        let repository = Repository::open(&dot_git, WorkTreePath::Default).ok()?;
        let path = real.join(missing);
        let path = path.strip_prefix(repository.work_tree()).ok()?;
        Self::in_commit(&repository, path)
    }

    fn in_commit(repository: &Repository, path: &Path) -> Option<Self> {
        let mut objects = repository.objects();
        let root = objects.commit(&repository.head().ok()??).ok()?.tree;
        let in_git = |path: &Path| path_in(Path::new(""), path);
        let mut kind_of = |path: &Path| {
            let entry = objects.entry_at(&root, &in_git(path));
            Some(entry.ok()??.0)
        };
        let text = |path: &Path| String::from_utf8_lossy(&in_git(path)).into_owned();
        match kind_of(path) {
            Some(EntryKind::Tree | EntryKind::Commit) => None,
            Some(_) => {
                let dir = text(path.parent()?);
                repository.is_sparse().then_some(Self::SparseCheckout(dir))
            }
            None => {
                let mut above = path.ancestors().skip(1);
                let submodule = above.find(|dir| kind_of(dir) == Some(EntryKind::Commit))?;
                Some(Self::Submodule(text(submodule)))
            }
        }
    }

    /// A hint on how to check it out.
    pub fn remedy(&self) -> String {
        match self {
            Self::Submodule(path) => {
                format!("check out the submodule: `git submodule update --init {path}`")
            }
            Self::SparseCheckout(dir) if dir.is_empty() => {
                "check it out: `git sparse-checkout disable`".to_owned()
            }
            Self::SparseCheckout(dir) => format!("check it out: `git sparse-checkout add {dir}`"),
        }
    }
}

impl fmt::Display for MissingSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Submodule(path) => {
                write!(
                    out,
                    "is in the submodule `{path}`, which is not checked out"
                )
            }
            Self::SparseCheckout(_) => {
                out.write_str("is committed, but not part of this sparse checkout")
            }
        }
    }
}

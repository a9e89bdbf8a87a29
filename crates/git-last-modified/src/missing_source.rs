//! Finds out why a source is not on disk although it is committed.

use std::fmt;
use std::path::{Component, Path};

use super::enclosing_repository;
use super::repository::{Repository, WorkTreePath};
use super::tree::{EntryKind, TreeEntries};

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
        let mut tree = objects.commit(&repository.head().ok()??).ok()?.tree;
        let mut above = String::new();
        let mut names = path.components().peekable();
        while let Some(Component::Normal(name)) = names.next() {
            let raw = objects.tree(&tree).ok()?;
            let mut entries = TreeEntries::new(&raw, &tree);
            let entry = std::iter::from_fn(|| entries.next().ok().flatten())
                .find(|entry| entry.name == name.as_encoded_bytes())?;
            match (entry.kind, names.peek()) {
                (EntryKind::Directory, Some(_)) => tree = entry.id(),
                (EntryKind::Submodule, Some(_)) => {
                    return Some(Self::Submodule(above + &name.to_string_lossy()));
                }
                (EntryKind::Directory | EntryKind::Submodule, None) | (_, Some(_)) => return None,
                (_, None) => {
                    let dir = above.trim_end_matches('/').to_owned();
                    return repository.is_sparse().then_some(Self::SparseCheckout(dir));
                }
            }
            above.push_str(&name.to_string_lossy());
            above.push('/');
        }
        None
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

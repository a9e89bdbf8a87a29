//! Source files → the repositories they lie in, and their paths there.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::repository::is_repository;

/// A source file.
#[derive(Debug)]
pub(super) struct SourceFile<'a> {
    /// Its place in the question.
    pub(super) place: usize,
    /// Its path, without symbolic links on the way to it.
    pub(super) path: Cow<'a, Path>,
}

/// Finds the innermost repository around each source, by the folder of its `.git`.
///
/// Symbolic links on the way to a source are followed, because git tracks nothing below a link; a source that is a link
/// itself stays what it is, because git tracks the link. The folder of a repository that was given counts as one,
/// whether or not it holds a `.git`. Sources outside of all repositories are in no group.
pub(super) fn group<'a>(
    sources: &'a [PathBuf],
    given: Option<&Path>,
) -> BTreeMap<PathBuf, Vec<SourceFile<'a>>> {
    let mut finder = RepositoryFinder::default();
    finder
        .roots
        .extend(given.map(|root| (root.to_path_buf(), Some(root.to_path_buf()))));
    let mut groups: BTreeMap<PathBuf, Vec<SourceFile<'a>>> = BTreeMap::new();
    for (place, source) in sources.iter().enumerate() {
        let (Some(folder), Some(name)) = (source.parent(), source.file_name()) else {
            continue;
        };
        let found = finder.find(folder);
        let Some(root) = &found.root else { continue };
        let path = if found.real == folder {
            Cow::Borrowed(source.as_path())
        } else {
            found.real.join(name).into()
        };
        let source = SourceFile { place, path };
        if let Some(group) = groups.get_mut(root) {
            group.push(source);
        } else {
            groups.insert(root.clone(), vec![source]);
        }
    }
    groups
}

/// The root of the innermost repository round a folder, wherever links lead to it.
pub fn repository_around(folder: &Path) -> Option<PathBuf> {
    RepositoryFinder::default().find(folder).root.clone()
}

/// Remembers what was found for each folder.
#[derive(Default)]
struct RepositoryFinder {
    folders: HashMap<PathBuf, FoundRepository>,
    roots: HashMap<PathBuf, Option<PathBuf>>,
}

struct FoundRepository {
    /// The folder without symbolic links.
    real: PathBuf,
    /// The root of the repository around it.
    root: Option<PathBuf>,
}

impl RepositoryFinder {
    fn find(&mut self, folder: &Path) -> &FoundRepository {
        if !self.folders.contains_key(folder) {
            // A folder that is gone can still be tracked; then its path is taken as it is.
            let real = folder
                .canonicalize()
                .unwrap_or_else(|_| folder.to_path_buf());
            let root = self.root(&real);
            self.folders
                .insert(folder.to_path_buf(), FoundRepository { real, root });
        }
        &self.folders[folder]
    }

    fn root(&mut self, folder: &Path) -> Option<PathBuf> {
        let mut visited = Vec::new();
        let (mut found, mut broken) = (None, None);
        for ancestor in folder.ancestors() {
            if let Some(known) = self.roots.get(ancestor) {
                found.clone_from(known);
                break;
            }
            visited.push(ancestor);
            let dot_git = ancestor.join(".git");
            if is_repository(&dot_git) {
                found = Some(ancestor.to_path_buf());
                break;
            }
            if broken.is_none() && dot_git.symlink_metadata().is_ok() {
                broken = Some(ancestor.to_path_buf());
            }
        }
        // Git passes over what is no repository, and so finds none; but a `.git` that cannot be read is worth a word.
        let found = found.or(broken);
        for ancestor in visited {
            self.roots.insert(ancestor.to_path_buf(), found.clone());
        }
        found
    }
}

/// A path below a folder as git writes it; a path that lies elsewhere is empty, and so never found.
pub(super) fn path_in(work_tree: &Path, source: &Path) -> Vec<u8> {
    let relative = source.strip_prefix(work_tree).unwrap_or(Path::new(""));
    let names: Vec<&[u8]> = relative
        .components()
        .map(|name| name.as_os_str().as_encoded_bytes())
        .collect();
    names.join(&b'/')
}

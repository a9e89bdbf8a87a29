//! Groups source files by the repository that contains them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::HistoryError;
use super::query::{Source, WalkedTree};
use super::repository::is_repository;
use super::trie::{MEMBERS, WantedPath};

/// The sources of a query, by the root of the repository that contains them.
#[derive(Debug, Default)]
pub(super) struct GroupedSources {
    pub(super) by_root: BTreeMap<PathBuf, Vec<WantedPath>>,
    /// The number of sources, also of those outside all repositories.
    pub(super) count: usize,
}

/// Finds the innermost repository that contains each source, and groups the sources by its root.
///
/// Symlinks in the parent directories are resolved, because Git tracks nothing below a symlink. A
/// source that is itself a symlink is not resolved, because Git tracks the link; the files that it
/// refers to are added later. Sources outside all repositories are in no group. Directories of a
/// walked tree are not looked up.
pub(super) fn group(
    sources: impl IntoIterator<Item = Source>,
    walked: Option<&WalkedTree>,
) -> Result<GroupedSources, HistoryError> {
    let mut finder = RepositoryFinder::default();
    let mut grouped = GroupedSources::default();
    let (mut last_dir, mut found): (Option<PathBuf>, _) = (None, FoundRepository::default());
    for (place, source) in (0..).zip(sources) {
        grouped.count += 1;
        let (path, members) = match &source {
            Source::File(path) => (path, &b""[..]),
            Source::Members(path) => (path, MEMBERS),
        };
        let above = path.parent().filter(|_| path.file_name().is_some());
        let Some(above) = above else { continue };
        let dir = if members.is_empty() { above } else { path };
        let dir = walked.and_then(|tree| tree.top_above(dir)).unwrap_or(dir);
        // Most sources are in the same directory as the one before, or below the same walked tree.
        if last_dir
            .as_ref()
            .is_none_or(|last| last.as_os_str() != dir.as_os_str())
        {
            found = finder
                .find(dir)
                .map_err(|error| HistoryError::UnreadableRepository {
                    root: dir.to_path_buf(),
                    failure: error.into(),
                })?;
            last_dir = Some(dir.to_path_buf());
        }
        let Some(root) = &found.root else { continue };
        if !grouped.by_root.contains_key(root) {
            grouped.by_root.insert(root.clone(), Vec::new());
        }
        let wanted = grouped.by_root.get_mut(root);
        let below = path_in(dir, path);
        let mut names = vec![&*found.dir_in_root, &*below, members];
        names.retain(|name| !name.is_empty());
        wanted.expect("the group was just added").push(WantedPath {
            path: names.join(&b'/').into(),
            place,
            is_target: false,
        });
    }
    Ok(grouped)
}

/// Returns the root of the innermost repository that contains a directory, following symlinks.
///
/// It is an error if the machine fails, so that the result is unknown.
pub fn enclosing_repository(dir: &Path) -> io::Result<Option<PathBuf>> {
    Ok(RepositoryFinder::default().find(dir)?.root)
}

/// A cache of the repository for each directory.
#[derive(Default)]
struct RepositoryFinder {
    /// Paths with symlinks resolved; `None` for those that do not exist.
    real: HashMap<PathBuf, Option<PathBuf>>,
    roots: HashMap<PathBuf, Option<PathBuf>>,
}

#[derive(Default)]
struct FoundRepository {
    /// The root of the repository that contains the directory.
    root: Option<PathBuf>,
    /// The directory below this root, with symlinks resolved.
    dir_in_root: Vec<u8>,
}

impl RepositoryFinder {
    fn find(&mut self, dir: &Path) -> io::Result<FoundRepository> {
        // Git can track a directory that no longer exists on disk; use its path unresolved.
        let real = self.real(dir)?.unwrap_or_else(|| dir.to_path_buf());
        let root = self.root(&real);
        let dir_in_root = root.as_ref().map(|root| path_in(root, &real));
        Ok(FoundRepository {
            root,
            dir_in_root: dir_in_root.unwrap_or_default(),
        })
    }

    /// Resolves the symlinks in a path, each directory once.
    fn real(&mut self, dir: &Path) -> io::Result<Option<PathBuf>> {
        let unknown = dir.ancestors();
        let unknown: Vec<&Path> = unknown
            .take_while(|dir| !self.real.contains_key(*dir))
            .collect();
        for dir in unknown.into_iter().rev() {
            let above = dir.parent().and_then(|above| self.real.get(above));
            let real = match (above, dir.file_name()) {
                // Elsewhere, the file system may spell the name in another way.
                (Some(above), Some(name)) if cfg!(target_os = "linux") && dir.is_absolute() => {
                    match above {
                        Some(above) => real_below(above.join(name))?,
                        None => None,
                    }
                }
                _ => unless_machine_fails(dir.canonicalize())?,
            };
            self.real.insert(dir.to_path_buf(), real);
        }
        Ok(self.real[dir].clone())
    }

    fn root(&mut self, dir: &Path) -> Option<PathBuf> {
        let mut visited = Vec::new();
        let (mut found, mut broken) = (None, None);
        for ancestor in dir.ancestors() {
            if let Some(known) = self.roots.get(ancestor) {
                found.clone_from(known);
                break;
            }
            visited.push(ancestor);
            let dot_git = ancestor.join(".git");
            if is_missing(&dot_git) {
                continue;
            }
            // If this is unknown, it may be one: opening it reports the error.
            if is_repository(&dot_git).unwrap_or(true) {
                found = Some(ancestor.to_path_buf());
                break;
            }
            // A file that names a repository says that the history is there, and not above.
            if dot_git.is_file() {
                found = Some(ancestor.to_path_buf());
                break;
            }
            if broken.is_none() && dot_git.symlink_metadata().is_ok() {
                broken = Some(ancestor.to_path_buf());
            }
        }
        // Git skips an invalid `.git`. If no valid one exists above, return the invalid one, so
        // that it is reported.
        let found = found.or(broken);
        for ancestor in visited {
            self.roots.insert(ancestor.to_path_buf(), found.clone());
        }
        found
    }
}

/// Resolves a directory in a resolved one.
fn real_below(dir: PathBuf) -> io::Result<Option<PathBuf>> {
    match unless_machine_fails(dir.symlink_metadata())? {
        None => Ok(None),
        Some(metadata) if metadata.is_symlink() => unless_machine_fails(dir.canonicalize()),
        Some(_) => Ok(Some(dir)),
    }
}

/// Looks something up; `None` if it does not exist or may not be read.
fn unless_machine_fails<T>(looked_up: io::Result<T>) -> io::Result<Option<T>> {
    match looked_up {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_of_machine(&error) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Whether an error says nothing about a path: a broken disk, no memory, too many open files.
fn is_of_machine(error: &io::Error) -> bool {
    /// Too many symbolic links (ELOOP), whose kind is unstable in Rust.
    const TOO_MANY_LINKS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
        40
    } else if cfg!(windows) {
        1921 // ERROR_CANT_RESOLVE_FILENAME
    } else {
        62
    };
    error
        .raw_os_error()
        .is_some_and(|number| number != TOO_MANY_LINKS)
        && !matches!(
            error.kind(),
            ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::PermissionDenied
                | ErrorKind::InvalidFilename
                | ErrorKind::InvalidInput
                | ErrorKind::Unsupported
        )
}

/// Whether there is certainly nothing at a path.
fn is_missing(path: &Path) -> bool {
    let metadata = path.symlink_metadata();
    metadata
        .is_err_and(|error| error.kind() != ErrorKind::PermissionDenied && !is_of_machine(&error))
}

/// Converts a path below the work tree to Git's notation.
///
/// A path outside gives an empty result, which matches no entry.
pub(super) fn path_in(work_tree: &Path, source: &Path) -> Vec<u8> {
    let relative = source.strip_prefix(work_tree).unwrap_or(Path::new(""));
    let names: Vec<&[u8]> = relative
        .components()
        .map(|name| name.as_os_str().as_encoded_bytes())
        .collect();
    names.join(&b'/')
}

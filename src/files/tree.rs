//! Directories that a run may touch: path containment and size limits for untrusted files, and the
//! failures of the machine while they are read.
//!
//! A person who can change a repository must not be able to make waypost read or write elsewhere on
//! the machine, hang, or run out of memory. The user who runs waypost may name any path: flags and
//! environment variables are not restricted.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

use walkdir::{DirEntry, WalkDir};

use crate::files::io_failure::{IoFailure, MachineFailure};
use crate::files::unlinked_file::{not_regular, open_unlinked, regular};
use sitemaps::site_paths::SitePath;

/// Size limit of settings and similar files, in bytes; hosts and generators accept far less.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Room for usual files: an empty vector would be filled in parts that double from 32 bytes.
const USUAL_BYTES: usize = 8 << 10;

/// A directory, the bounds for its files, and the first failure of the machine while they are read.
///
/// Its author may have made a file a link, so a file is read only within the bounds. Code goes on
/// without a file that the machine cannot read; before a result is used, [`check`](Self::check) says
/// whether it can be complete. Clones, and trees made of this one, share that memory.
#[derive(Debug, Clone)]
pub struct Tree {
    dir: PathBuf,
    /// Files may be in the first of these, in the repository that contains it, and in the others.
    bounds: Vec<PathBuf>,
    /// The real paths of the bounds, resolved when the first file is found: many files are looked
    /// for, and few exist.
    resolved: OnceLock<Vec<PathBuf>>,
    failure: Arc<OnceLock<MachineFailure>>,
}

impl Tree {
    /// A directory and the repository that contains it: a book's chapter may be the README above
    /// the root.
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            bounds: vec![dir.to_owned()],
            resolved: OnceLock::new(),
            failure: Arc::default(),
        }
    }

    /// The directory of a file named by the user; the file itself may be a link to any place.
    pub fn containing(file: &Path) -> Self {
        let parent = file.parent().unwrap_or(Path::new(""));
        let is_here = parent.as_os_str().is_empty();
        Self::new(if is_here { Path::new(".") } else { parent }).and(file)
    }

    /// Another directory and its repository.
    #[must_use]
    pub fn at(&self, dir: &Path) -> Self {
        Self {
            failure: self.failure.clone(),
            ..Self::new(dir)
        }
    }

    /// Another directory within the same bounds, to which it is added.
    #[must_use]
    pub fn with_dir(&self, dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            ..self.clone().and(dir)
        }
    }

    /// Adds a directory or a single file to the bounds.
    #[must_use]
    pub fn and(mut self, path: &Path) -> Self {
        self.bounds.push(path.to_owned());
        self.resolved = OnceLock::new();
        self
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    fn resolved_bounds(&self) -> &[PathBuf] {
        self.resolved.get_or_init(|| {
            let mut dirs = Vec::new();
            for (index, path) in self.bounds.iter().enumerate() {
                // What does not exist has no readable files either.
                let Some(path) = self.resolved(path) else {
                    continue;
                };
                if index == 0 {
                    let mut above = path.ancestors();
                    let repository = above.find(|dir| self.exists(&dir.join(".git")));
                    dirs.extend(repository.map(Path::to_owned));
                }
                dirs.push(path);
            }
            dirs
        })
    }

    fn has(&self, target: &Path) -> bool {
        self.resolved_bounds()
            .iter()
            .any(|dir| target.starts_with(dir))
    }

    /// Whether a path escapes, by `..` or by links. A path that does not exist does not.
    pub fn is_escaped_by(&self, path: &Path) -> bool {
        self.resolved(path).is_some_and(|target| !self.has(&target))
    }

    /// Reads a text file within the bounds.
    pub fn text(&self, path: &Path) -> io::Result<String> {
        utf8_text(self.read(path)?)
    }

    /// Reads a file within the bounds. Remembers also a lack of permission: it leaves unknown what
    /// the file says.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let opened = self.open_within(path);
        let read = opened.and_then(|file| read_open(file, MAX_FILE_BYTES));
        self.note_unknown(path, read)
    }

    /// The text of any file, such as one of the repository; `None` if it cannot be read. Remembers a
    /// failure of the machine.
    pub fn text_anywhere(&self, path: &Path) -> Option<String> {
        self.note(path, read_text(path, MAX_FILE_BYTES)).ok()
    }

    /// Opens a regular file. Its links are resolved once, and none is followed at the name of the
    /// result.
    fn open_within(&self, path: &Path) -> io::Result<File> {
        // Most files that are looked for do not exist, and resolving takes a call for each name.
        if let Err(error) = fs::symlink_metadata(path)
            && IoFailure::of(&error) == IoFailure::Gone
        {
            return Err(error);
        }
        let target = path.canonicalize()?;
        if !self.has(&target) {
            // A directory of the site that could not be resolved contains nothing.
            self.check().map_err(io::Error::other)?;
            return Err(io::Error::other(
                "it is a link that points outside the site and its repository",
            ));
        }
        regular(open_unlinked(&target)?)
    }

    /// Opens a file of the directory, unless it is a link out of the bounds.
    pub fn open(&self, file: &SitePath) -> io::Result<impl Read + use<>> {
        let path = file.below_dir(&self.dir);
        let file = self.note(&path, self.open_within(&path))?;
        let tree = self.clone();
        Ok(NotedFile { file, path, tree })
    }

    /// Opens a page that a walk over the directory has found. If its name is a link, the target must
    /// be in the directory.
    pub fn open_page(&self, page: &SitePath) -> io::Result<File> {
        let path = page.below_dir(&self.dir);
        match open_unlinked(&path) {
            Err(_) if fs::symlink_metadata(&path)?.is_symlink() => self.open_inside(page),
            opened => opened,
        }
    }

    /// Opens a regular file that is in the directory after all its links are resolved.
    pub fn open_inside(&self, file: &SitePath) -> io::Result<File> {
        let target = file.below_dir(&self.dir).canonicalize()?;
        if !target.starts_with(self.dir.canonicalize()?) {
            return Err(io::Error::other(
                "it is a link that points outside the output directory",
            ));
        }
        regular(open_unlinked(&target)?)
    }

    /// Whether the directory has a file of this name, after links are resolved.
    pub fn has_file(&self, file: &SitePath) -> bool {
        self.is_file(&file.below_dir(&self.dir))
    }

    /// Whether a path is a regular file, after links are resolved. Remembers a failure of the
    /// machine, which is not an answer.
    pub fn is_file(&self, path: &Path) -> bool {
        self.metadata(path)
            .is_some_and(|metadata| metadata.is_file())
    }

    /// Whether a path exists, after links are resolved. Remembers a failure of the machine, which
    /// is not an answer.
    pub fn exists(&self, path: &Path) -> bool {
        self.metadata(path).is_some()
    }

    /// Whether a path is a directory, after links are resolved. Remembers a failure of the machine,
    /// which is not an answer.
    pub fn is_dir(&self, path: &Path) -> bool {
        self.metadata(path)
            .is_some_and(|metadata| metadata.is_dir())
    }

    fn metadata(&self, path: &Path) -> Option<fs::Metadata> {
        self.note(path, fs::metadata(path)).ok()
    }

    /// Resolves the links of a path; `None` if it does not exist or may not be read. Remembers a
    /// failure of the machine.
    pub fn resolved(&self, path: &Path) -> Option<PathBuf> {
        self.note(path, path.canonicalize()).ok()
    }

    /// Whether two paths lead to the same file or directory, which exists.
    pub fn is_same(&self, left: &Path, right: &Path) -> bool {
        let left = self.resolved(left);
        left.is_some() && left == self.resolved(right)
    }

    /// The entries of a directory, in no order; none if it does not exist or may not be read.
    /// Remembers a failure of the machine.
    pub fn entries(&self, dir: &Path) -> Vec<fs::DirEntry> {
        let entries = fs::read_dir(dir).and_then(Iterator::collect);
        self.note(dir, entries).unwrap_or_default()
    }

    /// Walks through a directory and below it; files and directories for which `wanted` returns
    /// false are omitted. Remembers a failure of the machine.
    pub fn walk(
        &self,
        walk: WalkDir,
        wanted: impl FnMut(&DirEntry) -> bool,
    ) -> impl Iterator<Item = walkdir::Result<DirEntry>> {
        walk.into_iter().filter_entry(wanted).inspect(|entry| {
            if let Err(error) = entry
                && let Some(cause) = error.io_error()
            {
                self.note_error(error.path().unwrap_or(&self.dir), cause);
            }
        })
    }

    /// Passes a result on, and remembers its error if it is a failure of the machine.
    pub fn note<T>(&self, path: &Path, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| self.note_error(path, error))
    }

    /// Passes a result on, and remembers its error if that leaves unknown whether a file exists, or
    /// what it says: also a lack of permission.
    pub fn note_unknown<T>(&self, path: &Path, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            if matches!(IoFailure::of(error), IoFailure::Machine | IoFailure::Denied) {
                self.note_failure(MachineFailure::new(path, error));
            }
        })
    }

    /// Remembers an error if it is a failure of the machine.
    pub fn note_error(&self, path: &Path, error: &io::Error) {
        if IoFailure::of(error) == IoFailure::Machine {
            self.note_failure(MachineFailure::new(path, error));
        }
    }

    /// Remembers a failure.
    pub fn note_failure(&self, failure: MachineFailure) {
        self.failure.get_or_init(|| failure);
    }

    /// Whether the machine has failed.
    pub fn has_failure(&self) -> bool {
        self.failure.get().is_some()
    }

    /// Returns the failure, if there was one, so that what was read may be incomplete.
    pub fn check(&self) -> Result<(), MachineFailure> {
        self.failure.get().cloned().map_or(Ok(()), Err)
    }
}

/// A file whose failures are remembered.
struct NotedFile {
    file: File,
    path: PathBuf,
    tree: Tree,
}

impl Read for NotedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        self.tree.note(&self.path, read)
    }
}

/// Tracks whether a directory walk that follows links is inside a linked directory.
///
/// Further links to directories are not followed from there: if each directory holds two links to
/// the next, every level would double the paths.
#[derive(Debug, Default)]
pub struct LinkedDir {
    depth: Option<usize>,
}

impl LinkedDir {
    /// Whether the next entry of the walk is such a further link.
    pub fn is_further_link(&mut self, entry: &DirEntry) -> bool {
        self.depth = self.depth.filter(|depth| entry.depth() > *depth);
        if !(entry.path_is_symlink() && entry.file_type().is_dir()) {
            return false;
        }
        let is_below = self.depth.is_some();
        self.depth = self.depth.or(Some(entry.depth()));
        is_below
    }
}

/// Makes a path absolute; leaves it relative if the working directory no longer exists.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Opens a regular file. Reading a pipe could block forever, and a device has no end.
pub fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(not_regular())
    }
}

/// Returns `path` relative to `dir`, after resolving links in both.
pub fn strip_canonical_prefix(dir: &Path, path: &Path) -> Option<PathBuf> {
    let [dir, path] = [dir, path].map(|path| path.canonicalize().ok());
    Some(path?.strip_prefix(dir?).ok()?.to_owned())
}

/// Modification time of a file in seconds since 1970 UTC, if it is known.
pub fn modified(path: &Path) -> Option<i64> {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    let since = modified.ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// Reads a whole file; a file of more than `most` bytes is an error.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_open(open(path)?, most)
}

fn read_open(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

/// Reads a whole text file; a file of more than `most` bytes is an error.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    utf8_text(read(path, most)?)
}

/// The text of bytes in UTF-8. Windows PowerShell writes UTF-16 by default.
fn utf8_text(bytes: Vec<u8>) -> io::Result<String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(io::Error::other("it is UTF-16; save it as UTF-8"));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_site_may_use_files_of_its_repository() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().join("repository/docs");
        fs::create_dir_all(&root).expect("a directory");
        for file in ["secret", "repository/README", "repository/docs/own"] {
            fs::write(dir.path().join(file), file).expect("a file");
        }
        symlink("../../secret", root.join("link")).expect("a link");
        let check = |path: &str, is_left: bool| {
            let reach = Tree::new(&root);
            assert_eq!(reach.is_escaped_by(&root.join(path)), is_left, "{path}");
            assert_eq!(
                reach.read(&root.join(path)).is_err(),
                is_left || path == "missing",
                "{path}"
            );
        };
        check("own", false);
        check("missing", false);
        check("link", true);
        check("../../secret", true);
        check("../README", true);
        fs::create_dir(dir.path().join("repository/.git")).expect("a directory");
        check("../README", false);
        check("link", true);
    }

    #[test]
    #[cfg(unix)]
    fn pages_are_opened_through_links_only_within_the_directory() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a temporary directory");
        let at = |path: &str| dir.path().join(path);
        for file in ["site/real/x.html", "secret/x.html"] {
            fs::create_dir_all(at(file).parent().expect("a parent")).expect("a directory");
            fs::write(at(file), file).expect("a file");
        }
        let link = |target: &str, name: &str| symlink(target, at("site").join(name));
        link("real/x.html", "page.html").expect("a link");
        link("../secret/x.html", "out.html").expect("a link");
        link("../secret", "out").expect("a link");
        link("loop.html", "loop.html").expect("a link");
        let site = Tree::new(&at("site"));
        let text = |file: io::Result<File>| {
            file.and_then(io::read_to_string)
                .map_err(|error| error.to_string())
        };
        let page = |name: &str| text(site.open_page(&SitePath::from(name)));
        for inside in ["real/x.html", "page.html"] {
            assert_eq!(page(inside).as_deref(), Ok("site/real/x.html"), "{inside}");
        }
        let outside = "it is a link that points outside the output directory";
        assert_eq!(page("out.html"), Err(outside.to_owned()));
        assert!(page("loop.html").is_err() && page("missing.html").is_err());
        let inside = |name: &str| text(site.open_inside(&SitePath::from(name)));
        assert_eq!(inside("out/x.html"), Err(outside.to_owned()));
        assert_eq!(inside("page.html").as_deref(), Ok("site/real/x.html"));
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("large");
        File::create(&file)
            .and_then(|file| file.set_len(10 << 30))
            .expect("a sparse file");
        let error = read(&file, MAX_FILE_BYTES).expect_err("the file is too large");
        assert_eq!(error.to_string(), "it is larger than 16 MiB");
        assert!(read(dir.path(), MAX_FILE_BYTES).is_err());
    }

    #[test]
    fn a_missing_file_is_an_answer_and_no_failure() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("file");
        fs::write(&file, "x").expect("a file");
        let tree = Tree::new(Path::new("."));
        let check = |path: &Path, expected: (bool, bool)| {
            assert_eq!((tree.is_file(path), tree.exists(path)), expected);
        };
        check(&file, (true, true));
        check(dir.path(), (false, true));
        check(&dir.path().join("missing"), (false, false));
        check(&file.join("below"), (false, false));
        assert_eq!(tree.check(), Ok(()));
    }

    #[test]
    #[cfg(unix)]
    fn a_tree_remembers_the_first_failure_of_the_machine() {
        use crate::findings::Hint;
        let tree = Tree::new(Path::new("."));
        let fail = |path: &str, code: i32| {
            let error: io::Result<()> = Err(io::Error::from_raw_os_error(code));
            assert!(tree.clone().note(Path::new(path), error).is_err());
        };
        fail("missing", 2);
        assert_eq!(tree.check(), Ok(()));
        fail("first", 5);
        fail("second", 24);
        let failure = tree.check().expect_err("the machine has failed");
        assert_eq!(failure.path, Path::new("first"));
        let expected = "check the disk and its connection, then run waypost again";
        assert_eq!(failure.hint().as_deref(), Some(expected));
    }
}

//! Files below a directory, opened from directory handle to directory handle.
//!
//! Takes paths below the directory; returns open files. A link on the way is followed only if it
//! stays below the directory, and then by the handles of its real path. A program that replaces a
//! directory or a file by a link while the site is read therefore gains nothing.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::SitePath;
use crate::dir_handle::{
    DirHandle, EntryVisitor, is_limit_reached, may_be_link, open_files_limit, path_limit,
};
use crate::io_failure::retried;

/// How many directories a tree keeps open, besides the top one: those nearest to the last file.
const MAX_OPEN_DIRS: usize = 3;

/// Number of files that one [`OpenTree`] may have open, with the file that it returns.
const FILES_PER_TREE: u64 = MAX_OPEN_DIRS as u64 + 1;

/// Number of open files to leave to the rest of the program: streams, repository, output.
const OTHER_FILES: u64 = 8;

/// How many trees may be used at the same time within the limit of open files.
pub fn max_trees() -> usize {
    let limit = open_files_limit().unwrap_or(u64::MAX);
    let trees = limit.saturating_sub(OTHER_FILES) / FILES_PER_TREE;
    usize::try_from(trees).unwrap_or(usize::MAX).max(1)
}

/// A directory with everything below it. Clones share the handle of the directory itself; each
/// keeps a few handles of its own, so that neighbours are opened without a walk from the top.
#[derive(Debug)]
pub struct OpenTree {
    top: Arc<TopDir>,
    /// The directory that was opened last, with `/` between the parts.
    path: Vec<u8>,
    /// Open directories above that one and itself, each with the length of its path.
    open: Vec<(usize, DirHandle)>,
}

#[derive(Debug)]
struct TopDir {
    path: PathBuf,
    opened: OnceLock<(PathBuf, DirHandle)>,
}

impl Clone for OpenTree {
    fn clone(&self) -> Self {
        Self {
            top: Arc::clone(&self.top),
            path: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl OpenTree {
    /// The files below a directory, which is opened with the first of them.
    pub fn new(path: &Path) -> Self {
        Self {
            top: Arc::new(TopDir {
                path: path.to_owned(),
                opened: OnceLock::new(),
            }),
            path: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The real path of the directory, without links.
    pub fn real_path(&self) -> io::Result<&Path> {
        Ok(&self.top.opened()?.0)
    }

    /// Opens the directory itself, to list or change its entries.
    pub fn top(&self) -> io::Result<DirHandle> {
        self.top.opened_again()
    }

    /// Opens a file for reading. It may be a special file.
    pub fn file(&mut self, file: &SitePath) -> io::Result<File> {
        self.with_free_handles(|tree| tree.file_once(file))
    }

    /// Opens a regular file for reading.
    pub fn regular_file(&mut self, file: &SitePath) -> io::Result<File> {
        regular(self.file(file)?)
    }

    /// Opens a regular file for reading; no link is followed at its name.
    pub fn unlinked_file(&mut self, file: &SitePath) -> io::Result<File> {
        let opened =
            self.with_free_handles(|tree| tree.dir_handle(dir_of(file))?.file(file.file_name()));
        regular(opened?)
    }

    fn file_once(&mut self, file: &SitePath) -> io::Result<File> {
        let top = Arc::clone(&self.top);
        // A path without links takes one call, where one of its directories at a time takes three.
        if let Ok(opened) = top.opened()?.1.file_below(file.as_bytes()) {
            return Ok(opened);
        }
        let opened = self.dir_handle(dir_of(file))?.file(file.file_name());
        match opened {
            Err(error) if may_be_link(&error) => top.linked_file(&file.to_relative()),
            opened => opened,
        }
    }

    /// Opens the directory of a file, to change its entries.
    pub fn dir_to_change(&mut self, file: &SitePath) -> io::Result<DirHandle> {
        self.with_free_handles(|tree| tree.open_dir(dir_of(file)))
    }

    /// Passes the name and kind of each entry of a directory to `see`; the empty path is the
    /// directory itself.
    pub fn list(&mut self, dir: &[u8], see: &mut EntryVisitor<'_>) -> io::Result<()> {
        path_limit(self.real_path()?.as_os_str().len() + 1 + dir.len())?;
        let handle = self.with_free_handles(|tree| tree.open_dir(dir))?;
        let listed = handle.list(see)?;
        if !dir.is_empty() {
            self.keep(dir, listed);
        }
        Ok(())
    }

    /// Calls `open`, and once more without the open directories if there are too many open files.
    fn with_free_handles<T>(&mut self, open: impl Fn(&mut Self) -> io::Result<T>) -> io::Result<T> {
        match open(self) {
            Err(error) if is_limit_reached(&error) && !self.open.is_empty() => {
                self.open.clear();
                open(self)
            }
            result => result,
        }
    }

    /// Returns a handle of a directory that stays open.
    fn dir_handle(&mut self, dir: &[u8]) -> io::Result<&DirHandle> {
        let is_open = self.path == dir
            && self
                .open
                .last()
                .is_some_and(|(length, _)| *length == dir.len());
        if !dir.is_empty() && !is_open {
            let handle = self.open_dir(dir)?;
            self.keep(dir, handle);
        }
        match self.open.last() {
            Some((_, handle)) if !dir.is_empty() => Ok(handle),
            _ => Ok(&self.top.opened()?.1),
        }
    }

    /// Opens a directory from the nearest one above it that is open.
    fn open_dir(&mut self, dir: &[u8]) -> io::Result<DirHandle> {
        if dir.is_empty() {
            return self.top.opened_again();
        }
        let is_above = |path: &[u8]| {
            dir.strip_prefix(path)
                .is_some_and(|below| below.starts_with(b"/"))
        };
        while let Some((length, _)) = self.open.last()
            && !is_above(&self.path[..*length])
        {
            self.open.pop();
        }
        loop {
            let start = self.open.last().map_or(0, |(length, _)| length + 1);
            let name = dir[start..].split(|&byte| byte == b'/').next();
            let name = name.unwrap_or_default();
            let end = start + name.len();
            let opened = match self.open.last() {
                Some((_, above)) => above.dir(name),
                None => self.top.opened()?.1.dir(name),
            };
            let handle = match opened {
                Err(error) if may_be_link(&error) => self
                    .top
                    .linked_dir(&SitePath::new(&dir[..end]).to_relative())?,
                opened => opened?,
            };
            if end == dir.len() {
                return Ok(handle);
            }
            self.keep(&dir[..end], handle);
        }
    }

    /// Keeps a directory open; the one above it is the last that is open, if any is.
    fn keep(&mut self, dir: &[u8], handle: DirHandle) {
        if self.open.len() == MAX_OPEN_DIRS {
            self.open.remove(0);
        }
        self.path.clear();
        self.path.extend_from_slice(dir);
        self.open.push((dir.len(), handle));
    }
}

impl TopDir {
    fn opened(&self) -> io::Result<&(PathBuf, DirHandle)> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let path = retried(|| self.path.canonicalize())?;
        let handle = retried(|| DirHandle::open(&path))?;
        Ok(self.opened.get_or_init(|| (path, handle)))
    }

    /// Opens the directory once more, to list it.
    fn opened_again(&self) -> io::Result<DirHandle> {
        self.opened()?.1.dir(b".")
    }

    /// The path to which a link leads, below the directory.
    fn real_path_below(&self, link: &Path) -> io::Result<PathBuf> {
        let top = &self.opened()?.0;
        let target = retried(|| top.join(link).canonicalize())?;
        let below = target.strip_prefix(top).map_err(|_| {
            io::Error::other("it is a link that points outside the output directory")
        })?;
        Ok(below.to_owned())
    }

    fn linked_dir(&self, link: &Path) -> io::Result<DirHandle> {
        unlinked_dir(&self.opened()?.1, &self.real_path_below(link)?)
    }

    fn linked_file(&self, link: &Path) -> io::Result<File> {
        unlinked_file(&self.opened()?.1, &self.real_path_below(link)?)
    }
}

/// The directory of a file, without a slash at the end.
fn dir_of(file: &SitePath) -> &[u8] {
    file.dir().strip_suffix(b"/").unwrap_or_default()
}

/// Opens a directory below another by a path without links.
fn unlinked_dir(top: &DirHandle, path: &Path) -> io::Result<DirHandle> {
    let mut handle = top.dir(b".")?;
    for part in path.components() {
        handle = handle.dir(part.as_os_str().as_encoded_bytes())?;
    }
    Ok(handle)
}

/// Opens a file below a directory by a path without links.
fn unlinked_file(top: &DirHandle, path: &Path) -> io::Result<File> {
    match (path.parent(), path.file_name()) {
        (Some(dir), Some(name)) => unlinked_dir(top, dir)?.file(name.as_encoded_bytes()),
        _ => Err(io::ErrorKind::IsADirectory.into()),
    }
}

/// Opens the regular file at a real path below `dir`, or at `dir` itself, by a path without links.
pub(crate) fn open_real(dir: &Path, path: &Path) -> io::Result<File> {
    let is_itself = path == dir;
    let top = if is_itself { dir.parent() } else { Some(dir) };
    let top = top.ok_or(io::ErrorKind::IsADirectory)?;
    let below = path.strip_prefix(top).map_err(io::Error::other)?;
    regular(unlinked_file(&DirHandle::open(top)?, below)?)
}

/// Passes a regular file on. Reading a pipe could block forever, and a device has no end.
fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

#[cfg(unix)] // symbolic links
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Read;
    use std::ops::ControlFlow;
    use std::os::unix::fs::symlink;

    fn site(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, file).expect("a file");
        }
        dir
    }

    fn text(tree: &mut OpenTree, file: &str) -> Result<String, String> {
        let mut text = String::new();
        let opened = tree.regular_file(&SitePath::from(file));
        let read = opened.and_then(|mut file| file.read_to_string(&mut text));
        read.map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn files_are_opened_in_any_order_of_their_directories() {
        let files = [
            "top.html",
            "a/x.html",
            "a/b/x.html",
            "a/b/c/d/e/f/x.html",
            "a/b/c/d/e/f/y.html",
            "ab/x.html",
            "a/b/c/d/e/g/x.html",
            "a/b/x.html",
            "top.html",
        ];
        let dir = site(&files);
        let mut tree = OpenTree::new(dir.path());
        for file in files.iter().chain(files.iter().rev()) {
            assert_eq!(text(&mut tree, file).as_deref(), Ok(*file));
            assert!(tree.open.len() <= MAX_OPEN_DIRS);
        }
        assert!(text(&mut tree, "a/b/missing.html").is_err());
        assert!(text(&mut tree, "top.html/x").is_err());
        assert!(text(&mut tree, "a/b").is_err());
    }

    #[test]
    fn links_are_followed_only_within_the_directory() {
        let dir = site(&["site/real/x.html", "secret/x.html"]);
        let link = |target: &str, name: &str| {
            symlink(target, dir.path().join("site").join(name)).expect("a link");
        };
        link("real", "copy");
        link("real/x.html", "page.html");
        link("../x.html", "real/up.html");
        link("../secret", "out");
        link("../secret/x.html", "out.html");
        let mut tree = OpenTree::new(&dir.path().join("site"));
        for inside in ["copy/x.html", "page.html", "real/x.html"] {
            let expected = Ok("site/real/x.html".to_owned());
            assert_eq!(text(&mut tree, inside), expected, "{inside}");
        }
        for outside in ["out/x.html", "out.html"] {
            let error = text(&mut tree, outside).expect_err("it is outside");
            assert!(error.contains("outside"), "{error}");
        }
        assert!(text(&mut tree, "real/up.html").is_err());
    }

    #[test]
    fn a_directory_or_page_that_is_replaced_by_a_link_leads_to_no_file_outside() {
        let dir = site(&["site/a/b/x.html", "site/a/b/y.html", "secret/b/x.html"]);
        let at = |path: &str| dir.path().join(path);
        let mut tree = OpenTree::new(&at("site"));
        let mut seen = 0;
        let mut count = |_: &[u8], _| {
            seen += 1;
            ControlFlow::Continue(())
        };
        tree.list(b"a/b", &mut count).expect("it can be listed");
        assert_eq!(seen, 2);
        fs::rename(at("site/a"), at("site/moved")).expect("a move");
        symlink("../secret", at("site/a")).expect("a link");
        // Open directories stay usable, and new ones are refused.
        assert!(text(&mut tree, "a/b/y.html").is_ok());
        let refused = text(&mut tree.clone(), "a/b/x.html").expect_err("it is outside");
        assert!(refused.contains("outside"), "{refused}");
        fs::remove_file(at("site/moved/b/x.html")).expect("a removal");
        symlink(at("secret/b/x.html"), at("site/moved/b/x.html")).expect("a link");
        assert!(text(&mut tree, "moved/b/x.html").is_err());
    }

    #[test]
    fn a_file_is_opened_although_the_limit_of_open_files_is_reached_by_directories() {
        let dir = site(&["a/b/c/x.html", "d/x.html"]);
        let mut tree = OpenTree::new(dir.path());
        assert!(text(&mut tree, "a/b/c/x.html").is_ok());
        let opened = tree.with_free_handles(|tree| {
            if tree.open.is_empty() {
                tree.file_once(&SitePath::from("d/x.html"))
            } else {
                Err(io::Error::from_raw_os_error(24)) // EMFILE
            }
        });
        assert!(opened.is_ok());
    }
}

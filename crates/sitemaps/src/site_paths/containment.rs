//! Path containment and size limits for untrusted files.
//!
//! A person who can change a repository must not be able to make waypost read or write elsewhere on
//! the machine, hang, or run out of memory. The user who runs waypost may name any path: flags and
//! environment variables are not restricted.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use walkdir::DirEntry;

use crate::site_paths::SitePath;
use crate::site_paths::io_failure::{FailureLog, IoFailure, LoggedFile, MachineFailure};
use crate::site_paths::unlinked_file::{not_regular, open_unlinked, regular};

/// Size limit of settings and similar files, in bytes; hosts and generators accept far less.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Room for usual files: an empty vector would be filled in parts that double from 32 bytes.
const USUAL_BYTES: usize = 8 << 10;

/// Directories that the files of a site must be in.
///
/// Remembers if the machine failed while one of them was read.
#[derive(Debug, Clone)]
pub struct Containment {
    root: PathBuf,
    others: Vec<PathBuf>,
    /// The real paths of the directories, resolved when the first file is found: many files are
    /// looked for, and few exist.
    resolved: OnceLock<Vec<PathBuf>>,
    failures: FailureLog,
}

impl Containment {
    /// The site root and the repository that contains it: a book's chapter may be the README above
    /// the root.
    pub fn of_site(root: &Path) -> Self {
        Self::of_logged_site(root, &FailureLog::default())
    }

    /// The same, with a log that remembers the failures of the machine.
    pub fn of_logged_site(root: &Path, failures: &FailureLog) -> Self {
        Self {
            root: root.to_owned(),
            others: Vec::new(),
            resolved: OnceLock::new(),
            failures: failures.clone(),
        }
    }

    /// Adds a directory or a single file.
    #[must_use]
    pub fn and(mut self, path: &Path) -> Self {
        self.others.push(path.to_owned());
        self.resolved = OnceLock::new();
        self
    }

    fn dirs(&self) -> &[PathBuf] {
        self.resolved.get_or_init(|| {
            let failures = &self.failures;
            // A root that does not exist has no readable files either.
            let root = failures.resolved(&self.root);
            let mut above = root.iter().flat_map(|root| root.ancestors());
            let repository = above.find(|dir| failures.exists(&dir.join(".git")));
            let repository = repository.map(Path::to_path_buf);
            let others = self.others.iter();
            let others = others.filter_map(|path| failures.resolved(path));
            repository
                .into_iter()
                .chain(root.clone())
                .chain(others)
                .collect()
        })
    }

    /// Whether a path escapes, by `..` or by links. A path that does not exist does not.
    pub fn is_escaped_by(&self, path: &Path) -> bool {
        let target = self.failures.resolved(path);
        target.is_some_and(|target| !self.has(&target))
    }

    fn has(&self, target: &Path) -> bool {
        self.dirs().iter().any(|dir| target.starts_with(dir))
    }

    /// The failures of the machine while files were read.
    pub fn failures(&self) -> &FailureLog {
        &self.failures
    }

    /// Reads a text file of the site.
    pub fn read_text(&self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.read(path)?).map_err(io::Error::other)
    }

    /// Reads a file of the site.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let read = self
            .open(path)
            .and_then(|file| read_open(file, MAX_FILE_BYTES));
        self.failures.note_unknown(path, read)
    }

    /// Opens a regular file. Its links are resolved once, and none is followed at the name of the
    /// result.
    fn open(&self, path: &Path) -> io::Result<File> {
        // Most files that are looked for do not exist, and resolving takes a call for each name.
        if let Err(error) = fs::symlink_metadata(path)
            && IoFailure::of(&error) == IoFailure::Gone
        {
            return Err(error);
        }
        let target = path.canonicalize()?;
        if !self.has(&target) {
            // A directory of the site that could not be resolved contains nothing.
            self.failures.check().map_err(io::Error::other)?;
            return Err(io::Error::other(
                "it is a link that points outside the site and its repository",
            ));
        }
        regular(open_unlinked(&target)?)
    }
}

/// Directory of sitemaps and feeds, with the bounds for its files: their author may have made them
/// links.
#[derive(Debug, Clone)]
pub struct SitemapDir {
    path: PathBuf,
    containment: Containment,
}

impl SitemapDir {
    /// The output directory of a site with these bounds.
    pub fn of_site(path: &Path, reach: Containment) -> Self {
        Self {
            path: path.to_owned(),
            containment: reach,
        }
    }

    /// A directory named by the user: its files must be in it or in the repository that contains
    /// it.
    pub fn named_by_user(path: &Path) -> Self {
        let is_here = path.as_os_str().is_empty();
        let path = if is_here { Path::new(".") } else { path };
        Self::of_site(path, Containment::of_site(path))
    }

    /// The directory of a file named by the user; the file itself may be a link to any place.
    pub fn containing(file: &Path) -> Self {
        let dir = Self::named_by_user(file.parent().unwrap_or(Path::new("")));
        Self {
            containment: dir.containment.and(file),
            ..dir
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directories in which its files may be.
    pub fn containment(&self) -> &Containment {
        &self.containment
    }

    /// Opens a page that a walk over the directory has found. If its name is a link, the target must
    /// be in the directory.
    pub fn open_page(&self, page: &SitePath) -> io::Result<File> {
        let path = page.below_dir(&self.path);
        match open_unlinked(&path) {
            Err(_) if fs::symlink_metadata(&path)?.is_symlink() => self.open_inside(page),
            opened => opened,
        }
    }

    /// Opens a regular file that is in the directory after all its links are resolved.
    pub fn open_inside(&self, file: &SitePath) -> io::Result<File> {
        let target = file.below_dir(&self.path).canonicalize()?;
        if !target.starts_with(self.path.canonicalize()?) {
            return Err(io::Error::other(
                "it is a link that points outside the output directory",
            ));
        }
        regular(open_unlinked(&target)?)
    }

    /// Whether a file is a link that escapes the site.
    pub fn is_escaped_by(&self, file: &SitePath) -> bool {
        self.containment.is_escaped_by(&file.below_dir(&self.path))
    }

    /// Opens a file, unless it is a link out of the site.
    pub fn open(&self, file: &SitePath) -> io::Result<LoggedFile> {
        let path = file.below_dir(&self.path);
        let log = self.containment.failures.clone();
        let opened = log.note(&path, self.containment.open(&path))?;
        Ok(LoggedFile::new(opened, path, log))
    }

    /// Opens a regular file that is not a link; `None` if there is none.
    pub fn open_unlinked(&self, file: &SitePath) -> Option<LoggedFile> {
        let path = file.below_dir(&self.path);
        let log = self.containment.failures.clone();
        let opened = log.note(&path, open_unlinked(&path).and_then(regular));
        Some(LoggedFile::new(opened.ok()?, path, log))
    }

    /// Whether a file exists, after links are resolved.
    pub fn has_file(&self, file: &SitePath) -> bool {
        self.containment
            .failures
            .is_file(&file.below_dir(&self.path))
    }

    /// The failures of the machine while files were read.
    pub fn failures(&self) -> &FailureLog {
        self.containment.failures()
    }

    /// Returns an error if the machine failed while a file was read, so that what was read may be
    /// incomplete.
    pub fn check_failures(&self) -> Result<(), MachineFailure> {
        self.containment.failures.check()
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
    String::from_utf8(read(path, most)?).map_err(io::Error::other)
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
            let reach = Containment::of_site(&root);
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
        let site = SitemapDir::named_by_user(&at("site"));
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
}

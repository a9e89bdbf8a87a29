//! How far a site's own files may lead, and how much of one is read.
//!
//! Whoever may change a repository must not be able to make waypost read or write elsewhere on the machine, wait for
//! ever, or run out of memory. Whoever runs waypost may name any path: flags and the environment are not bound.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use walkdir::{DirEntry, WalkDir};

use crate::site_paths::SitePath;

/// What to do about a file or folder that may not be read.
pub(crate) const MAKE_READABLE: &str = "it has to be readable for the user who runs waypost";

/// Settings and their like, in bytes; hosts and generators take far less.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// The folders within which the files of a site lie.
#[derive(Debug, Clone)]
pub(crate) struct Containment(Vec<PathBuf>);

impl Containment {
    /// The site root, and the repository round it: a book's chapter may be the README above it.
    pub(crate) fn of_site(root: &Path) -> Self {
        // What is not there cannot be read either.
        let Ok(root) = root.canonicalize() else {
            return Self(Vec::new());
        };
        let repository = root
            .ancestors()
            .find(|folder| folder.join(".git").exists())
            .map(Path::to_path_buf);
        Self(repository.into_iter().chain([root]).collect())
    }

    /// A further folder, or a single file.
    pub(crate) fn and(mut self, path: &Path) -> Self {
        self.0.extend(path.canonicalize());
        self
    }

    /// Whether a path leads out, by `..` or by links. One that leads nowhere does not.
    pub(crate) fn is_left_by(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|target| !self.0.iter().any(|folder| target.starts_with(folder)))
    }

    /// Reads a text of the site's own.
    pub(crate) fn read_text(&self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.read(path)?).map_err(io::Error::other)
    }

    /// Reads a file of the site's own.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.check(path)?;
        read(path, MOST_BYTES)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        if self.is_left_by(path) {
            return Err(io::Error::other(
                "it is a link that leads out of the site and its repository",
            ));
        }
        Ok(())
    }
}

/// A folder of sitemaps and feeds, and how far its files may lead: whoever made them may have made links of them.
#[derive(Debug, Clone)]
pub struct SitemapDir {
    path: PathBuf,
    reach: Containment,
}

impl SitemapDir {
    /// The output folder of a site that reaches so far.
    pub(crate) fn of_site(path: &Path, reach: Containment) -> Self {
        Self {
            path: path.to_owned(),
            reach,
        }
    }

    /// A folder that whoever runs waypost has named: its files may lead through it and the repository round it.
    pub(crate) fn named(path: &Path) -> Self {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        Self::of_site(path, Containment::of_site(path))
    }

    /// The folder round a file that whoever runs waypost has named; the file itself may be a link to anywhere.
    pub(crate) fn round(file: &Path) -> Self {
        let folder = Self::named(file.parent().unwrap_or(Path::new("")));
        Self {
            reach: folder.reach.and(file),
            ..folder
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a file leads out of the site.
    pub(crate) fn is_left_by(&self, file: &SitePath) -> bool {
        self.reach.is_left_by(&file.below_folder(&self.path))
    }

    /// Opens a file of the folder.
    pub(crate) fn open(&self, file: &SitePath) -> io::Result<File> {
        let path = file.below_folder(&self.path);
        self.reach.check(&path)?;
        open(&path)
    }
}

/// Where a walk over folders, which follows links, stands below a linked folder.
///
/// It does not go on from there by further links: where each folder holds two links to the next, every step would double
/// the paths.
#[derive(Debug, Default)]
pub(crate) struct LinkedDir {
    depth: Option<usize>,
}

impl LinkedDir {
    /// Whether the next entry of the walk is such a further link.
    pub(crate) fn leads_on(&mut self, entry: &DirEntry) -> bool {
        self.depth = self.depth.filter(|depth| entry.depth() > *depth);
        if !(entry.path_is_symlink() && entry.file_type().is_dir()) {
            return false;
        }
        let is_below = self.depth.is_some();
        self.depth = self.depth.or(Some(entry.depth()));
        is_below
    }
}

/// So many entries of a folder behind a link are looked at for what it holds.
const MOST_LOOKED_AT: usize = 1000;

/// Whether a folder behind a link that is not followed may hold files that somebody would miss. One with very many files
/// may, and one that cannot be read.
pub(crate) fn may_hold(folder: &Path, is_missed: impl Fn(&Path) -> bool) -> bool {
    let may_be = |(at, entry): (usize, walkdir::Result<DirEntry>)| {
        at >= MOST_LOOKED_AT
            || entry.map_or(true, |entry| {
                !entry.file_type().is_dir() && is_missed(entry.path())
            })
    };
    WalkDir::new(folder)
        .min_depth(1)
        .into_iter()
        .enumerate()
        .any(may_be)
}

/// A path from where the file system begins. What is relative is below the working folder; where that is gone, it stays so.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Opens what is a file: reading a pipe would wait for ever for somebody to write, and a device has no end.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    metadata(path).and_then(|_| File::open(path))
}

fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(io::Error::other("it is no file"))
    }
}

/// Whether somebody else may read a path as a whole: it is a file of no more bytes than `most`.
pub(crate) fn check(path: &Path, most: u64) -> io::Result<()> {
    if metadata(path)?.len() > most {
        Err(larger_than(most))
    } else {
        Ok(())
    }
}

fn larger_than(most: u64) -> io::Error {
    io::Error::other(format!("it is larger than {} MiB", most >> 20))
}

/// A path from a folder in which it really lies, whichever way leads to either.
pub(crate) fn really_below(folder: &Path, path: &Path) -> Option<PathBuf> {
    Some(
        path.canonicalize()
            .ok()?
            .strip_prefix(folder.canonicalize().ok()?)
            .ok()?
            .to_owned(),
    )
}

/// When a file was last changed, in seconds since 1970; none where that cannot be told.
pub(crate) fn modified(path: &Path) -> Option<i64> {
    let since = fs::metadata(path)
        .ok()?
        .modified()
        .ok()?
        .duration_since(UNIX_EPOCH)
        .ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// Reads a file as a whole, unless it has more bytes than `most`.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(larger_than(most));
    }
    Ok(bytes)
}

/// The same of a text.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_site_reaches_as_far_as_its_repository() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repository/docs");
        fs::create_dir_all(&root).expect("a folder");
        for file in ["secret", "repository/README", "repository/docs/own"] {
            fs::write(folder.path().join(file), file).expect("a file");
        }
        symlink("../../secret", root.join("link")).expect("a link");
        let check = |path: &str, is_left: bool| {
            let reach = Containment::of_site(&root);
            assert_eq!(reach.is_left_by(&root.join(path)), is_left, "{path}");
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
        fs::create_dir(folder.path().join("repository/.git")).expect("a folder");
        check("../README", false);
        check("link", true);
    }

    #[test]
    fn no_more_is_read_than_was_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("large");
        File::create(&file)
            .and_then(|file| file.set_len(10 << 30))
            .expect("a sparse file");
        let error = read(&file, MOST_BYTES).expect_err("it is too large");
        assert_eq!(error.to_string(), "it is larger than 16 MiB");
        assert!(read(folder.path(), MOST_BYTES).is_err());
    }
}

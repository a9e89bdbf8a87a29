//! Finds the pages in the output directory: all files with a page's extension, sorted by the bytes
//! of their paths.
//!
//! No file is opened. Hidden files and directories (names that begin with a dot) are not pages:
//! hosts and generators do not publish them. Symbolic links are followed if they stay within the
//! directory, but not from one linked directory to another.

mod discover_error;

use std::ffi::OsStr;
use std::fs::FileType;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use site_paths::containment::{LinkedDir, may_contain};
use site_paths::finding::{Finding, Subject, code};
use site_paths::io_failure::{IoFailure, MachineFailure, retried};
use site_paths::{BaseUrl, SitePath};

pub use discover_error::DiscoverError;
use discover_error::MAKE_LISTABLE;

/// File that a sitemap could list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// Path below the output directory.
    pub file: SitePath,
    /// Whether the file is read, or only listed and dated.
    pub kind: PageKind,
}

/// Kind of a page, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageKind {
    /// HTML: read for its facts.
    Html,
    /// An additional extension from the settings (`pdf`, …): listed and dated, not read.
    Other,
}

/// Pages and findings of a walk over the output directory.
#[derive(Debug, Default)]
pub struct DiscoveredPages {
    /// The pages, sorted by the bytes of their paths.
    pub pages: Vec<Page>,
    /// Broken links, directories that cannot be listed, and the like.
    pub findings: Vec<Finding>,
}

/// Number of pages that share one allocation for their paths and URLs.
const PAGES_PER_BLOCK: usize = 1024;

/// Whether there is any page below `output_dir`. It is an error if none is found and some directory
/// cannot be listed.
pub fn has_pages(output_dir: &Path, extensions: &[String]) -> Result<bool, DiscoverError> {
    walked(|| find_any_page(output_dir, extensions))
}

/// Walks the directory, and once more if the machine fails.
fn walked<T>(mut walk: impl FnMut() -> Result<T, DiscoverError>) -> Result<T, DiscoverError> {
    match walk() {
        Err(DiscoverError::Machine(_)) => walk(),
        result => result,
    }
}

fn find_any_page(output_dir: &Path, extensions: &[String]) -> Result<bool, DiscoverError> {
    let root = root_of(output_dir)?;
    let entries = WalkDir::new(&root)
        .min_depth(1)
        .into_iter()
        .filter_entry(|entry| !is_hidden(entry));
    let is_page = |entry: &DirEntry| {
        !entry.file_type().is_dir()
            && kind_of(&SitePath::from_relative(entry.path()), extensions).is_some()
    };
    let mut unseen = None;
    for entry in entries {
        match entry {
            Ok(entry) if is_page(&entry) => return Ok(true),
            Ok(_) => {}
            Err(error) => {
                let error = unless_unknown(&root, error)?;
                unseen = unseen.or_else(|| no_page_seen(&root, error));
            }
        }
    }
    unseen.map_or(Ok(false), Err)
}

/// Returns the error of a walk, unless it leaves pages unknown that may exist: then the walk fails.
fn unless_unknown(root: &Path, error: walkdir::Error) -> Result<walkdir::Error, DiscoverError> {
    let path = error.path().unwrap_or(root).to_owned();
    let Some(source) = error.io_error() else {
        return Ok(error);
    };
    match IoFailure::of(source) {
        IoFailure::Machine => Err(MachineFailure::new(&path, source).into()),
        IoFailure::Denied if !is_hidden_name(path.file_name()) && !path.is_symlink() => {
            let source = source.kind().into();
            Err(DiscoverError::Unlistable(site_path(root, &path), source))
        }
        _ => Ok(error),
    }
}

fn no_page_seen(root: &Path, error: walkdir::Error) -> Option<DiscoverError> {
    let dir = site_path(root, error.path().unwrap_or(root));
    Some(DiscoverError::NoPageSeen(dir, error.into_io_error()?))
}

fn site_path(root: &Path, path: &Path) -> SitePath {
    SitePath::below(root, path).unwrap_or_else(|| SitePath::from_relative(path))
}

fn root_of(output_dir: &Path) -> Result<PathBuf, DiscoverError> {
    let failed = |error| DiscoverError::OutputDir(output_dir.to_owned(), error);
    let root = retried(|| output_dir.canonicalize()).map_err(failed)?;
    if !retried(|| root.metadata()).map_err(failed)?.is_dir() {
        return Err(DiscoverError::NotADirectory(output_dir.to_owned()));
    }
    retried(|| root.read_dir()).map_err(failed)?;
    Ok(root)
}

/// Finds all pages below `output_dir`, which is served at `base`. `extensions` are in lower case,
/// without the dot.
pub fn discover(
    output_dir: &Path,
    base: &BaseUrl,
    extensions: &[String],
) -> Result<DiscoveredPages, DiscoverError> {
    walked(|| discover_once(output_dir, base, extensions))
}

fn discover_once(
    output_dir: &Path,
    base: &BaseUrl,
    extensions: &[String],
) -> Result<DiscoveredPages, DiscoverError> {
    let root = root_of(output_dir)?;
    let (linked, found) = (LinkedDir::default(), DiscoveredPages::default());
    let mut walk = OutputWalk {
        root: &root,
        base,
        extensions,
        linked,
        found,
        unlistable: None,
    };
    walk.run()?;
    if let (true, Some(unseen)) = (walk.found.pages.is_empty(), walk.unlistable.take()) {
        return Err(unseen);
    }
    walk.move_last_block_together();
    let mut found = walk.found;
    found.pages.sort_unstable();
    Ok(found)
}

struct OutputWalk<'a> {
    root: &'a Path,
    base: &'a BaseUrl,
    extensions: &'a [String],
    linked: LinkedDir,
    found: DiscoveredPages,
    /// The first directory that cannot be listed.
    unlistable: Option<DiscoverError>,
}

impl OutputWalk<'_> {
    fn run(&mut self) -> Result<(), DiscoverError> {
        let mut entries = WalkDir::new(self.root)
            .follow_links(true)
            .min_depth(1)
            .into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry)
                    if is_hidden(&entry)
                        || !self.stays_inside(&entry)?
                        || self.is_further_link(&entry) =>
                {
                    if entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) => self.add(&entry),
                Err(error) => self.report(unless_unknown(self.root, error)?),
            }
        }
        Ok(())
    }

    /// Whether an entry is inside the output directory after resolving links; if not, it is
    /// reported.
    fn stays_inside(&mut self, entry: &DirEntry) -> Result<bool, MachineFailure> {
        if !entry.path_is_symlink() {
            return Ok(true);
        }
        let inside = match entry.path().canonicalize() {
            Ok(target) => target.starts_with(self.root),
            Err(error) if IoFailure::of(&error) == IoFailure::Machine => {
                return Err(MachineFailure::new(entry.path(), &error));
            }
            Err(_) => false,
        };
        let concerns_pages =
            entry.file_type().is_dir() || self.kind_of(&self.site_path(entry.path())).is_some();
        if !inside && concerns_pages {
            self.bad_link(
                entry.path(),
                "points outside the output directory, so it is not followed",
            );
        }
        Ok(inside)
    }

    /// Whether an entry is a link from a linked directory to another. It is reported if pages may
    /// be missed.
    fn is_further_link(&mut self, entry: &DirEntry) -> bool {
        let leads_on = self.linked.is_further_link(entry);
        if leads_on && may_contain(entry.path(), |file| self.may_be_page(file)) {
            self.bad_link(
                entry.path(),
                "is in a linked directory and points to another directory, so it is not followed",
            );
        }
        leads_on
    }

    /// Whether a file is a page by its name, or a link to a directory.
    fn may_be_page(&self, path: &Path) -> bool {
        path.is_dir() || self.kind_of(&self.site_path(path)).is_some()
    }

    fn add(&mut self, entry: &DirEntry) {
        if entry.file_type().is_dir() {
            return;
        }
        let file = self.site_path(entry.path());
        let Some(kind) = self.kind_of(&file) else {
            return;
        };
        if !entry.file_type().is_file() {
            let message = format!("`{file}` is {}, not a file", name_of(entry.file_type()));
            self.found.findings.push(Finding::new(
                code::NOT_A_FILE,
                Subject::Page(file, None),
                message,
            ));
            return;
        }
        if std::str::from_utf8(file.as_bytes()).is_err() {
            let message =
                format!("the name of `{file}` is not UTF-8; its URL is encoded from its bytes");
            self.found.findings.push(Finding::new(
                code::NAME_NOT_UTF8,
                Subject::Page(file.clone(), None),
                message,
            ));
        }
        self.found.pages.push(Page { file, kind });
        if self.found.pages.len().is_multiple_of(PAGES_PER_BLOCK) {
            self.move_last_block_together();
        }
    }

    fn move_last_block_together(&mut self) {
        let last = self
            .found
            .pages
            .chunks_mut(PAGES_PER_BLOCK)
            .next_back()
            .unwrap_or_default();
        self.base
            .move_together(last.iter_mut().map(|page| &mut page.file));
    }

    fn site_path(&self, path: &Path) -> SitePath {
        site_path(self.root, path)
    }

    fn kind_of(&self, file: &SitePath) -> Option<PageKind> {
        kind_of(file, self.extensions)
    }

    fn report(&mut self, error: walkdir::Error) {
        let path = error.path().unwrap_or(self.root).to_owned();
        if is_hidden_name(path.file_name()) {
            return;
        }
        if error.loop_ancestor().is_some() {
            return self.bad_link(
                &path,
                "points to one of its parent directories, so it is not followed",
            );
        }
        let file = self.site_path(&path);
        if path.is_symlink() {
            if self.kind_of(&file).is_some() {
                self.bad_link(&path, "is broken");
            }
            return;
        }
        let reason = error
            .io_error()
            .map_or_else(|| error.to_string(), ToString::to_string);
        let message = format!("cannot list `{file}`: {reason}; pages below it are missing");
        let finding = Finding::new(code::UNREADABLE_FOLDER, Subject::Page(file, None), message)
            .with_hint(MAKE_LISTABLE);
        self.found.findings.push(finding);
        self.unlistable = self
            .unlistable
            .take()
            .or_else(|| no_page_seen(self.root, error));
    }

    fn bad_link(&mut self, path: &Path, what: &str) {
        let file = self.site_path(path);
        let message = format!("the symbolic link `{file}` {what}");
        self.found.findings.push(Finding::new(
            code::BAD_SYMLINK,
            Subject::Page(file, None),
            message,
        ));
    }
}

/// Kind of a page by its extension, in any case; `None` if the file is not a page.
fn kind_of(file: &SitePath, extensions: &[String]) -> Option<PageKind> {
    let extension = file.extension()?;
    if !extensions
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    {
        return None;
    }
    Some(if file.is_html() {
        PageKind::Html
    } else {
        PageKind::Other
    })
}

fn is_hidden(entry: &DirEntry) -> bool {
    is_hidden_name(Some(entry.file_name()))
}

fn is_hidden_name(name: Option<&OsStr>) -> bool {
    name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

#[cfg(unix)]
fn name_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name_of(_: FileType) -> &'static str {
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;
    use site_paths::HTML_EXTENSIONS;
    use std::fs;

    fn base() -> BaseUrl {
        BaseUrl::parse("https://example.com/").expect("a valid base URL")
    }

    fn discover_html(dir: &Path) -> (Vec<String>, Vec<&'static str>) {
        let extensions = HTML_EXTENSIONS.map(str::to_owned);
        let found = discover(dir, &base(), &extensions).expect("the directory exists");
        let names = found
            .pages
            .iter()
            .map(|page| page.file.to_string())
            .collect();
        (
            names,
            found
                .findings
                .iter()
                .map(|finding| finding.code.name)
                .collect(),
        )
    }

    fn site(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("the path has a parent")).expect("a directory");
            fs::write(path, "x").expect("a file");
        }
        dir
    }

    #[test]
    fn files_with_a_page_extension_are_found_in_byte_order() {
        let dir = site(&[
            "a/x.html",
            "a-b/x.html",
            "A.HTML",
            "b.htm",
            "c.xhtml",
            "d.pdf",
            "some.html/else",
            "html",
        ]);
        let expected = ["A.HTML", "a-b/x.html", "a/x.html", "b.htm", "c.xhtml"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(discover_html(dir.path()), (expected, vec![]));
    }

    #[test]
    fn hidden_files_and_directories_are_not_pages() {
        let dir = site(&[
            ".hidden.html",
            ".git/x.html",
            ".well-known/y.html",
            "ok.html",
        ]);
        assert_eq!(discover_html(dir.path()).0, ["ok.html"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_within_the_output_directory() {
        use std::os::unix::fs::symlink;
        let outside = site(&["secret.html", "folder/secret.html"]);
        let dir = site(&["real/p.html"]);
        let link =
            |target: &Path, name: &str| symlink(target, dir.path().join(name)).expect("a link");
        link(Path::new("real"), "copy");
        link(&outside.path().join("secret.html"), "out.html");
        link(&outside.path().join("folder"), "out");
        link(Path::new("nowhere.html"), "gone.html");
        link(Path::new(".."), "real/loop");
        let (pages, findings) = discover_html(dir.path());
        assert_eq!(pages, ["copy/p.html", "real/p.html"]);
        // The loop is found twice: below `real` and below its copy.
        assert_eq!(findings, ["bad-symlink"; 5]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_from_one_linked_directory_to_another() {
        use std::os::unix::fs::symlink;
        let dir = site(&["a/p.html", "b/c/q.html", "d/r.html"]);
        let link =
            |target: &str, name: &str| symlink(target, dir.path().join(name)).expect("a link");
        link("../b", "a/to-b");
        link("../../d", "b/c/to-d");
        link("p.html", "a/same.html");
        fs::create_dir(dir.path().join("images")).expect("a directory");
        fs::write(dir.path().join("images/x.png"), "x").expect("a file");
        link("../../images", "b/c/images");
        let (pages, findings) = discover_html(dir.path());
        let expected = [
            "a/p.html",
            "a/same.html",
            "a/to-b/c/q.html",
            "b/c/q.html",
            "b/c/to-d/r.html",
            "d/r.html",
        ];
        assert_eq!(pages, expected);
        assert_eq!(findings, ["bad-symlink"]);
    }

    #[test]
    fn a_missing_output_directory_is_an_error() {
        assert!(matches!(
            discover(Path::new("/no/such/folder"), &base(), &[]),
            Err(DiscoverError::OutputDir(..))
        ));
    }
}

//! Finds the pages in the output directory: all files with a page's extension, sorted by the bytes
//! of their paths.
//!
//! No file is opened. Hidden files and directories (names that begin with a dot) are not pages:
//! hosts and generators do not publish them. Symbolic links are followed if they stay within the
//! directory, but not from one linked directory to another.

mod discover_error;

pub use discover_error::DiscoverError;

use std::fs::FileType;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use crate::files::io_failure::IoFailure;
use crate::files::tree::{LinkedDir, Tree};
use crate::findings::{Finding, Findings, Subject, code};
use sitemaps::site_paths::{BaseUrl, SitePath, extension_of};

/// Number of pages that share one allocation for their paths and URLs.
const PAGES_PER_BLOCK: usize = 1024;

/// The result of a walk over the output directory.
#[derive(Debug, Default)]
pub struct DiscoveredPages {
    /// The pages, sorted by the bytes of their paths.
    pub pages: Vec<SitePath>,
    /// Directories that are links, that have an entry named `.git`, or that cannot be listed. Every
    /// other directory of a page is an ordinary one, unless it is below one of these.
    pub special_dirs: Vec<SitePath>,
}

/// Finds all pages below `output`, which is served at `base`. `extensions` are in lower case,
/// without the dot. Reports broken links, special files and the like.
pub fn discover(
    output: &Tree,
    base: &BaseUrl,
    extensions: &[String],
    findings: &Findings,
) -> Result<DiscoveredPages, DiscoverError> {
    let failed = |error| DiscoverError::OutputDir(output.path().to_owned(), error);
    let root = output.path().canonicalize().map_err(failed)?;
    if !root.metadata().map_err(failed)?.is_dir() {
        return Err(DiscoverError::NotADirectory(output.path().to_owned()));
    }
    let root = root.as_path();
    let mut limits = WalkLimits {
        root,
        extensions,
        tree: output,
        linked: LinkedDir::default(),
        special_dirs: Vec::new(),
        findings,
    };
    let (mut found, mut errors) = (DiscoveredPages::default(), Vec::new());
    let entries = WalkDir::new(root).follow_links(true).into_iter();
    for entry in entries.filter_entry(|entry| limits.allows(entry)) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if is_page(entry.file_name().as_encoded_bytes(), extensions) => {
                let file =
                    SitePath::below(root, entry.path()).expect("the walk stays below its root");
                findings.extend(doubt_about(&file, entry.file_type()));
                if entry.file_type().is_file() {
                    found.pages.push(file);
                    if found.pages.len().is_multiple_of(PAGES_PER_BLOCK) {
                        move_last_block_together(&mut found.pages, base);
                    }
                }
            }
            Ok(_) => {}
            Err(error) => errors.push(error),
        }
    }
    move_last_block_together(&mut found.pages, base);
    for error in errors {
        limits.report(error)?;
    }
    found.special_dirs = limits.special_dirs;
    found.pages.sort_unstable();
    Ok(found)
}

fn move_last_block_together(pages: &mut [SitePath], base: &BaseUrl) {
    let last = pages.chunks_mut(PAGES_PER_BLOCK).next_back();
    base.move_together(last.into_iter().flatten());
}

/// Whether a file is a page by its extension, in any case.
fn is_page(file: &[u8], extensions: &[String]) -> bool {
    extension_of(file).is_some_and(|extension| {
        extensions
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    })
}

/// Whether a file or directory is hidden.
fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}

/// Reports a page that is a special file, and so is not read, or whose name is not text.
fn doubt_about(file: &SitePath, kind: FileType) -> Option<Finding> {
    let (code, message) = if !kind.is_file() {
        let message = format!("`{file}` is {}, not a file", name_of(kind));
        (code::FILE_SKIPPED, message)
    } else if std::str::from_utf8(file.as_bytes()).is_err() {
        let message =
            format!("the name of `{file}` is not UTF-8; its URL is encoded from its bytes");
        (code::PAGE_DOUBTFUL, message)
    } else {
        return None;
    };
    Some(Finding::new(code, file, message))
}

/// Names the kind of a file that is neither regular nor a directory.
fn name_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if kind.is_symlink() {
        "a symbolic link"
    } else {
        "a device"
    }
}

/// Limits of a walk: hidden files and directories are skipped, and links that point outside the output
/// or from one linked directory to another are not followed.
struct WalkLimits<'a> {
    root: &'a Path,
    /// Extensions of pages, in lower case.
    extensions: &'a [String],
    tree: &'a Tree,
    linked: LinkedDir,
    special_dirs: Vec<SitePath>,
    findings: &'a Findings,
}

impl WalkLimits<'_> {
    fn allows(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let (path, name) = (entry.path(), entry.file_name().as_encoded_bytes());
        if is_hidden(name) {
            if name == b".git" {
                let dir = path.parent().unwrap_or(self.root);
                self.special_dirs.push(self.below(dir));
            }
            return false;
        }
        let is_further_link = self.linked.is_further_link(entry);
        let is_dir = entry.file_type().is_dir();
        if !entry.path_is_symlink() {
            return true;
        }
        if !is_dir && !is_page(name, self.extensions) {
            return false;
        }
        if is_dir {
            self.special_dirs.push(self.below(path));
        }
        let target = self.tree.resolved(path);
        if !target.is_some_and(|target| target.starts_with(self.root)) {
            self.skip(
                path,
                "points outside the output directory, so it is not followed",
            );
            false
        } else if is_further_link {
            let what =
                "is in a linked directory and points to another directory, so it is not followed";
            self.skip(path, what);
            false
        } else {
            true
        }
    }

    fn below(&self, path: &Path) -> SitePath {
        SitePath::below(self.root, path).unwrap_or_default()
    }

    /// Reports a link that leads nowhere. A directory that cannot be listed is an error, because its
    /// pages are unknown.
    fn report(&mut self, error: walkdir::Error) -> Result<(), DiscoverError> {
        let path = error.path().unwrap_or(self.root).to_owned();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if error.depth() > 0 && is_hidden(name) {
            return Ok(());
        }
        let is_page = is_page(name, self.extensions);
        let Some(source) = error.into_io_error() else {
            self.special_dirs.push(self.below(&path));
            self.skip(
                &path,
                "points to one of its parent directories, so it is not followed",
            );
            return Ok(());
        };
        if !path.is_symlink() || IoFailure::of(&source) == IoFailure::Machine {
            return Err(if path == self.root {
                DiscoverError::OutputDir(self.tree.path().to_owned(), source)
            } else {
                DiscoverError::Unlistable(self.below(&path), source)
            });
        }
        // A target in the output directory is found by its own name too.
        if is_page {
            self.skip(&path, "is broken");
        }
        Ok(())
    }

    /// Reports a link that is not followed.
    fn skip(&mut self, link: &Path, what: &str) {
        let file = self.below(link);
        let message = format!("the symbolic link `{file}` {what}");
        let subject = Subject::Page(file, None);
        self.findings
            .add(Finding::new(code::FILE_SKIPPED, subject, message));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use sitemaps::site_paths::HTML_EXTENSIONS;

    fn base() -> BaseUrl {
        BaseUrl::parse("https://example.com/").expect("a valid base URL")
    }

    fn discover_html(dir: &Path) -> (Vec<String>, Vec<&'static str>) {
        let extensions = HTML_EXTENSIONS.map(str::to_owned);
        let findings = Findings::default();
        let found = discover(&Tree::new(dir), &base(), &extensions, &findings)
            .expect("the directory exists");
        let names = found.pages.iter().map(SitePath::to_string).collect();
        let findings = findings.take_sorted().into_iter();
        (names, findings.map(|finding| finding.code.name).collect())
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
        assert_eq!(findings, ["file-skipped"; 5]);
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
        assert_eq!(findings, ["file-skipped"; 2]);
    }

    #[cfg(unix)]
    #[test]
    fn linked_directories_and_those_with_a_repository_are_special() {
        let dir = site(&["a/p.html", "b/.git/HEAD", "b/c/p.html", "d.html"]);
        for (target, name) in [("a", "copy"), ("d.html", "e.html"), ("..", "a/up")] {
            std::os::unix::fs::symlink(target, dir.path().join(name)).expect("a link");
        }
        let extensions = HTML_EXTENSIONS.map(str::to_owned);
        let findings = Findings::default();
        let found = discover(&Tree::new(dir.path()), &base(), &extensions, &findings)
            .expect("the directory exists");
        let special = found.special_dirs.iter().map(ToString::to_string);
        let special: std::collections::BTreeSet<_> = special.collect();
        let expected = ["a/up", "b", "copy", "copy/up"].map(str::to_owned);
        assert_eq!(special, expected.into());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_directory_that_may_not_be_listed_is_reported_if_it_is_outside() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let outside = site(&["closed/secret.html"]);
        let dir = site(&["p.html"]);
        let closed = outside.path().join("closed");
        symlink(&closed, dir.path().join("out")).expect("a link");
        symlink(closed.join("secret.html"), dir.path().join("out.html")).expect("a link");
        let set = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode));
        set(0).expect("it is ours");
        let found = discover_html(dir.path());
        set(0o755).expect("it is ours");
        assert_eq!(found, (vec!["p.html".to_owned()], vec!["file-skipped"; 2]));
    }

    #[test]
    fn a_missing_output_directory_is_an_error() {
        assert!(matches!(
            discover(
                &Tree::new(Path::new("/no/such/directory")),
                &base(),
                &[],
                &Findings::default()
            ),
            Err(DiscoverError::OutputDir(..))
        ));
    }
}

//! The walk over the output directory, which follows links that stay inside.

use std::fs::FileType;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::DiscoveredPages;
use super::discover_error::DiscoverError;
use crate::files::io_failure::IoFailure;
use crate::files::tree::{LinkedDir, Tree};
use crate::findings::{Finding, Findings, Subject, code};
use sitemaps::site_paths::{BaseUrl, SitePath, extension_of};

/// Number of pages that share one allocation for their paths and URLs.
const PAGES_PER_BLOCK: usize = 1024;

/// Finds all pages below `root`, a path without links.
pub(super) fn walk(
    root: &Path,
    base: &BaseUrl,
    extensions: &[String],
    tree: &Tree,
    findings: &Findings,
) -> Result<DiscoveredPages, DiscoverError> {
    let mut limits = WalkLimits {
        root,
        extensions,
        tree,
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
    let subject = Subject::Page(file.clone(), None);
    Some(Finding::new(code, subject, message))
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
            return Err(DiscoverError::Unlistable(self.below(&path), source));
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

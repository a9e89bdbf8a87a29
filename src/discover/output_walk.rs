//! The walk over the output directory, which follows links that stay inside.

use std::fs;
use std::io;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::discover_error::{DiscoverError, MAKE_LISTABLE, unless_unknown};
use super::found_pages::FoundPages;
use super::page::{DiscoveredPages, is_hidden, is_page};
use site_paths::SitePath;
use site_paths::containment::{LinkedDir, may_contain};
use site_paths::finding::{Finding, Subject, code};
use site_paths::io_failure::{FailureLog, IoFailure};

/// The message about a link that points elsewhere.
const OUTSIDE: &str = "points outside the output directory, so it is not followed";

/// Finds all pages below `root`, a path without links. It is an error if there are none, but a
/// directory cannot be listed.
pub(super) fn walk(
    root: &Path,
    extensions: &[String],
    failures: &FailureLog,
    mut found: FoundPages<'_>,
) -> Result<DiscoveredPages, DiscoverError> {
    let mut limits = WalkLimits {
        root,
        extensions,
        failures,
        linked: LinkedDir::default(),
        special_dirs: Vec::new(),
        findings: Vec::new(),
    };
    let mut errors = Vec::new();
    let entries = WalkDir::new(root).follow_links(true).into_iter();
    for entry in entries.filter_entry(|entry| limits.allows(entry)) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if is_page(entry.file_name().as_encoded_bytes(), extensions) => {
                let file = SitePath::below(root, entry.path());
                let file = file.expect("the walk stays below its root");
                found.add(file, entry.file_type());
            }
            Ok(_) => {}
            Err(error) => errors.push(error),
        }
    }
    let mut unlistable = None;
    for error in errors {
        if let Some(error) = limits.report(error)? {
            unlistable.get_or_insert(error);
        }
    }
    for dir in limits.special_dirs {
        found.add_special_dir(dir);
    }
    for finding in limits.findings {
        found.report(finding);
    }
    let found = found.into_sorted();
    match unlistable {
        Some(unseen) if found.pages.is_empty() => Err(unseen),
        _ => Ok(found),
    }
}

/// The directory that could not be listed, below `root`, with the cause.
pub(super) fn unlisted(root: &Path, error: walkdir::Error) -> (SitePath, io::Error) {
    // A failure in the middle of a list has no path.
    let dir = error.path().and_then(|path| SitePath::below(root, path));
    let source = error.into_io_error();
    let source = source.unwrap_or_else(|| io::Error::other("it contains itself"));
    (dir.unwrap_or_default(), source)
}

/// Limits of a walk: hidden files and directories are skipped, and links that point outside the output
/// or from one linked directory to another are not followed.
struct WalkLimits<'a> {
    root: &'a Path,
    /// Extensions of pages, in lower case.
    extensions: &'a [String],
    failures: &'a FailureLog,
    linked: LinkedDir,
    special_dirs: Vec<SitePath>,
    findings: Vec<Finding>,
}

impl WalkLimits<'_> {
    fn allows(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name().as_encoded_bytes();
        if is_hidden(name) {
            if name == b".git" {
                let dir = entry.path().parent().unwrap_or(self.root);
                let dir = SitePath::below(self.root, dir);
                self.special_dirs.push(dir.unwrap_or_default());
            }
            return false;
        }
        let is_further_link = self.linked.is_further_link(entry);
        if !entry.path_is_symlink() {
            return true;
        }
        let is_dir = entry.file_type().is_dir();
        if !is_dir && !is_page(name, self.extensions) {
            return false;
        }
        let path = entry.path();
        if is_dir {
            let link = self.below(path);
            self.special_dirs.push(link);
        }
        let target = self.failures.resolved(path);
        if !target.is_some_and(|target| target.starts_with(self.root)) {
            self.skip(path, OUTSIDE);
            return false;
        }
        if is_further_link && may_contain(path, self.failures, |file| self.may_be_page(file)) {
            let what =
                "is in a linked directory and points to another directory, so it is not followed";
            self.skip(path, what);
        }
        !is_further_link
    }

    fn below(&self, path: &Path) -> SitePath {
        SitePath::below(self.root, path).unwrap_or_default()
    }

    /// Whether a file is a page by its name, or a link to a directory.
    fn may_be_page(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        self.failures.is_dir(path) || is_page(name, self.extensions)
    }

    /// Reports a link that leads nowhere, or a directory that cannot be listed: an error if that
    /// leaves pages unknown, else the error to return if no page is found.
    fn report(&mut self, error: walkdir::Error) -> Result<Option<DiscoverError>, DiscoverError> {
        let path = error.path().unwrap_or(self.root).to_owned();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if error.depth() > 0 && is_hidden(name) {
            return Ok(None);
        }
        if error.loop_ancestor().is_some() {
            let link = self.below(&path);
            self.special_dirs.push(link);
            let what = "points to one of its parent directories, so it is not followed";
            self.skip(&path, what);
            return Ok(None);
        }
        let (dir, source) = unlisted(self.root, error);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        if is_link && IoFailure::of(&source) != IoFailure::Machine && !self.leads_inside(&path) {
            return Ok(None);
        }
        let source = unless_unknown(self.root, &dir, source)?;
        self.special_dirs.push(dir.clone());
        let message = format!("cannot list `{dir}`: {source}; pages below it are missing");
        let subject = Subject::Page(dir.clone(), None);
        let finding = Finding::new(code::DIRECTORY_UNREADABLE, subject, message);
        self.findings.push(finding.with_hint(MAKE_LISTABLE));
        Ok(Some(DiscoverError::NoPageSeen(dir, source)))
    }

    /// Whether a link that could not be followed leads to a directory inside. Reports it if not.
    fn leads_inside(&mut self, link: &Path) -> bool {
        let is_page = is_page(link.as_os_str().as_encoded_bytes(), self.extensions);
        let Some(target) = self.failures.resolved(link) else {
            if is_page {
                self.skip(link, "is broken");
            }
            return false;
        };
        let is_inside = target.starts_with(self.root);
        let is_dir = self.failures.is_dir(link);
        if !is_inside && (is_page || is_dir) {
            self.skip(link, OUTSIDE);
        }
        is_inside && is_dir
    }

    /// Reports a link that is not followed.
    fn skip(&mut self, link: &Path, what: &str) {
        let file = self.below(link);
        let message = format!("the symbolic link `{file}` {what}");
        let subject = Subject::Page(file, None);
        self.findings
            .push(Finding::new(code::FILE_SKIPPED, subject, message));
    }
}

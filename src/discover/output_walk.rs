//! The walk over the output directory, from directory handle to directory handle.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::discover_error::{DiscoverError, MAKE_LISTABLE, unless_unknown};
use super::found_pages::FoundPages;
use super::page::{DiscoveredPages, is_hidden};
use super::pending_dirs::{DirNames, PendingDirs};
use site_paths::SitePath;
use site_paths::containment::may_contain;
use site_paths::dir_handle::EntryKind;
use site_paths::finding::{Finding, Subject, code};
use site_paths::io_failure::{FailureLog, IoFailure, MachineFailure, retried};
use site_paths::open_tree::OpenTree;

/// A walk over all directories, which follows links that stay inside.
pub(super) struct OutputWalk<'a> {
    tree: OpenTree,
    /// The real path of the output directory.
    root: &'a Path,
    /// Remembers the failures of the machine.
    failures: &'a FailureLog,
    found: FoundPages<'a>,
    pending: PendingDirs,
    /// Real paths of the linked directories that are pending.
    targets: HashMap<Vec<u8>, PathBuf>,
    /// The linked directory that the walk is in, with its real path.
    linked: Option<(Vec<u8>, PathBuf)>,
    /// The first directory that cannot be listed.
    unlistable: Option<DiscoverError>,
}

impl<'a> OutputWalk<'a> {
    pub(super) fn new(
        tree: OpenTree,
        root: &'a Path,
        failures: &'a FailureLog,
        found: FoundPages<'a>,
    ) -> Self {
        Self {
            tree,
            root,
            failures,
            found,
            pending: PendingDirs::default(),
            targets: HashMap::new(),
            linked: None,
            unlistable: None,
        }
    }

    /// Finds all pages. It is an error if there are none, but a directory cannot be listed.
    pub(super) fn run(mut self) -> Result<DiscoveredPages, DiscoverError> {
        let mut next = Some(Vec::new());
        while let Some(dir) = next {
            self.visit(&dir)?;
            next = self.pending.take_next();
        }
        let found = self.found.into_sorted();
        match self.unlistable {
            Some(unseen) if found.pages.is_empty() => Err(unseen),
            _ => Ok(found),
        }
    }

    fn visit(&mut self, dir: &[u8]) -> Result<(), DiscoverError> {
        self.enter(dir);
        let (mut below, mut links) = (DirNames::default(), Vec::new());
        let mut file = dir.to_vec();
        if !dir.is_empty() {
            file.push(b'/');
        }
        let start = file.len();
        let found = &mut self.found;
        let listed = self.tree.list(dir, &mut |name, kind| {
            file.truncate(start);
            file.extend_from_slice(name);
            match kind {
                _ if name == b".git" => found.add_special_dir(SitePath::new(dir)),
                _ if is_hidden(name) => {}
                EntryKind::Dir => below.push(name),
                EntryKind::Link => links.push(name.to_owned()),
                kind => found.add(&file, kind),
            }
            ControlFlow::Continue(())
        });
        for name in links {
            file.truncate(start);
            file.extend_from_slice(&name);
            if let Some(target) = self.follow(&SitePath::new(&file), dir)? {
                self.targets.insert(file.clone(), target);
                below.push(&name);
            }
        }
        self.pending.add(dir, below);
        match listed {
            Ok(()) => Ok(()),
            Err(error) => self.report(&SitePath::new(dir), error),
        }
    }

    /// Notes whether the walk is in a linked directory.
    fn enter(&mut self, dir: &[u8]) {
        if let Some(target) = self.targets.remove(dir) {
            self.linked = Some((dir.to_vec(), target));
        }
        let is_left = |link: &[u8]| {
            let below = dir.strip_prefix(link);
            !below.is_some_and(|below| below.is_empty() || below.starts_with(b"/"))
        };
        if self.linked.as_ref().is_some_and(|(link, _)| is_left(link)) {
            self.linked = None;
        }
    }

    /// Follows a link in `dir`: adds a page, or returns the real path of a directory to walk.
    fn follow(&mut self, link: &SitePath, dir: &[u8]) -> Result<Option<PathBuf>, DiscoverError> {
        let path = link.below_dir(self.root);
        let is_page = self.found.is_page(link.as_bytes());
        let metadata = match retried(|| fs::metadata(&path)) {
            Ok(metadata) => metadata,
            Err(error) if IoFailure::of(&error) == IoFailure::Machine => {
                return Err(MachineFailure::new(&path, &error).into());
            }
            Err(_) => {
                if is_page {
                    self.bad_link(link, "is broken");
                }
                return Ok(None);
            }
        };
        let target = real_path(&path)?;
        if metadata.is_dir() {
            self.found.add_special_dir(link.clone());
        }
        if metadata.is_dir()
            && target
                .as_ref()
                .is_some_and(|target| self.is_walked(target, dir))
        {
            let what = "points to one of its parent directories, so it is not followed";
            self.bad_link(link, what);
            return Ok(None);
        }
        let Some(target) = target.filter(|target| target.starts_with(self.root)) else {
            if metadata.is_dir() || is_page {
                let what = "points outside the output directory, so it is not followed";
                self.bad_link(link, what);
            }
            return Ok(None);
        };
        if !metadata.is_dir() {
            let kind = kind_of_special(metadata.file_type());
            self.found.add(link.as_bytes(), kind);
            return Ok(None);
        }
        if self.linked.is_none() {
            return Ok(Some(target));
        }
        if may_contain(&path, self.failures, |file| self.may_be_page(file)) {
            let what =
                "is in a linked directory and points to another directory, so it is not followed";
            self.bad_link(link, what);
        }
        Ok(None)
    }

    /// Whether `dir` or a directory above it on the way of the walk is `target`.
    fn is_walked(&self, target: &Path, dir: &[u8]) -> bool {
        let real = |dir: &[u8]| SitePath::new(dir).below_dir(self.root);
        let Some((link, linked)) = &self.linked else {
            return target.starts_with(self.root) && real(dir).starts_with(target);
        };
        let below = dir[link.len()..].strip_prefix(b"/").unwrap_or_default();
        let inside = SitePath::new(below).below_dir(linked);
        let is_inside = target.starts_with(linked) && inside.starts_with(target);
        let before = real(SitePath::new(link).dir());
        is_inside || target.starts_with(self.root) && before.starts_with(target)
    }

    /// Whether a file is a page by its name, or a link to a directory.
    fn may_be_page(&self, path: &Path) -> bool {
        self.failures.is_dir(path) || self.found.is_page(SitePath::from_relative(path).as_bytes())
    }

    /// Reports a directory that cannot be listed, unless that leaves too much unknown.
    fn report(&mut self, dir: &SitePath, error: io::Error) -> Result<(), DiscoverError> {
        let error = unless_unknown(self.root, dir, error)?;
        self.found.add_special_dir(dir.clone());
        let message = format!("cannot list `{dir}`: {error}; pages below it are missing");
        let finding = Finding::new(
            code::DIRECTORY_UNREADABLE,
            Subject::Page(dir.clone(), None),
            message,
        );
        self.found.report(finding.with_hint(MAKE_LISTABLE));
        self.unlistable
            .get_or_insert(DiscoverError::NoPageSeen(dir.clone(), error));
        Ok(())
    }

    fn bad_link(&mut self, file: &SitePath, what: &str) {
        let message = format!("the symbolic link `{file}` {what}");
        let subject = Subject::Page(file.clone(), None);
        self.found
            .report(Finding::new(code::FILE_SKIPPED, subject, message));
    }
}

/// The real path of an existing file; `None` if it cannot be resolved.
fn real_path(path: &Path) -> Result<Option<PathBuf>, MachineFailure> {
    match retried(|| path.canonicalize()) {
        Ok(target) => Ok(Some(target)),
        Err(error) if IoFailure::of(&error) == IoFailure::Machine => {
            Err(MachineFailure::new(path, &error))
        }
        Err(_) => Ok(None),
    }
}

/// The kind of what a link points to, which is not a directory.
fn kind_of_special(kind: fs::FileType) -> EntryKind {
    if kind.is_file() {
        return EntryKind::File;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return EntryKind::Pipe;
        }
        if kind.is_socket() {
            return EntryKind::Socket;
        }
    }
    EntryKind::Device
}

//! The pages that a walk has found so far.

use std::fs::FileType;

use super::page::{DiscoveredPages, Page};
use site_paths::finding::{Finding, Subject, code};
use site_paths::{BaseUrl, SitePath};

/// Number of pages that share one allocation for their paths and URLs.
const PAGES_PER_BLOCK: usize = 1024;

/// Collects pages and findings.
pub(super) struct FoundPages<'a> {
    base: &'a BaseUrl,
    found: DiscoveredPages,
}

impl<'a> FoundPages<'a> {
    pub(super) fn new(base: &'a BaseUrl) -> Self {
        Self {
            base,
            found: DiscoveredPages::default(),
        }
    }

    pub(super) fn report(&mut self, finding: Finding) {
        self.found.findings.push(finding);
    }

    /// Adds a directory that differs from what its pages alone suggest.
    pub(super) fn add_special_dir(&mut self, dir: SitePath) {
        self.found.special_dirs.push(dir);
    }

    /// Adds a page, which may be a special file.
    pub(super) fn add(&mut self, file: SitePath, kind: FileType) {
        if !kind.is_file() {
            let message = format!("`{file}` is {}, not a file", name_of(kind));
            let subject = Subject::Page(file, None);
            self.report(Finding::new(code::FILE_SKIPPED, subject, message));
            return;
        }
        if std::str::from_utf8(file.as_bytes()).is_err() {
            let message =
                format!("the name of `{file}` is not UTF-8; its URL is encoded from its bytes");
            let subject = Subject::Page(file.clone(), None);
            self.report(Finding::new(code::PAGE_DOUBTFUL, subject, message));
        }
        self.found.pages.push(Page { file });
        if self.found.pages.len().is_multiple_of(PAGES_PER_BLOCK) {
            self.move_last_block_together();
        }
    }

    /// Returns the pages, sorted.
    pub(super) fn into_sorted(mut self) -> DiscoveredPages {
        self.move_last_block_together();
        self.found.pages.sort_unstable();
        self.found
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

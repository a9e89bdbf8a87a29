//! The pages that a walk has found so far.

use super::page::{DiscoveredPages, Page, is_page};
use site_paths::dir_handle::EntryKind;
use site_paths::finding::{Finding, Subject, code};
use site_paths::{BaseUrl, SitePath};

/// Number of pages that share one allocation for their paths and URLs.
const PAGES_PER_BLOCK: usize = 1024;

/// Collects pages and findings.
pub(super) struct FoundPages<'a> {
    base: &'a BaseUrl,
    /// Extensions of pages, in lower case.
    pub(super) extensions: &'a [String],
    found: DiscoveredPages,
}

impl<'a> FoundPages<'a> {
    pub(super) fn new(base: &'a BaseUrl, extensions: &'a [String]) -> Self {
        Self {
            base,
            extensions,
            found: DiscoveredPages::default(),
        }
    }

    /// Whether a file is a page by its extension.
    pub(super) fn is_page(&self, file: &[u8]) -> bool {
        is_page(file, self.extensions)
    }

    pub(super) fn report(&mut self, finding: Finding) {
        self.found.findings.push(finding);
    }

    /// Adds a directory that differs from what its pages alone suggest.
    pub(super) fn add_special_dir(&mut self, dir: SitePath) {
        self.found.special_dirs.push(dir);
    }

    /// Adds a file that is not a directory, if it is a page.
    pub(super) fn add(&mut self, file: &[u8], entry: EntryKind) {
        if !self.is_page(file) {
            return;
        }
        let file = SitePath::new(file);
        if entry != EntryKind::File {
            let message = format!("`{file}` is {}, not a file", name_of(entry));
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

fn name_of(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "a file",
        EntryKind::Dir => "a directory",
        EntryKind::Link => "a symbolic link",
        EntryKind::Pipe => "a named pipe",
        EntryKind::Socket => "a socket",
        EntryKind::Device => "a device",
    }
}

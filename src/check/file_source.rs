//! A sitemap, index or feed to check, wherever it is, with its findings.

use std::cell::RefCell;
use std::io::{self, Read};

use sitemaps::files::tree::Tree;
use sitemaps::findings::{Code, Finding, FindingTally, Place, Subject};
use sitemaps::site_paths::SitePath;

/// A file that can be opened several times.
pub(super) struct FileSource<'a> {
    /// Its name in messages.
    pub(super) name: String,
    /// The subject of findings about all of it.
    pub(super) subject: Subject,
    /// Opens it from its start.
    open: Box<dyn Fn() -> io::Result<Box<dyn Read + 'a>> + 'a>,
    tally: RefCell<FindingTally>,
}

impl<'a> FileSource<'a> {
    pub(super) fn new(
        subject: Subject,
        open: impl Fn() -> io::Result<Box<dyn Read + 'a>> + 'a,
    ) -> Self {
        Self {
            name: subject.to_string(),
            subject,
            open: Box::new(open),
            tally: RefCell::default(),
        }
    }

    /// A file of a directory.
    pub(super) fn in_dir(dir: &'a Tree, file: &SitePath, subject: Subject) -> Self {
        let file = file.clone();
        Self::new(subject, move || Ok(Box::new(dir.open(&file)?)))
    }

    /// Opens the file from its start.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + 'a>> {
        (self.open)()
    }

    /// Reports a finding at a place of the file.
    pub(super) fn report(&self, code: &'static Code, place: Place, message: String, hint: &str) {
        self.add(Finding::new(code, self.subject.at(place), message).with_hint(hint));
    }

    /// Reports a finding about the whole file.
    pub(super) fn report_whole(&self, code: &'static Code, message: String) {
        self.add(Finding::new(code, self.subject.clone(), message));
    }

    /// Adds a finding.
    pub(super) fn add(&self, finding: Finding) {
        self.tally.borrow_mut().add(finding);
    }

    /// All findings.
    pub(super) fn take_tally(&self) -> FindingTally {
        self.tally.take()
    }
}

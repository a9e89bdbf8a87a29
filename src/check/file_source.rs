//! A sitemap, index or feed to check, wherever it is, with its findings.

use std::cell::RefCell;
use std::io::{self, Read};

use crate::inventory::FindingTally;
use sitemaps::site_paths::finding::{Code, Finding, Place, Subject};

/// A file that can be opened several times.
pub(super) struct FileSource<'a> {
    /// Its name in messages.
    pub(super) name: String,
    /// Builds the subject of a finding about it.
    subject: Box<dyn Fn(Option<Place>) -> Subject + 'a>,
    /// Opens it from its start.
    open: Box<dyn Fn() -> io::Result<Box<dyn Read + 'a>> + 'a>,
    tally: RefCell<FindingTally>,
}

impl<'a> FileSource<'a> {
    pub(super) fn new(
        name: String,
        subject: impl Fn(Option<Place>) -> Subject + 'a,
        open: impl Fn() -> io::Result<Box<dyn Read + 'a>> + 'a,
    ) -> Self {
        Self {
            name,
            subject: Box::new(subject),
            open: Box::new(open),
            tally: RefCell::default(),
        }
    }

    /// Opens the file from its start.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + 'a>> {
        (self.open)()
    }

    /// The subject of a finding at a place of the file, or about all of it.
    pub(super) fn subject(&self, place: Option<Place>) -> Subject {
        (self.subject)(place)
    }

    /// Reports a finding at a place of the file.
    pub(super) fn report(
        &self,
        code: &'static Code,
        place: Place,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        let subject = self.subject(Some(place));
        let mut tally = self.tally.borrow_mut();
        tally.report(code, subject, message, hint);
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

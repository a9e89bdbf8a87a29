//! A sitemap, index or feed to check, wherever it is.

use std::io::{self, Read};

use crate::files::tree::Tree;
use crate::findings::{Code, Finding, Findings, Subject};
use sitemaps::Place;
use sitemaps::site_paths::SitePath;

/// A file that can be opened several times.
pub(super) struct FileSource<'a> {
    /// Its name in messages.
    pub(super) name: String,
    /// The subject of findings about all of it.
    pub(super) subject: Subject,
    /// Opens it from its start.
    open: Box<dyn Fn() -> io::Result<Box<dyn Read + 'a>> + 'a>,
    findings: &'a Findings,
}

impl<'a> FileSource<'a> {
    pub(super) fn new(
        subject: Subject,
        findings: &'a Findings,
        open: impl Fn() -> io::Result<Box<dyn Read + 'a>> + 'a,
    ) -> Self {
        Self {
            name: subject.to_string(),
            subject,
            open: Box::new(open),
            findings,
        }
    }

    /// A file of a directory.
    pub(super) fn in_dir(
        dir: &'a Tree,
        file: &SitePath,
        subject: Subject,
        findings: &'a Findings,
    ) -> Self {
        let file = file.clone();
        Self::new(subject, findings, move || Ok(Box::new(dir.open(&file)?)))
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
        self.findings.add(finding);
    }
}

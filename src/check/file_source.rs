//! A sitemap, index or feed to check, wherever it is.

use std::io::{self, Read};

use crate::inventory::FindingTally;
use sitemaps::site_paths::finding::{Code, Place, Subject};

/// A file that can be opened several times.
pub(super) struct FileSource<'a> {
    /// Its name in messages.
    pub(super) name: String,
    /// Builds the subject of a finding about it.
    pub(super) subject: Box<dyn Fn(Option<Place>) -> Subject + 'a>,
    /// Opens it from its start.
    pub(super) open: Box<dyn Fn() -> io::Result<Box<dyn Read + 'a>> + 'a>,
}

impl FileSource<'_> {
    /// Adds a finding at a place of the file.
    pub(super) fn report(
        &self,
        tally: &mut FindingTally,
        code: &'static Code,
        place: Place,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        tally.report(code, (self.subject)(Some(place)), message, hint);
    }
}

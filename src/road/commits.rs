//! What the commit that dated a page says of itself: for the pages that somebody asks about.

use super::histories::given_repository;
use super::ledger::LedgerLine;
use super::sources::Folders;
use super::survey::Survey;
use crate::history::{Trouble, subject_of};

impl Survey<'_> {
    /// The subject of the commit that dated a page; `None` where none did, or where it says nothing.
    pub fn commit_subject(&self, line: &LedgerLine) -> Result<Option<String>, Trouble> {
        let (Some(commit), Some(source)) = (line.dated.commit(), &line.source) else {
            return Ok(None);
        };
        let file = source.on_disk(&Folders::of(self), &line.file);
        subject_of(&file, given_repository(self).as_ref(), &commit.commit)
    }
}

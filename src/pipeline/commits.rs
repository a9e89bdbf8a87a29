//! What the commit that dated a page says of itself: for the pages that somebody asks about.

use super::histories::given_repository;
use super::inventory::InventoryPage;
use super::sources::SourceDirs;
use super::survey::Survey;
use crate::history::{RepositoryError, subject_of};

impl Survey<'_> {
    /// The subject of the commit that dated a page; `None` where none did, or where it says nothing.
    pub fn commit_subject(&self, line: &InventoryPage) -> Result<Option<String>, RepositoryError> {
        let (Some(commit), Some(source)) = (line.dated.commit(), &line.source) else {
            return Ok(None);
        };
        let file = source.on_disk(&SourceDirs::of(self), &line.file);
        subject_of(&file, given_repository(self).as_ref(), &commit.commit)
    }
}

//! Looks up the subject of the commit that dated a page, on request.

use super::histories::given_repository;
use super::inventory::InventoryPage;
use super::sources::SourceDirs;
use super::survey::Survey;
use git_last_modified::{RepositoryError, subject_of};

impl Survey<'_> {
    /// Returns the subject of the commit that dated a page; `None` if no commit did or its subject
    /// is empty.
    pub fn commit_subject(&self, line: &InventoryPage) -> Result<Option<String>, RepositoryError> {
        let (Some(commit), Some(source)) = (line.dated.commit(), &line.source) else {
            return Ok(None);
        };
        let file = source.on_disk(&SourceDirs::of(self), &line.file);
        subject_of(&file, given_repository(self).as_ref(), &commit.commit)
    }
}

//! What the commit that dated a page says of itself: for the pages that somebody asks about.

use super::histories::given_paths;
use super::ledger::LedgerLine;
use super::sources::Folders;
use super::survey::Survey;
use crate::history::{GivenRepository, Trouble, subject_of};

impl Survey<'_> {
    /// The subject of the commit that dated a page; `None` where none did, or where it says nothing.
    pub fn commit_subject(&self, line: &LedgerLine) -> Result<Option<String>, Trouble> {
        let (Some(commit), Some(source)) = (line.dated.commit(), &line.source) else { return Ok(None) };
        let (git_dir, work_tree) = given_paths(self);
        let given = git_dir.as_deref().map(|git_dir| GivenRepository { git_dir, work_tree: work_tree.as_deref() });
        let file = source.on_disk(&Folders::of(self), &line.file);
        subject_of(&file, given.as_ref(), &commit.commit)
    }
}

//! Lists of additional sources that many pages share, so that each file is dated once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use git_last_modified::FileHistory;

/// The lists of a query, and the pages that have one.
#[derive(Default)]
pub(super) struct AlsoLists {
    lists: Vec<Arc<[String]>>,
    /// The number of each list, by the place of its first file in memory.
    numbers: HashMap<usize, usize>,
    of_pages: HashMap<usize, usize>,
}

impl AlsoLists {
    /// Adds the list of the page at an index.
    pub(super) fn add(&mut self, page: usize, list: &Arc<[String]>) {
        if list.is_empty() {
            return;
        }
        let next = self.lists.len();
        let number = *self.numbers.entry(list.as_ptr().addr()).or_insert(next);
        if number == next {
            self.lists.push(Arc::clone(list));
        }
        self.of_pages.insert(page, number);
    }

    /// Returns the files of all lists, one after the other.
    pub(super) fn files(&self, root: &Path) -> impl Iterator<Item = PathBuf> {
        let files = self.lists.iter().flat_map(|list| list.iter());
        files.map(|file| root.join(file))
    }

    /// Finds the file of each list that decides about the date, given the answers for all files.
    pub(super) fn dated(self, answers: &[FileHistory]) -> DatedAlso {
        let mut start = 0;
        let deciding = self.lists.iter().map(|list| {
            let position = deciding(&answers[start..start + list.len()]);
            start += list.len();
            DecidingFile {
                position,
                answer: start - list.len() + position,
            }
        });
        DatedAlso {
            deciding: deciding.collect(),
            of_pages: self.of_pages,
        }
    }
}

/// The file of a list that decides about the date of its pages.
#[derive(Clone, Copy)]
pub(super) struct DecidingFile {
    /// Its position in the list.
    pub(super) position: usize,
    /// Its position among the answers of all lists.
    pub(super) answer: usize,
}

/// The deciding files of all lists.
pub(super) struct DatedAlso {
    deciding: Vec<DecidingFile>,
    of_pages: HashMap<usize, usize>,
}

impl DatedAlso {
    /// Returns the deciding file for the page at an index, if a rule adds files to it.
    pub(super) fn of(&self, page: usize) -> Option<DecidingFile> {
        self.of_pages.get(&page).map(|&list| self.deciding[list])
    }
}

/// The position of the first file without a date, else of the first with the newest date.
fn deciding(answers: &[FileHistory]) -> usize {
    let mut newest = (0, i64::MIN);
    for (position, answer) in answers.iter().enumerate() {
        match answer {
            FileHistory::Changed(change) if change.seconds > newest.1 => {
                newest = (position, change.seconds);
            }
            FileHistory::Changed(_) => {}
            _ => return position,
        }
    }
    newest.0
}

//! The directories whose members date list pages.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::date_origin::{DateOrigin, MemberCommit};
use git_last_modified::FileHistory;
use sitemaps::site_paths::SitePath;

/// The directories whose members date list pages, by the page's index.
#[derive(Debug, Default)]
pub(crate) struct ListMembers {
    /// Relative to the site root.
    dirs: Vec<SitePath>,
    /// The index of each directory.
    numbers: HashMap<SitePath, usize>,
    /// The indexes of the directories of each list page.
    of_page: BTreeMap<usize, Vec<usize>>,
}

impl ListMembers {
    /// Adds a list page that shows the files in these directories, relative to the site root.
    pub(super) fn add(&mut self, page: usize, dirs: Vec<SitePath>) {
        let numbers = dirs.into_iter().map(|dir| {
            *self.numbers.entry(dir).or_insert_with_key(|dir| {
                self.dirs.push(dir.clone());
                self.dirs.len() - 1
            })
        });
        let numbers: Vec<usize> = numbers.collect();
        if !numbers.is_empty() {
            self.of_page.insert(page, numbers);
        }
    }

    /// The directories on disk.
    pub(super) fn on_disk(&self, site_root: &Path) -> Vec<PathBuf> {
        let dirs = self.dirs.iter();
        dirs.map(|dir| dir.below_dir(site_root)).collect()
    }

    /// The newest change of the members of a list, or why there is none; `None` for a page that is
    /// not dated by members. `answers` has one for each directory.
    pub(super) fn of(&self, page: usize, answers: &[FileHistory]) -> Option<DateOrigin> {
        let dirs = self.of_page.get(&page)?;
        let mut newest: Option<MemberCommit> = None;
        let mut absent = DateOrigin::NotCommitted;
        for &dir in dirs {
            match &answers[dir] {
                FileHistory::Changed(change) => {
                    if newest
                        .as_ref()
                        .is_none_or(|newest| newest.change.seconds < change.seconds)
                    {
                        newest = Some(MemberCommit {
                            change: Arc::clone(change),
                            dir: self.dirs[dir].clone(),
                        });
                    }
                }
                FileHistory::Incomplete => return Some(DateOrigin::Unreadable),
                // An older change than any that is known.
                FileHistory::BeyondBoundary => absent = DateOrigin::OutOfReach,
                other => {
                    if absent == DateOrigin::NotCommitted {
                        absent = DateOrigin::of_source(Some(other));
                    }
                }
            }
        }
        Some(newest.map_or(absent, |newest| DateOrigin::Members(Box::new(newest))))
    }

    /// The directories of a list.
    pub(super) fn dirs_of(&self, page: usize) -> impl Iterator<Item = &SitePath> {
        let dirs = self.of_page.get(&page).into_iter().flatten();
        dirs.map(|&dir| &self.dirs[dir])
    }
}

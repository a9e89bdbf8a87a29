//! Dates the sources of one repository.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::committed_spelling::CommittedSpelling;
use super::lineage::{Cycles, Lineage};
use super::lookup::{PresentEntry, PresentPaths, TreeLookup};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::repository::Repository;
use super::source_files::{SourceFile, path_in};
use super::trees::TreeCache;
use super::trie::PathTrie;
use super::walk::{MovedPath, WalkResult, WalkTask, walk};
use super::worktree::WorkTree;
use super::{FileHistory, HistoryQuery, ObjectId, RepositoryError, RepositoryReport, WalkThreads};

/// A query for the sources of one repository.
pub(super) struct RepositoryGroup<'a> {
    pub(super) query: &'a HistoryQuery<'a>,
    pub(super) repository: &'a Repository,
    pub(super) lineage: &'a Lineage,
    pub(super) sources: &'a [SourceFile<'a>],
}

impl RepositoryGroup<'_> {
    /// Dates the sources, in their order, and fills in the repository's report.
    pub(super) fn date(
        &self,
        report: &mut RepositoryReport,
    ) -> Result<Vec<FileHistory>, RepositoryError> {
        let mut answers = vec![FileHistory::Untracked; self.sources.len()];
        let Some(head) = self.repository.head()? else {
            return Ok(answers);
        };
        let mut objects = self.repository.objects();
        let root = objects.commit(&head)?.tree;
        let (trie, present) = self.track(&mut objects, &root)?;
        let tracked = PathSet::from_ranges(&present.ranges());
        let edited = self.edited(&trie, &present.entries);
        drop(present.entries); // as large as the result, and the walk takes long
        let mut by_number = self.walk(&trie, &mut objects, head, tracked, report);
        for (lost, trouble) in present.unknown {
            by_number[lost.start as usize..lost.end as usize].fill(FileHistory::Incomplete);
            report.error.get_or_insert(trouble);
        }
        for (number, answer) in trie.all().zip(by_number) {
            answers[trie.place(number)] = match answer {
                FileHistory::Changed(change) if edited.contains(number) => {
                    FileHistory::Edited(change)
                }
                answer => answer,
            };
        }
        Ok(answers)
    }

    /// Looks up the sources in the checked-out commit, in their committed spelling.
    fn track(
        &self,
        objects: &mut ObjectReader,
        root: &ObjectId,
    ) -> Result<(PathTrie, PresentPaths), RepositoryError> {
        let find = |objects: &mut ObjectReader, trie: &PathTrie| {
            let all = PathSet::from_ranges(&[trie.all()]);
            TreeLookup {
                trees: &mut TreeCache::new(objects),
                trie,
                paths: &all,
            }
            .run(root)
        };
        let work_tree = self.repository.work_tree();
        let trie = PathTrie::new(
            self.sources
                .iter()
                .map(|source| path_in(work_tree, &source.path))
                .collect(),
        );
        let present = find(objects, &trie);
        let folding = self.repository.folding();
        if folding.is_exact() {
            return Ok((trie, present));
        }
        let tracked = PathSet::from_ranges(&present.ranges());
        let mut speller = CommittedSpelling::new(objects, folding);
        let mut corrected = HashMap::new();
        for number in trie.all().filter(|number| !tracked.contains(*number)) {
            if let Some(path) = speller.committed(root, trie.path(number))? {
                corrected.insert(trie.place(number), path);
            }
        }
        if corrected.is_empty() {
            return Ok((trie, present));
        }
        let corrected_path = |(place, source): (usize, &SourceFile<'_>)| {
            corrected
                .get(&place)
                .cloned()
                .unwrap_or_else(|| path_in(work_tree, &source.path))
        };
        let trie = PathTrie::new(
            self.sources
                .iter()
                .enumerate()
                .map(corrected_path)
                .collect(),
        );
        let present = find(objects, &trie);
        Ok((trie, present))
    }

    /// Returns the paths whose files differ from the committed ones.
    fn edited(&self, trie: &PathTrie, entries: &[PresentEntry]) -> PathSet {
        let mut work_tree = WorkTree::new(self.repository);
        let mut edited = PathSet::default();
        for entry in entries {
            let first = entry.paths.start;
            let file = &self.sources[trie.place(first)].path;
            if work_tree.is_edited(file, trie.path(first), entry) {
                entry.paths.clone().for_each(|number| edited.insert(number));
            }
        }
        edited
    }

    /// Walks from the checked-out commit, then again from the old path of each renamed file.
    fn walk(
        &self,
        trie: &PathTrie,
        objects: &mut ObjectReader,
        head: ObjectId,
        tracked: PathSet,
        report: &mut RepositoryReport,
    ) -> Vec<FileHistory> {
        let WalkResult {
            mut answers,
            mut moved,
            ..
        } = self.walk_once(trie, objects, vec![(head, tracked)], report);
        let mut seen = HashSet::new();
        while !moved.is_empty() {
            let trie = PathTrie::new(moved.iter().map(|moved| moved.path.clone()).collect());
            let mut starts: BTreeMap<ObjectId, PathSet> = BTreeMap::new();
            for number in trie.all() {
                starts
                    .entry(moved[trie.place(number)].commit)
                    .or_default()
                    .insert(number);
            }
            let walked = self.walk_once(&trie, objects, starts.into_iter().collect(), report);
            let original = |number: u32| moved[trie.place(number)].number;
            for (number, answer) in trie.all().zip(walked.answers) {
                answers[original(number) as usize] = answer;
            }
            let next = walked.moved.into_iter().map(|moved| MovedPath {
                number: original(moved.number),
                ..moved
            });
            // A repeated start means that grafts or replacements form a cycle.
            let (circling, next): (Vec<_>, Vec<_>) =
                next.partition(|moved| !seen.insert(moved.clone()));
            for moved in circling {
                answers[moved.number as usize] = FileHistory::Incomplete;
                report
                    .error
                    .get_or_insert(RepositoryError::Cycle(moved.commit));
            }
            moved = next;
        }
        answers
    }

    fn walk_once(
        &self,
        trie: &PathTrie,
        objects: &mut ObjectReader,
        starts: Vec<(ObjectId, PathSet)>,
        report: &mut RepositoryReport,
    ) -> WalkResult {
        let HistoryQuery {
            time,
            renames: moves,
            threads,
            ..
        } = *self.query;
        let threads = if self.lineage.cycles == Cycles::Possible {
            WalkThreads::One
        } else {
            threads
        };
        let task = WalkTask {
            trie,
            time,
            renames: moves,
            threads,
            lineage: self.lineage,
        };
        let mut walked = walk(&task, objects, starts);
        report.commits_visited += walked.commits_visited;
        if let Some(trouble) = walked.error.take() {
            report.error.get_or_insert(trouble);
        }
        walked
    }
}

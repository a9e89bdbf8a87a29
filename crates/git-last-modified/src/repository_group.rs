//! Dates the sources of one repository.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::commit::CommitTimes;
use super::lineage::Lineage;
use super::links;
use super::lookup::{PresentEntry, PresentPaths, TreeLookup};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::repository::Repository;
use super::skip_rules::SkipRules;
use super::source_files::{SourceGroup, path_in};
use super::tree::EntryKind;
use super::trie::{MEMBERS, PathTrie};
use super::walk::{WalkResult, WalkTask, walk};
use super::worktree::WorkTree;
use super::{FileHistory, HistoryQuery, LastChange, ObjectId, RepositoryError, RepositoryReport};

/// A query for the sources of one repository.
pub(super) struct RepositoryGroup<'a, 'g> {
    pub(super) query: &'a HistoryQuery<'a>,
    pub(super) repository: &'a Repository,
    pub(super) lineage: &'a Lineage,
    /// Commits to ignore.
    pub(super) revisions: &'a HashSet<ObjectId>,
    pub(super) sources: Cow<'g, SourceGroup>,
}

/// The result for the sources of one repository.
#[derive(Debug, Default)]
pub(super) struct DatedGroup<'g> {
    /// The sources; all others of the repository are untracked.
    pub(super) sources: Cow<'g, SourceGroup>,
    /// The history of each source, in their order.
    pub(super) answers: Vec<FileHistory>,
}

/// A file that a source refers to by a link.
#[derive(Debug)]
struct LinkTarget {
    /// The index of the source.
    place: usize,
    file: PathBuf,
}

impl DatedGroup<'_> {
    /// Adds the history of each target, which follow the sources, to that of its source.
    ///
    /// A target that exists neither in the commit nor on disk has nothing to add.
    fn merge_targets(&mut self, targets: &[LinkTarget], sources: usize) {
        let of_targets = self.answers.split_off(sources);
        for (target, answer) in targets.iter().zip(of_targets) {
            if answer == FileHistory::Untracked && !target.file.exists() {
                continue;
            }
            let own = &mut self.answers[target.place];
            *own = match (&*own, answer) {
                // One of them is in no commit, and nothing says when it changed.
                (FileHistory::Untracked, _) | (_, FileHistory::Untracked) => FileHistory::Untracked,
                (own, answer) => own.combined_with(&answer),
            };
        }
    }
}

impl<'g> RepositoryGroup<'_, 'g> {
    /// Dates the sources, and fills in the repository's report.
    ///
    /// A source that is a link has the newest date of the link and the files it refers to.
    pub(super) fn date(
        mut self,
        report: &mut RepositoryReport,
    ) -> Result<DatedGroup<'g>, RepositoryError> {
        let Some(head) = self.repository.head()? else {
            return Ok(DatedGroup::default());
        };
        let mut objects = self.repository.objects();
        let commit = objects.commit(&head)?;
        let CommitTimes { author, committer } = commit.times;
        report.head_is_root = commit.parents.is_empty();
        report.head = Some(LastChange {
            commit: head,
            seconds: committer.seconds,
            offset_minutes: committer.offset_minutes,
            other_seconds: author.seconds,
            other_offset_minutes: author.offset_minutes,
        });
        let root = commit.tree;
        self.remove_untracked_tree(&mut objects, &root);
        let mut answers = vec![FileHistory::Untracked; self.sources.len()];
        let (mut trie, mut present) = self.track(&mut objects, &root, &[]);
        let targets = self.link_targets(&trie, &present.entries);
        if !targets.is_empty() {
            (trie, present) = self.track(&mut objects, &root, &targets);
            answers.resize(self.sources.len() + targets.len(), FileHistory::Untracked);
        }
        let tracked = PathSet::from_ranges(&present.ranges());
        let edited = self.edited(&trie, &present.entries, &targets);
        drop(present.entries); // as large as the result, and the walk takes long
        let mut rules = SkipRules::new(&self.query.ignored, self.revisions);
        let walked = self.walk(&trie, &mut objects, &mut rules, (head, tracked), report);
        let mut by_number = walked.answers;
        for (lost, error) in present.unknown {
            by_number[lost.start as usize..lost.end as usize].fill(FileHistory::Incomplete);
            error.note_in(&mut report.error);
        }
        for (number, answer) in trie.all().zip(by_number) {
            answers[trie.place(number)] = match answer {
                FileHistory::Changed(change) if edited.contains(number) => {
                    FileHistory::Edited(change)
                }
                answer => answer,
            };
        }
        let count = self.sources.len();
        let mut dated = DatedGroup {
            sources: self.sources,
            answers,
        };
        dated.merge_targets(&targets, count);
        Ok(dated)
    }

    /// Removes the sources in the walked tree if the commit does not contain its directory: Git
    /// usually ignores the output of a build, which may have a million files.
    fn remove_untracked_tree(&mut self, objects: &mut ObjectReader, root: &ObjectId) {
        let Some(walked) = self.query.walked else {
            return;
        };
        let dir = path_in(self.repository.work_tree(), walked.top());
        let contains_it = objects.entry_at(root, &dir);
        if !matches!(contains_it, Ok(Some((EntryKind::Tree, _))) | Err(_)) {
            let remaining = self.sources.without_tree(self.query.sources, walked);
            self.sources = Cow::Owned(remaining);
        }
    }

    /// Returns the files that sources which are links refer to.
    fn link_targets(&self, trie: &PathTrie, entries: &[PresentEntry]) -> Vec<LinkTarget> {
        let links = entries.iter().filter(|entry| entry.kind == EntryKind::Link);
        let places = links.flat_map(|entry| entry.paths.clone().map(|number| trie.place(number)));
        let work_tree = self.repository.work_tree();
        places
            .flat_map(|place| {
                let source = self.sources.path(self.query.sources, place);
                let files = links::targets(&source, work_tree);
                files
                    .into_iter()
                    .map(move |file| LinkTarget { place, file })
            })
            .collect()
    }

    /// The path on disk of a source or, after these, of a target.
    fn file<'f>(&'f self, targets: &'f [LinkTarget], place: usize) -> Cow<'f, Path> {
        match place.checked_sub(self.sources.len()) {
            None => self.sources.path(self.query.sources, place),
            Some(nth) => Cow::Borrowed(&targets[nth].file),
        }
    }

    fn paths<'f>(&'f self, targets: &'f [LinkTarget]) -> impl Iterator<Item = Vec<u8>> + 'f {
        let own = self.sources.len();
        let work_tree = self.repository.work_tree();
        (0..own + targets.len()).map(move |place| {
            let path = path_in(work_tree, &self.file(targets, place));
            let is_dir =
                place < own && (self.query.sources).is_dated_by_members(self.sources.place(place));
            match (is_dir, path.is_empty()) {
                (false, _) => path,
                (true, true) => MEMBERS.to_vec(),
                (true, false) => [&*path, MEMBERS].join(&b'/'),
            }
        })
    }

    /// Looks up the sources in the checked-out commit.
    fn track(
        &self,
        objects: &mut ObjectReader,
        root: &ObjectId,
        targets: &[LinkTarget],
    ) -> (PathTrie, PresentPaths) {
        let trie = PathTrie::new(self.paths(targets));
        let lookup = TreeLookup {
            objects,
            trie: &trie,
            paths: &PathSet::from_ranges(&[trie.all()]),
        };
        let present = lookup.run(root);
        (trie, present)
    }

    /// Returns the paths whose files differ from the committed ones.
    fn edited(&self, trie: &PathTrie, entries: &[PresentEntry], targets: &[LinkTarget]) -> PathSet {
        let work_tree = WorkTree::new(self.repository);
        let mut edited = PathSet::default();
        for entry in entries {
            let first = entry.paths.start;
            let file = self.file(targets, trie.place(first));
            if work_tree.is_edited(&file, trie.path(first), entry) {
                entry.paths.clone().for_each(|number| edited.insert(number));
            }
        }
        edited
    }

    /// Walks from the checked-out commit.
    fn walk(
        &self,
        trie: &PathTrie,
        objects: &mut ObjectReader,
        rules: &mut SkipRules<'_>,
        (head, tracked): (ObjectId, PathSet),
        report: &mut RepositoryReport,
    ) -> WalkResult {
        let task = WalkTask {
            trie,
            sources: self.query.sources,
            time: self.query.time,
            lineage: self.lineage,
        };
        let mut walked = walk(&task, objects, rules, head, tracked);
        report.commits_visited = walked.commits_visited;
        if let Some(error) = walked.error.take() {
            error.note_in(&mut report.error);
        }
        walked
    }
}

//! The sources of one repository → their answers.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::lineage::{Circles, Lineage};
use super::lookup::{Lookup, Present, PresentEntry};
use super::objects::Objects;
use super::paths::Paths;
use super::repository::Repository;
use super::sources::{Source, path_in};
use super::spelling::Speller;
use super::trees::Trees;
use super::trie::Trie;
use super::walk::{Moved, Task, Walked, walk};
use super::worktree::WorkTree;
use super::{Answer, ObjectId, Question, RepositoryReport, Threads, Trouble};

/// The dating of one repository's sources.
pub(super) struct Group<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) repository: &'a Repository,
    pub(super) lineage: &'a Lineage,
    pub(super) sources: &'a [Source<'a>],
}

impl Group<'_> {
    /// Answers the sources in their order, and fills in the repository's report.
    pub(super) fn date(&self, report: &mut RepositoryReport) -> Result<Vec<Answer>, Trouble> {
        let mut answers = vec![Answer::Untracked; self.sources.len()];
        let Some(head) = self.repository.head()? else {
            return Ok(answers);
        };
        let mut objects = self.repository.objects();
        let root = objects.commit(&head)?.tree;
        let (trie, present) = self.track(&mut objects, &root)?;
        let tracked = Paths::of(&present.ranges());
        let edited = self.edited(&trie, &present.entries);
        drop(present.entries); // as large as the answers, and the walk is long
        let mut by_number = self.walk(&trie, &mut objects, head, tracked, report);
        for (lost, trouble) in present.unknown {
            by_number[lost.start as usize..lost.end as usize].fill(Answer::Incomplete);
            report.trouble.get_or_insert(trouble);
        }
        for (number, answer) in trie.all().zip(by_number) {
            answers[trie.place(number)] = match answer {
                Answer::Changed(change) if edited.contains(number) => Answer::Edited(change),
                answer => answer,
            };
        }
        Ok(answers)
    }

    /// Finds what the commit at hand has of the sources, in the spelling that it has for them.
    fn track(&self, objects: &mut Objects, root: &ObjectId) -> Result<(Trie, Present), Trouble> {
        let find = |objects: &mut Objects, trie: &Trie| {
            let all = Paths::of(&[trie.all()]);
            Lookup {
                trees: &mut Trees::new(objects),
                trie,
                paths: &all,
            }
            .run(root)
        };
        let work_tree = self.repository.work_tree();
        let trie = Trie::new(
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
        let tracked = Paths::of(&present.ranges());
        let mut speller = Speller::new(objects, folding);
        let mut corrected = HashMap::new();
        for number in trie.all().filter(|number| !tracked.contains(*number)) {
            if let Some(path) = speller.committed(root, trie.path(number))? {
                corrected.insert(trie.place(number), path);
            }
        }
        if corrected.is_empty() {
            return Ok((trie, present));
        }
        let corrected_path = |(place, source): (usize, &Source<'_>)| {
            corrected
                .get(&place)
                .cloned()
                .unwrap_or_else(|| path_in(work_tree, &source.path))
        };
        let trie = Trie::new(
            self.sources
                .iter()
                .enumerate()
                .map(corrected_path)
                .collect(),
        );
        let present = find(objects, &trie);
        Ok((trie, present))
    }

    /// The paths whose files are not as committed.
    fn edited(&self, trie: &Trie, entries: &[PresentEntry]) -> Paths {
        let mut work_tree = WorkTree::new(self.repository);
        let mut edited = Paths::default();
        for entry in entries {
            let first = entry.paths.start;
            let file = &self.sources[trie.place(first)].path;
            if work_tree.is_edited(file, trie.path(first), entry) {
                entry.paths.clone().for_each(|number| edited.insert(number));
            }
        }
        edited
    }

    /// Walks from the commit at hand, then again from wherever files were before they were moved.
    fn walk(
        &self,
        trie: &Trie,
        objects: &mut Objects,
        head: ObjectId,
        tracked: Paths,
        report: &mut RepositoryReport,
    ) -> Vec<Answer> {
        let Walked {
            mut answers,
            mut moved,
            ..
        } = self.walk_once(trie, objects, vec![(head, tracked)], report);
        let mut seen = HashSet::new();
        while !moved.is_empty() {
            let trie = Trie::new(moved.iter().map(|moved| moved.path.clone()).collect());
            let mut starts: BTreeMap<ObjectId, Paths> = BTreeMap::new();
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
            let next = walked.moved.into_iter().map(|moved| Moved {
                number: original(moved.number),
                ..moved
            });
            // Seen before: grafts or replacements lead in a circle.
            let (circling, next): (Vec<_>, Vec<_>) =
                next.partition(|moved| !seen.insert(moved.clone()));
            for moved in circling {
                answers[moved.number as usize] = Answer::Incomplete;
                report.trouble.get_or_insert(Trouble::Circle(moved.commit));
            }
            moved = next;
        }
        answers
    }

    fn walk_once(
        &self,
        trie: &Trie,
        objects: &mut Objects,
        starts: Vec<(ObjectId, Paths)>,
        report: &mut RepositoryReport,
    ) -> Walked {
        let Question {
            time,
            moves,
            threads,
            ..
        } = *self.question;
        let threads = if self.lineage.circles == Circles::Possible {
            Threads::One
        } else {
            threads
        };
        let task = Task {
            trie,
            time,
            moves,
            threads,
            lineage: self.lineage,
        };
        let mut walked = walk(&task, objects, starts);
        report.commits_visited += walked.commits_visited;
        if let Some(trouble) = walked.trouble.take() {
            report.trouble.get_or_insert(trouble);
        }
        walked
    }
}

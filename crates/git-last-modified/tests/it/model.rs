//! Checks ignored commits, which Git has no command for, against a model.
//!
//! The model applies the rules to trees in memory.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::fixture::{Fixture, run};
use super::generated::{self, Commit, Entry};
use super::{date_by_waypost, date_files};
use git_last_modified::{CommitTime, HistoryQuery, IgnoredRevisions};

/// The rules, applied to one path at a time.
struct Rules<'a> {
    commits: &'a [Commit],
    /// The hashes of the commits.
    hashes: &'a HashMap<usize, &'a str>,
    ignored: &'a HashSet<usize>,
    time: CommitTime,
}

impl Rules<'_> {
    fn answer(&self, at: usize, path: &[u8]) -> usize {
        if self.time == CommitTime::Landed {
            return self.landed(at, path);
        }
        let commit = &self.commits[at];
        let in_parent = |parent: usize| self.commits[parent].tree.get(path);
        let unchanged = commit
            .parents
            .iter()
            .find(|parent| in_parent(**parent) == commit.tree.get(path));
        if let Some(parent) = unchanged {
            return self.answer(*parent, path);
        }
        let parents = commit.parents.iter();
        let present: Vec<_> = parents
            .filter(|parent| in_parent(**parent).is_some())
            .collect();
        if !present.is_empty() && self.ignored.contains(&at) {
            let answers = present.into_iter().map(|parent| self.answer(*parent, path));
            let order = |answer: &usize| (self.commits[*answer].seconds, self.hashes[answer]);
            return answers.max_by_key(order).expect("there is a parent");
        }
        at
    }

    /// The newest commit of the first-parent line that changed a path, not counting those that
    /// brought only ignored commits.
    fn landed(&self, at: usize, path: &[u8]) -> usize {
        let [first, merged @ ..] = &self.commits[at].parents[..] else {
            return at;
        };
        let entry = |at: usize| self.commits[at].tree.get(path);
        let merged = merged.iter().find(|parent| entry(**parent) == entry(at));
        let is_skipped = self.ignored.contains(&at)
            || merged.is_some_and(|merged| self.brings_nothing(*merged, path, entry(*first)));
        match entry(*first) {
            before if before == entry(at) => self.landed(*first, path),
            Some(_) if is_skipped => self.landed(*first, path),
            _ => at,
        }
    }

    /// Whether only ignored commits changed a path since it was as in the mainline.
    fn brings_nothing(&self, at: usize, path: &[u8], mainline: Option<&Entry>) -> bool {
        let parents = &self.commits[at].parents;
        let entry = |at: usize| self.commits[at].tree.get(path);
        if let Some(parent) = parents.iter().find(|parent| entry(**parent) == entry(at)) {
            return self.brings_nothing(*parent, path, mainline);
        }
        let earlier = parents.iter().filter(|parent| entry(**parent).is_some());
        let earlier: Vec<usize> = earlier.copied().collect();
        let brings_nothing = |before: &usize| {
            entry(*before) == mainline || self.brings_nothing(*before, path, mainline)
        };
        self.ignored.contains(&at) && !earlier.is_empty() && earlier.iter().all(brings_nothing)
    }
}

#[test]
fn ignored_commits_follow_the_rules_in_every_generated_history() {
    for seed in 1000..1060 {
        let commits = generated::history(seed);
        let fixture = Fixture::imported(&generated::stream(&commits));
        let log = run(fixture.root(), &["log", "--format=%H %s", "main"]);
        let hashes: HashMap<usize, &str> = log
            .lines()
            .map(|line| line.split_once(' ').expect("hash and index"))
            .map(|(hash, at)| (at.parse().expect("an index"), hash))
            .collect();
        let head = commits.len() - 1;
        let paths: Vec<&Vec<u8>> = commits[head].tree.keys().collect();
        let sources: Vec<PathBuf> = paths
            .iter()
            .map(|path| fixture.path(OsStr::from_bytes(path)))
            .collect();
        let ignored: HashSet<usize> = hashes.keys().copied().filter(|at| at % 3 == 0).collect();
        let listed: Vec<String> = ignored.iter().map(|at| hashes[at].to_owned()).collect();
        for (ignored, listed) in [(ignored, &listed[..]), (HashSet::new(), &[])] {
            for time in [CommitTime::Committer, CommitTime::Landed] {
                let rules = Rules {
                    commits: &commits,
                    hashes: &hashes,
                    ignored: &ignored,
                    time,
                };
                let question = HistoryQuery {
                    time,
                    ignored: IgnoredRevisions {
                        revisions: listed,
                        ..IgnoredRevisions::default()
                    },
                    ..HistoryQuery::default()
                };
                let history = date_files(&sources, &question).expect("the query is valid");
                for (path, answer) in paths.iter().zip(&history.files) {
                    let expected = hashes[&rules.answer(head, path)];
                    let place = format!(
                        "seed {seed}, {time:?}, {} listed: {}",
                        listed.len(),
                        path.escape_ascii()
                    );
                    assert_eq!(
                        date_by_waypost(answer).split(' ').next(),
                        Some(expected),
                        "{place}"
                    );
                }
            }
        }
    }
}

//! Compares two root trees and returns which of the wanted paths differ.

use std::collections::HashSet;
use std::ops::Range;

use super::limits::DEEPEST;
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::query::IsMember;
use super::tree::{EntryPair, EntryRef, Tree, is_same, is_searched};
use super::trie::{NodeId, PathTrie};
use super::{ObjectId, RepositoryError};

/// The differences between two trees, as ranges of path numbers.
#[derive(Debug, Default)]
pub(super) struct TreeDifference {
    /// Paths of the first tree that differ from the second or are missing there.
    pub(super) changed: Vec<Range<u32>>,
    /// Paths that cannot be compared because a tree above them cannot be read.
    pub(super) unknown: Vec<(Range<u32>, RepositoryError)>,
}

/// A tree comparison in progress.
struct TreeComparison<'a> {
    objects: &'a mut ObjectReader,
    trie: &'a PathTrie,
    /// The paths to compare; each is a file, link, submodule or directory of members in the first
    /// tree.
    paths: &'a PathSet,
    /// Decides which files are members of directories.
    is_member: &'a IsMember<'a>,
    /// Directories without wanted paths that have no member, or compared with another, the same
    /// ones. Each is searched once: a few trees that contain each other repeatedly can describe
    /// billions of directories.
    searched: HashSet<(ObjectId, Option<ObjectId>)>,
    found: TreeDifference,
}

/// A directory in both trees.
struct ComparedDir {
    /// Its node if paths in it or below are wanted.
    node: Option<NodeId>,
    /// Whether a wanted directory of members contains it.
    is_in_list: bool,
    depth: usize,
}

/// Whether a member of a directory was added or removed, in it or below; an error if that is unknown.
type MembersDiffer = Result<bool, RepositoryError>;

/// Compares two root trees at these paths.
pub(super) fn compare(
    objects: &mut ObjectReader,
    trie: &PathTrie,
    paths: &PathSet,
    is_member: &IsMember<'_>,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> TreeDifference {
    let mut comparison = TreeComparison {
        objects,
        trie,
        paths,
        is_member,
        searched: HashSet::new(),
        found: TreeDifference::default(),
    };
    let root = ComparedDir {
        node: Some(PathTrie::ROOT),
        is_in_list: false,
        depth: 0,
    };
    // An error is noted at the paths that it concerns.
    let _ = comparison.compare_dirs(&root, ours, theirs);
    comparison.found
}

impl TreeComparison<'_> {
    fn compare_dirs(
        &mut self,
        dir: &ComparedDir,
        ours: &ObjectId,
        theirs: &ObjectId,
    ) -> MembersDiffer {
        let versions = (*ours, Some(*theirs));
        if ours == theirs || dir.node.is_none() && self.searched.contains(&versions) {
            return Ok(false);
        }
        let read = self.tree(ours, dir.depth);
        let trees = read.and_then(|tree| Ok((tree, self.tree(theirs, dir.depth)?)));
        let (our_tree, their_tree) = match trees {
            Ok(trees) => trees,
            Err(error) => return self.lose(dir, error),
        };
        let members = dir
            .node
            .and_then(|node| self.trie.members_of(node))
            .filter(|members| self.paths.any_in(members));
        let within = ComparedDir {
            is_in_list: dir.is_in_list || members.is_some(),
            ..*dir
        };
        let differ = match self.entries(&within, [&our_tree, &their_tree]) {
            Ok(differ) => differ,
            Err(error) => return self.lose(dir, error),
        };
        match (members, &differ) {
            (Some(members), Ok(true)) => self.found.changed.push(members),
            (Some(members), Err(error)) => self.found.unknown.push((members, error.clone())),
            (None, Ok(false)) if dir.node.is_none() => {
                self.searched.insert(versions);
            }
            _ => {}
        }
        differ
    }

    /// Records that nothing is known about a directory.
    fn lose(&mut self, dir: &ComparedDir, error: RepositoryError) -> MembersDiffer {
        if let Some(node) = dir.node {
            let lost = self.trie.paths_below(node);
            self.found.unknown.push((lost, error.clone()));
        }
        Err(error)
    }

    /// Compares two entry lists in one pass; both are in Git's order.
    fn entries(
        &mut self,
        dir: &ComparedDir,
        [ours, theirs]: [&Tree; 2],
    ) -> Result<MembersDiffer, RepositoryError> {
        let (mut ours, mut theirs) = (ours.entries(), theirs.entries());
        let mut members_differ = Ok(false);
        loop {
            ours.skip_common(&mut theirs);
            let Some(pair) = ours.next_of_both(&mut theirs)? else {
                return Ok(members_differ);
            };
            let both = pair.ours.as_ref().zip(pair.theirs.as_ref());
            if both.is_some_and(|(ours, theirs)| is_same(ours, theirs)) {
                continue; // only the notation of the mode differs
            }
            let wants_members = dir.is_in_list && matches!(members_differ, Ok(false));
            let differ = self.differing(dir, &pair, wants_members);
            if wants_members {
                members_differ = differ;
            }
        }
    }

    /// Compares the entries of a name. Entries only in their tree do not affect our paths, but may be
    /// members.
    fn differing(
        &mut self,
        dir: &ComparedDir,
        pair: &EntryPair<'_>,
        wants_members: bool,
    ) -> MembersDiffer {
        let node = pair.ours.as_ref().and_then(|entry| {
            let node = self.trie.child(dir.node?, entry.filename)?;
            let is_wanted = self.paths.any_in(&self.trie.paths_below(node));
            is_wanted.then_some(node)
        });
        match (&pair.ours, &pair.theirs) {
            (Some(ours), Some(theirs)) if ours.mode.is_tree() => {
                let below = ComparedDir {
                    node: node.filter(|node| self.trie.has_children(*node)),
                    is_in_list: wants_members && is_searched(ours.filename),
                    depth: dir.depth + 1,
                };
                if let Some(node) = node.filter(|_| below.node.is_none()) {
                    self.found.changed.push(self.trie.paths_below(node));
                }
                if below.node.is_none() && !below.is_in_list {
                    return Ok(false);
                }
                self.compare_dirs(&below, &ours.oid.into(), &theirs.oid.into())
            }
            (ours, theirs) => {
                let changed = node.map(|node| self.trie.paths_below(node));
                self.found.changed.extend(changed);
                match (ours, theirs) {
                    (Some(entry), None) | (None, Some(entry)) if wants_members => {
                        self.has_member(entry, dir.depth)
                    }
                    _ => Ok(false),
                }
            }
        }
    }

    /// Whether an entry is a member, or a directory that contains one.
    fn has_member(&mut self, entry: &EntryRef<'_>, depth: usize) -> MembersDiffer {
        if !entry.mode.is_tree() {
            return Ok(!entry.mode.is_commit() && (self.is_member)(entry.filename));
        }
        if !is_searched(entry.filename) {
            return Ok(false);
        }
        let id = entry.oid.into();
        if self.searched.contains(&(id, None)) {
            return Ok(false);
        }
        let tree = self.tree(&id, depth + 1)?;
        let mut entries = tree.entries();
        while let Some(entry) = entries.next()? {
            if self.has_member(&entry, depth + 1)? {
                return Ok(true);
            }
        }
        self.searched.insert((id, None));
        Ok(false)
    }

    fn tree(&mut self, id: &ObjectId, depth: usize) -> Result<Tree, RepositoryError> {
        if depth > DEEPEST {
            return Err(RepositoryError::invalid_tree(id));
        }
        self.objects.tree(id)
    }
}

//! The wanted paths of one repository as a trie of names.
//!
//! Paths are numbered depth first, so the paths below a directory form one range of numbers. An
//! unchanged directory is skipped with one lookup in a [`super::path_set::PathSet`].

use std::ops::Range;

/// The name that means the members of a directory in a wanted path. No entry of a tree has it.
pub(super) const MEMBERS: &[u8] = b".";

/// A path to date.
#[derive(Debug)]
pub(super) struct WantedPath {
    /// Relative to the work tree, with `/` between names.
    pub(super) path: Box<[u8]>,
    /// The index of the source in the query.
    pub(super) place: u32,
    /// Whether the source is a link, and this the path of a file that it refers to.
    pub(super) is_target: bool,
}

/// The wanted paths; node 0 is the root directory.
#[derive(Debug)]
pub(super) struct PathTrie {
    /// Sorted by names, with duplicates: a path's number is its index.
    wanted: Vec<WantedPath>,
    nodes: Vec<TrieNode>,
}

/// A name in a wanted path.
#[derive(Debug)]
struct TrieNode {
    /// The numbers of the paths that end here or below.
    paths: Range<u32>,
    /// The child nodes.
    children: Range<u32>,
    /// The range of its name in each of these paths.
    name: Range<u32>,
}

/// A node's index in its trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl PathTrie {
    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn new(mut wanted: Vec<WantedPath>) -> Self {
        wanted.sort_by(|one, other| names(&one.path).cmp(names(&other.path)));
        let root = TrieNode {
            paths: 0..count(wanted.len()),
            children: 0..0,
            name: 0..0,
        };
        let mut trie = Self {
            wanted,
            nodes: vec![root],
        };
        let mut at = 0;
        while at < trie.nodes.len() {
            let first_child = count(trie.nodes.len());
            trie.push_children(at);
            trie.nodes[at].children = first_child..count(trie.nodes.len());
            at += 1;
        }
        trie
    }

    /// Adds a child node for each distinct name that follows the parent in its paths.
    ///
    /// Equal names are adjacent, because the paths are sorted.
    fn push_children(&mut self, parent: usize) {
        let Self { wanted, nodes } = self;
        let within = nodes[parent].paths.clone();
        let name_start = if parent == 0 {
            0
        } else {
            nodes[parent].name.end + 1
        };
        let mut last: Option<&[u8]> = None;
        for number in within {
            let path = &wanted[number as usize].path;
            let Some(rest) = path.get(name_start as usize..) else {
                continue;
            };
            let name = names(rest).next().unwrap_or_default();
            match nodes.last_mut() {
                Some(node) if last == Some(name) => node.paths.end = number + 1,
                _ => {
                    nodes.push(TrieNode {
                        paths: number..number + 1,
                        children: 0..0,
                        name: name_start..name_start + count(name.len()),
                    });
                }
            }
            last = Some(name);
        }
    }

    pub(super) fn into_wanted(self) -> Vec<WantedPath> {
        self.wanted
    }

    /// The numbers of all paths.
    pub(super) fn all(&self) -> Range<u32> {
        self.paths_below(Self::ROOT)
    }

    pub(super) fn wanted(&self, number: u32) -> &WantedPath {
        &self.wanted[number as usize]
    }

    pub(super) fn path(&self, number: u32) -> &[u8] {
        &self.wanted(number).path
    }

    fn node(&self, id: NodeId) -> &TrieNode {
        &self.nodes[id.0 as usize]
    }

    /// The numbers of the paths that end at a node or below it.
    pub(super) fn paths_below(&self, id: NodeId) -> Range<u32> {
        self.node(id).paths.clone()
    }

    /// The child of a directory with a name.
    pub(super) fn child(&self, dir: NodeId, name: &[u8]) -> Option<NodeId> {
        let Range { start, end } = self.node(dir).children;
        let children = &self.nodes[start as usize..end as usize];
        let found = children
            .binary_search_by(|node| self.name(node).cmp(name))
            .ok()?;
        Some(NodeId(start + count(found)))
    }

    /// The numbers of the paths that mean the members of a directory.
    pub(super) fn members_of(&self, dir: NodeId) -> Option<Range<u32>> {
        Some(self.paths_below(self.child(dir, MEMBERS)?))
    }

    /// The numbers of the paths that end exactly at a node: a name can be a wanted file and, in
    /// another commit, a directory.
    pub(super) fn paths_at(&self, id: NodeId) -> Range<u32> {
        let node = self.node(id);
        let mut numbers = node.paths.clone();
        let below = numbers.find(|&number| self.path(number).len() != node.name.end as usize);
        node.paths.start..below.unwrap_or(node.paths.end)
    }

    /// Whether wanted paths exist below a node.
    pub(super) fn has_children(&self, id: NodeId) -> bool {
        !self.node(id).children.is_empty()
    }

    fn name(&self, node: &TrieNode) -> &[u8] {
        let path = self.path(node.paths.start);
        &path[node.name.start as usize..node.name.end as usize]
    }
}

/// Converts a length to the `u32` that nodes store to save memory.
fn count(length: usize) -> u32 {
    u32::try_from(length).expect("a file system has neither 2^32 paths nor a path of 4 GiB")
}

fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_below_each_directory_are_one_range_of_numbers() {
        let paths = ["b", "a/c", "a.b", "a/b/x", "a/b", "a/b/x"].into_iter();
        let wanted = paths.zip(0..).map(|(path, place)| WantedPath {
            path: path.as_bytes().into(),
            place,
            is_target: false,
        });
        let trie = PathTrie::new(wanted.collect());
        let check = |path: &[&str], below: Range<u32>, own: Range<u32>| {
            let walk = path.iter().try_fold(PathTrie::ROOT, |node, name| {
                trie.child(node, name.as_bytes())
            });
            let node = walk.expect("the node exists");
            assert_eq!(
                (trie.node(node).paths.clone(), trie.paths_at(node)),
                (below, own),
                "{path:?}"
            );
        };
        check(&[], 0..6, 0..0);
        check(&["a"], 0..4, 0..0);
        check(&["a", "b"], 0..3, 0..1);
        check(&["a", "b", "x"], 1..3, 1..3);
        check(&["a", "c"], 3..4, 3..4);
        check(&["a.b"], 4..5, 4..5);
        check(&["b"], 5..6, 5..6);
        assert_eq!((trie.path(3), trie.wanted(3).place), (&b"a/c"[..], 1));
        assert_eq!(trie.child(PathTrie::ROOT, b"c"), None);
    }

    #[test]
    fn no_paths_make_an_empty_root() {
        assert_eq!(PathTrie::new(Vec::new()).all(), 0..0);
    }
}

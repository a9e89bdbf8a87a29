//! The wanted paths of one repository as a tree of names.
//!
//! Paths are numbered depth first, so that all paths below a folder are one range of numbers: a folder that did not
//! change is passed over with one look at a [`super::paths::Paths`].

use std::ops::Range;

/// The wanted paths; node 0 is the root folder.
#[derive(Debug)]
pub(super) struct PathTrie {
    /// Relative paths with `/` between the names, sorted by their names; one can be wanted more than once.
    paths: Vec<Vec<u8>>,
    /// By number: the place of the path in the list that was given.
    places: Vec<usize>,
    nodes: Vec<TrieNode>,
    /// The nodes' names one after the other: those of a folder stand together, so that searching one touches little memory.
    names: Vec<u8>,
}

/// A name on the way to a wanted path, or at its end.
#[derive(Debug)]
pub(super) struct TrieNode {
    /// The numbers of the paths that end here or below.
    pub(super) paths: Range<u32>,
    /// Nodes of the names below.
    children: Range<u32>,
    /// Where its name lies among the trie's.
    name: Range<u32>,
    /// The length of the path from the root up to here.
    path_length: u32,
}

/// A node's index in its trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// Its place among the nodes.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl PathTrie {
    /// The root folder.
    pub(super) const ROOT: NodeId = NodeId(0);

    /// Numbers the paths by their place in sorted order.
    pub(super) fn new(paths: Vec<Vec<u8>>) -> Self {
        let mut sorted: Vec<(usize, Vec<u8>)> = paths.into_iter().enumerate().collect();
        sorted.sort_by(|(_, a), (_, b)| names(a).cmp(names(b)));
        let (places, paths): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
        let root = TrieNode {
            paths: 0..count(paths.len()),
            children: 0..0,
            name: 0..0,
            path_length: 0,
        };
        let mut trie = Self {
            paths,
            places,
            nodes: vec![root],
            names: Vec::new(),
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

    /// Adds a node for each different name that follows the node's own in its paths; they stand together, being sorted.
    fn push_children(&mut self, parent: usize) {
        let Self {
            paths,
            nodes,
            names: all_names,
            ..
        } = self;
        let within = nodes[parent].paths.clone();
        let name_start = if parent == 0 {
            0
        } else {
            nodes[parent].path_length + 1
        };
        let mut last: Option<&[u8]> = None;
        for number in within {
            let Some(rest) = paths[number as usize].get(name_start as usize..) else {
                continue;
            };
            let name = names(rest).next().unwrap_or_default();
            match nodes.last_mut() {
                Some(node) if last == Some(name) => node.paths.end = number + 1,
                _ => {
                    let start = count(all_names.len());
                    all_names.extend_from_slice(name);
                    let path_length = name_start + count(name.len());
                    let name = start..count(all_names.len());
                    nodes.push(TrieNode {
                        paths: number..number + 1,
                        children: 0..0,
                        name,
                        path_length,
                    });
                }
            }
            last = Some(name);
        }
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    /// All numbers.
    pub(super) fn all(&self) -> Range<u32> {
        self.node(Self::ROOT).paths.clone()
    }

    /// The place that a path had in the list it came from.
    pub(super) fn place(&self, number: u32) -> usize {
        self.places[number as usize]
    }

    /// The path of a number.
    pub(super) fn path(&self, number: u32) -> &[u8] {
        &self.paths[number as usize]
    }

    /// The node itself.
    pub(super) fn node(&self, id: NodeId) -> &TrieNode {
        &self.nodes[id.index()]
    }

    /// The node of a name in a folder.
    pub(super) fn child(&self, folder: NodeId, name: &[u8]) -> Option<NodeId> {
        let Range { start, end } = self.node(folder).children;
        let children = &self.nodes[start as usize..end as usize];
        let found = children
            .binary_search_by(|node| self.name(node).cmp(name))
            .ok()?;
        Some(NodeId(start + count(found)))
    }

    /// The numbers of the path that ends at a node itself: a name can be a wanted file and, in another commit, a folder.
    pub(super) fn paths_at(&self, id: NodeId) -> Range<u32> {
        let node = self.node(id);
        let paths = &self.paths[node.paths.start as usize..node.paths.end as usize];
        let ending_here = paths
            .iter()
            .zip(node.paths.start..)
            .take_while(|(path, _)| path.len() == node.path_length as usize);
        node.paths.start
            ..ending_here
                .last()
                .map_or(node.paths.start, |(_, number)| number + 1)
    }

    /// Whether wanted paths lie below a node.
    pub(super) fn is_folder(&self, id: NodeId) -> bool {
        !self.node(id).children.is_empty()
    }

    fn name(&self, node: &TrieNode) -> &[u8] {
        &self.names[node.name.start as usize..node.name.end as usize]
    }
}

/// Lengths are kept as `u32`: there are up to a million nodes.
fn count(length: usize) -> u32 {
    u32::try_from(length).expect("neither 2^32 paths nor one of 4 GiB come from a file system")
}

fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_owns_one_range_of_numbers() {
        let trie = PathTrie::new(
            ["b", "a/c", "a.b", "a/b/x", "a/b", "a/b/x"]
                .map(Vec::from)
                .to_vec(),
        );
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
        assert_eq!((trie.path(3), trie.place(3)), (&b"a/c"[..], 1));
        assert_eq!(trie.child(PathTrie::ROOT, b"c"), None);
    }

    #[test]
    fn no_paths_make_an_empty_root() {
        let trie = PathTrie::new(Vec::new());
        assert_eq!((trie.len(), trie.all()), (0, 0..0));
    }
}

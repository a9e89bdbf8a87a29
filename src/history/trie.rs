//! The wanted paths of one repository as a tree of names.
//!
//! Paths are numbered depth first, so that all paths below a folder are one range of numbers: a folder that did not
//! change is passed over with one look at a [`super::paths::Paths`].

use std::ops::Range;

/// The wanted paths; node 0 is the root folder.
#[derive(Debug)]
pub(super) struct Trie {
    /// Relative paths with `/` between the names, sorted by their names, without doubles.
    paths: Vec<Vec<u8>>,
    nodes: Vec<Node>,
}

/// A name on the way to a wanted path, or at its end.
#[derive(Debug)]
pub(super) struct Node {
    /// The numbers of the paths that end here or below.
    pub(super) paths: Range<u32>,
    /// Nodes of the names below.
    children: Range<usize>,
    /// Where this node's name lies in each of its paths.
    name: Range<usize>,
}

/// A node's index in its trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(usize);

impl Trie {
    /// The root folder.
    pub(super) const ROOT: NodeId = NodeId(0);

    /// Numbers the paths by their place in sorted order.
    pub(super) fn new(mut paths: Vec<Vec<u8>>) -> Self {
        paths.sort_unstable_by(|a, b| names(a).cmp(names(b)));
        paths.dedup();
        let count = u32::try_from(paths.len()).expect("2^32 paths do not fit in memory");
        let mut nodes = vec![Node { paths: 0..count, children: 0..0, name: 0..0 }];
        let mut at = 0;
        while at < nodes.len() {
            let first_child = nodes.len();
            push_children(&paths, at, &mut nodes);
            nodes[at].children = first_child..nodes.len();
            at += 1;
        }
        Self { paths, nodes }
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The number of a path.
    pub(super) fn number(&self, path: &[u8]) -> Option<u32> {
        let found = self.paths.binary_search_by(|other| names(other).cmp(names(path))).ok()?;
        u32::try_from(found).ok()
    }

    /// The node itself.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The node of a name in a folder.
    pub(super) fn child(&self, folder: NodeId, name: &[u8]) -> Option<NodeId> {
        let children = self.node(folder).children.clone();
        let found = self.nodes[children.clone()].binary_search_by(|node| self.name(node).cmp(name)).ok()?;
        Some(NodeId(children.start + found))
    }

    /// The number of the path that ends at a node itself: a name can be a wanted file and, in another commit, a folder.
    pub(super) fn path_at(&self, id: NodeId) -> Option<u32> {
        let node = self.node(id);
        let first = node.paths.start;
        (id != Self::ROOT && self.paths[first as usize].len() == node.name.end).then_some(first)
    }

    /// Whether wanted paths lie below a node.
    pub(super) fn is_folder(&self, id: NodeId) -> bool {
        !self.node(id).children.is_empty()
    }

    fn name(&self, node: &Node) -> &[u8] {
        &self.paths[node.paths.start as usize][node.name.clone()]
    }
}

fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

/// Adds a node for each different name that follows the node's own in its paths; they stand together, being sorted.
fn push_children(paths: &[Vec<u8>], parent: usize, nodes: &mut Vec<Node>) {
    let within = nodes[parent].paths.clone();
    let name_start = if parent == 0 { 0 } else { nodes[parent].name.end + 1 };
    let mut last: Option<&[u8]> = None;
    for number in within {
        let Some(rest) = paths[number as usize].get(name_start..) else { continue };
        let name = names(rest).next().unwrap_or_default();
        match nodes.last_mut() {
            Some(node) if last == Some(name) => node.paths.end = number + 1,
            _ => {
                let name = name_start..name_start + name.len();
                nodes.push(Node { paths: number..number + 1, children: 0..0, name });
            }
        }
        last = Some(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_owns_one_range_of_numbers() {
        let trie = Trie::new(["b", "a/c", "a.b", "a/b/x", "a/b", "a/b/x"].map(Vec::from).to_vec());
        let check = |path: &[&str], range: Range<u32>, own: Option<u32>| {
            let walk = path.iter().try_fold(Trie::ROOT, |node, name| trie.child(node, name.as_bytes()));
            let node = walk.expect("the node exists");
            assert_eq!((trie.node(node).paths.clone(), trie.path_at(node)), (range, own), "{path:?}");
        };
        check(&[], 0..5, None);
        check(&["a"], 0..3, None);
        check(&["a", "b"], 0..2, Some(0));
        check(&["a", "b", "x"], 1..2, Some(1));
        check(&["a", "c"], 2..3, Some(2));
        check(&["a.b"], 3..4, Some(3));
        check(&["b"], 4..5, Some(4));
        assert_eq!(trie.child(Trie::ROOT, b"c"), None);
        assert_eq!(trie.number(b"a/c"), Some(2));
        assert_eq!(trie.number(b"a"), None);
    }

    #[test]
    fn no_paths_make_an_empty_root() {
        let trie = Trie::new(Vec::new());
        assert_eq!((trie.len(), trie.node(Trie::ROOT).paths.clone()), (0, 0..0));
    }
}

//! Which files include which: one node per file, so that a million pages that share a file cost one
//! edge each.

use std::collections::{BTreeSet, HashMap, HashSet};

use sitemaps::site_paths::SitePath;

/// A file in a place where its own includes resolve alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct IncludeNode {
    /// The index of its path.
    pub(super) file: usize,
    /// The index of the page's source, if paths may be relative to it.
    pub(super) page: Option<usize>,
    /// Whether its own includes count.
    pub(super) role: NodeRole,
}

/// Whether the includes of a node count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NodeRole {
    /// It is parsed like the file that includes it.
    Parsed,
    /// It is inserted as it is.
    Verbatim,
}

/// Which files include which.
#[derive(Debug, Default)]
pub struct IncludeGraph {
    /// All files, by index.
    files: Vec<SitePath>,
    file_indices: HashMap<SitePath, usize>,
    nodes: Vec<IncludeNode>,
    node_indices: HashMap<IncludeNode, usize>,
    /// The nodes that include each node.
    includers: Vec<Vec<usize>>,
    /// The nodes of the pages' sources.
    starts: HashMap<SitePath, usize>,
    edges: usize,
}

impl IncludeGraph {
    /// Returns the included files, each with its index.
    pub fn included_files(&self) -> impl Iterator<Item = (usize, &SitePath)> {
        let mut is_included = vec![false; self.files.len()];
        for (node, includers) in self.nodes.iter().zip(&self.includers) {
            is_included[node.file] |= !includers.is_empty();
        }
        let files = self.files.iter().enumerate();
        files.filter(move |(index, _)| is_included[*index])
    }

    /// Returns the file at an index.
    pub fn file(&self, index: usize) -> &SitePath {
        &self.files[index]
    }

    /// Returns the node of a page's source, if it includes files.
    pub fn start(&self, source: &SitePath) -> Option<usize> {
        self.starts.get(source).copied()
    }

    /// Returns, for each node, the first of these files that it includes, directly or not.
    ///
    /// The order says which file dates a page, so this visits every edge once, whatever the number
    /// of pages and the cycles among the files.
    pub fn first_included(&self, order: impl IntoIterator<Item = usize>) -> Vec<Option<usize>> {
        let mut nodes_of_file: Vec<Vec<usize>> = vec![Vec::new(); self.files.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            nodes_of_file[node.file].push(index);
        }
        let mut first = vec![None; self.nodes.len()];
        for file in order {
            let mut to_visit = nodes_of_file[file].clone();
            while let Some(node) = to_visit.pop() {
                for &includer in &self.includers[node] {
                    if first[includer].is_none() {
                        first[includer] = Some(file);
                        to_visit.push(includer);
                    }
                }
            }
        }
        first
    }

    /// Returns the files that each node of a page's source includes, directly or not, by the node, in
    /// the order of their paths.
    pub fn all_included(&self) -> HashMap<usize, Vec<&SitePath>> {
        let mut included: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, includers) in self.includers.iter().enumerate() {
            for &includer in includers {
                included[includer].push(node);
            }
        }
        let all_of = |start: usize| {
            let mut files = BTreeSet::new();
            let (mut seen, mut to_visit) = (HashSet::from([start]), vec![start]);
            while let Some(node) = to_visit.pop() {
                for &next in &included[node] {
                    files.insert(&self.files[self.nodes[next].file]);
                    if seen.insert(next) {
                        to_visit.push(next);
                    }
                }
            }
            files.into_iter().collect()
        };
        let starts = self.starts.values();
        starts.map(|&start| (start, all_of(start))).collect()
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.edges
    }

    pub(super) fn nodes(&self) -> &[IncludeNode] {
        &self.nodes
    }

    /// Adds the node of a page's source. `page` is the source too, if paths may be relative to it.
    pub(super) fn add_start(&mut self, source: &SitePath, page: Option<&SitePath>) {
        let node = IncludeNode {
            file: self.file_index(source),
            page: page.map(|page| self.file_index(page)),
            role: NodeRole::Parsed,
        };
        let index = self.node_index(node);
        self.starts.insert(source.clone(), index);
    }

    /// Adds a file that a node includes.
    pub(super) fn add_edge(&mut self, includer: usize, file: &SitePath, role: NodeRole) {
        let node = IncludeNode {
            file: self.file_index(file),
            role,
            ..self.nodes[includer]
        };
        let index = self.node_index(node);
        self.includers[index].push(includer);
        self.edges += 1;
    }

    fn file_index(&mut self, file: &SitePath) -> usize {
        if let Some(&index) = self.file_indices.get(file) {
            return index;
        }
        self.file_indices.insert(file.clone(), self.files.len());
        self.files.push(file.clone());
        self.files.len() - 1
    }

    fn node_index(&mut self, node: IncludeNode) -> usize {
        *self.node_indices.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.includers.push(Vec::new());
            self.nodes.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph from lines such as `a > b c`; every includer is also a source of a page.
    fn graph(lines: &[&str]) -> IncludeGraph {
        let mut graph = IncludeGraph::default();
        for line in lines {
            let (includer, names) = line.split_once(" > ").expect("an includer");
            let includer = SitePath::from(includer);
            graph.add_start(&includer, None);
            let start = graph.start(&includer).expect("it was added");
            for file in names.split(' ') {
                graph.add_edge(start, &SitePath::from(file), NodeRole::Parsed);
            }
        }
        graph
    }

    /// Checks which file dates a page, if `order` has the newest first.
    #[track_caller]
    fn check(lines: &[&str], order: &str, page: &str, expected: Option<&str>) {
        let graph = graph(lines);
        let index = |name: &str| {
            let mut files = graph.included_files();
            files.find_map(|(index, file)| (file.to_text() == name).then_some(index))
        };
        let first = graph.first_included(order.split(' ').filter_map(index));
        let start = graph.start(&SitePath::from(page)).expect("a page");
        let found = first[start].map(|file| graph.file(file).to_text().into_owned());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn the_newest_of_all_included_files_is_found_through_others_and_through_cycles() {
        check(&["a > b", "b > c"], "c b", "a", Some("c"));
        check(&["a > b", "b > c"], "b c", "a", Some("b"));
        check(&["a > b", "b > c"], "c b", "b", Some("c"));
        check(&["a > b", "b > a c"], "a c b", "a", Some("a"));
        check(&["a > b", "b > a c"], "c b a", "b", Some("c"));
        check(&["a > b", "c > d"], "d b", "a", Some("b"));
        check(&["a > b"], "", "a", None);
    }
}

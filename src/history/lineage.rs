//! A commit's parents as git sees them: cut off by a shallow clone, or changed by grafts.

use std::collections::{HashMap, HashSet};

use super::ObjectId;
use super::commit::Commit;

/// Where a repository's history departs from what its commits say.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// Commits of a shallow clone whose parents were not fetched.
    pub(super) boundary: HashSet<ObjectId>,
    /// Other parents, by commit: `.git/info/grafts`.
    pub(super) grafts: HashMap<ObjectId, Vec<ObjectId>>,
    /// Commits to pass over.
    pub(super) ignored: HashSet<ObjectId>,
    /// Whether the history can lead in a circle.
    pub(super) circles: Circles,
}

/// Whether history can lead in a circle. Commits cannot name their descendants, but grafts and replacements can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Circles {
    /// No commit has other parents than those its hash was made of.
    #[default]
    Impossible,
    /// There are grafts or replacements.
    Possible,
}

impl Lineage {
    /// The commits before a commit; none at the boundary.
    pub(super) fn parents<'a>(&'a self, id: &ObjectId, commit: &'a Commit) -> &'a [ObjectId] {
        match self.grafts.get(id) {
            Some(parents) => parents,
            None if self.boundary.contains(id) => &[],
            None => &commit.parents,
        }
    }

    /// Whether a commit has parents that were not fetched.
    ///
    /// A clone of just the right depth lists its root as boundary too; a commit that never had parents is not cut off.
    pub(super) fn is_cut_off(&self, id: &ObjectId, commit: &Commit) -> bool {
        self.boundary.contains(id) && !self.grafts.contains_key(id) && !commit.parents.is_empty()
    }
}

/// Reads `.git/info/grafts`: a line for each commit, the commit and its parents; git passes over lines it cannot read.
pub(super) fn read_grafts(text: &[u8]) -> HashMap<ObjectId, Vec<ObjectId>> {
    let lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.starts_with(b"#"));
    let grafts = lines.filter_map(|line| {
        let ids: Option<Vec<_>> = line
            .trim_ascii_end()
            .split(|byte| *byte == b' ')
            .map(ObjectId::from_hex)
            .collect();
        let (commit, parents) = ids?
            .split_first()
            .map(|(commit, parents)| (*commit, parents.to_vec()))?;
        Some((commit, parents))
    });
    grafts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grafts_are_read_line_by_line() {
        let id = |digit: &str| ObjectId::from_hex(digit.repeat(40).as_bytes()).expect("40 digits");
        let hex = |digit: &str| digit.repeat(40);
        let text = format!(
            "# comment\n{}\n\n{} {} {}\r\nnonsense {}",
            hex("1"),
            hex("2"),
            hex("3"),
            hex("4"),
            hex("5")
        );
        let expected = HashMap::from([(id("1"), vec![]), (id("2"), vec![id("3"), id("4")])]);
        assert_eq!(read_grafts(text.as_bytes()), expected);
    }
}
